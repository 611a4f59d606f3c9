//! What the payers of a generated remittance have in common and what not.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How a payer writes its remittances.
pub(super) struct Habits {
    pub(super) name: &'static str,
    pub(super) terminator: &'static str,
    pub(super) component: char,
    /// The component separator that SVC01 uses.
    pub(super) service: char,
    /// Adjustments of the whole claim instead of its lines.
    pub(super) claim_level: bool,
    /// States the adjustments of the lines again for the claim.
    pub(super) twice: bool,
    pub(super) upper_case: bool,
    /// Cuts claim numbers to 20 characters.
    pub(super) cuts: bool,
    /// DTM*232 instead of a date for each line.
    pub(super) claim_date: bool,
    pub(super) filing: &'static str,
    /// Fills the elements of ISA with spaces, as the standard says.
    pub(super) padded: bool,
}

pub(super) const PAYERS: [Habits; 4] = [
    Habits {
        name: "Acme Health",
        terminator: "~\n",
        component: ':',
        service: ':',
        claim_level: false,
        twice: false,
        upper_case: true,
        cuts: false,
        claim_date: true,
        filing: "12",
        padded: true,
    },
    Habits {
        name: "Medicare of Somewhere",
        terminator: "~",
        component: ':',
        service: ':',
        claim_level: false,
        twice: false,
        upper_case: false,
        cuts: true,
        claim_date: false,
        filing: "MB",
        padded: true,
    },
    Habits {
        name: "Blue Plan",
        terminator: "\r\n",
        component: '>',
        service: '|',
        claim_level: true,
        twice: false,
        upper_case: true,
        cuts: false,
        claim_date: true,
        filing: "",
        padded: false,
    },
    Habits {
        name: "Old County Plan",
        terminator: "!",
        component: ':',
        service: ':',
        claim_level: false,
        twice: true,
        upper_case: false,
        cuts: false,
        claim_date: false,
        filing: "HM",
        padded: true,
    },
];

pub(super) const DENIALS: [(&str, &str); 6] =
    [("CO", "50"), ("PR", "96"), ("CO", "197"), ("OA", "16"), ("PI", "29"), ("CO", "B7")];
pub(super) const LAST: [&str; 5] = ["Garcia", "O'Brien", "Nguyen-Smith", "Doe", "Ito"];
pub(super) const FIRST: [&str; 5] = ["Maria", "Sean", "Linh", "Jane", "Ken"];

/// A small source of numbers (SplitMix64).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let at = usize::try_from(self.below(from.len() as u64)).ok()?;
        from.get(at).copied()
    }
}

/// Segments of one file.
pub(super) struct File<'a> {
    pub(super) habits: &'a Habits,
    text: String,
    /// The segments of the transaction.
    count: u32,
}

impl<'a> File<'a> {
    pub(super) fn new(habits: &'a Habits, group: &str, kind: &str) -> Self {
        let mut file = File { habits, text: String::new(), count: 0 };
        let component = habits.component;
        file.add(&if habits.padded {
            format!(
                "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *260201*1200*^*00501*000000001*0*P*{component}"
            )
        } else {
            format!("ISA*00**00**ZZ*PAYER*ZZ*PRACTICE*260201*1200*^*00501*000000001*0*P*{component}")
        });
        file.add(&format!("GS*{group}*PAYER*PRACTICE*20260201*1200*1*X*005010"));
        file.count = 0;
        file.add(&format!("ST*{kind}*0001"));
        file
    }

    pub(super) fn add(&mut self, segment: &str) {
        self.text.push_str(segment);
        self.text.push_str(self.habits.terminator);
        self.count += 1;
    }

    pub(super) fn end(mut self) -> Vec<u8> {
        self.add(&format!("SE*{}*0001", self.count + 1));
        self.add("GE*1*1");
        self.add("IEA*1*000000001");
        self.text.into_bytes()
    }
}
