//! How payers differ in what they write.

/// How a payer writes its remittances.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
pub struct Habits {
    pub name: &'static str,
    /// The claim filing indicator of its plans. May be empty.
    pub filing: &'static str,
    pub element: char,
    pub component: char,
    /// The component separator that SVC01 uses.
    pub service: char,
    pub terminator: &'static str,
    /// Fills the elements of ISA with spaces, as the standard says.
    pub padded: bool,
    /// Adjustments of the whole claim instead of its lines.
    pub claim_level: bool,
    /// No lines at all.
    pub no_lines: bool,
    /// States the adjustments of the lines again for the claim.
    pub twice: bool,
    /// The adjustments of a group in one CAS segment.
    pub trios: bool,
    pub upper_case: bool,
    /// Cuts claim numbers to 20 characters.
    pub cuts: bool,
    /// DTM*232 instead of a date for each line.
    pub claim_date: bool,
    /// Amounts without zeros at the end: `100` and not `100.00`.
    pub short: bool,
    /// CLP02 is 4 where the whole charge is denied.
    pub says_denied: bool,
    /// The addresses, references, contacts and amounts of real files. For measurements.
    pub detailed: bool,
}

const PLAIN: Habits = Habits {
    name: "Acme Health",
    filing: "12",
    element: '*',
    component: ':',
    service: ':',
    terminator: "~\n",
    padded: true,
    claim_level: false,
    no_lines: false,
    twice: false,
    trios: false,
    upper_case: true,
    cuts: false,
    claim_date: true,
    short: false,
    says_denied: false,
    detailed: false,
};

/// The payers that are made up. The first one writes as most do.
pub const HABITS: [Habits; 7] = [
    PLAIN,
    Habits {
        name: "Medicare of Somewhere",
        filing: "MB",
        terminator: "~",
        upper_case: false,
        cuts: true,
        claim_date: false,
        ..PLAIN
    },
    Habits {
        name: "Blue Plan",
        filing: "",
        component: '>',
        service: '|',
        terminator: "\r\n",
        padded: false,
        claim_level: true,
        ..PLAIN
    },
    Habits {
        name: "Old County Plan",
        filing: "HM",
        terminator: "!",
        upper_case: false,
        twice: true,
        claim_date: false,
        ..PLAIN
    },
    Habits {
        name: "Pipe Mutual",
        filing: "13",
        element: '|',
        component: '>',
        service: '>',
        terminator: "\n",
        trios: true,
        claim_date: false,
        short: true,
        ..PLAIN
    },
    Habits { name: "Institutional Trust", claim_level: true, no_lines: true, trios: true, ..PLAIN },
    Habits {
        name: "Wordy Benefit",
        filing: "HM",
        short: true,
        says_denied: true,
        detailed: true,
        claim_date: false,
        ..PLAIN
    },
];

impl Habits {
    /// True if what it writes is as the standard says, and balances.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.padded && !self.twice && self.claim_level == self.no_lines && self.service == self.component
    }

    /// A claim number as it writes it.
    pub(crate) fn cut<'a>(&self, number: &'a str) -> &'a str {
        let end = number.char_indices().nth(20).map(|(end, _)| end).filter(|_| self.cuts);
        end.and_then(|end| number.get(..end)).unwrap_or(number)
    }
}
