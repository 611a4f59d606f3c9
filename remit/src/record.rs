//! What is kept of a claim payment until all files are read. A payment without a denial keeps only what may take away a
//! denial of another file.

use crate::amount::Amount;
use crate::carc::{CarcClasses, Class};
use crate::code::Code;
use crate::day::Day;
use crate::decide::{self, Decision, Used, Verdict};
use crate::lines::{self, Lines};
use crate::number::Number;
use crate::reasons::{Hold, Skip};
use crate::remittance::{ClaimPayment, Level};
use crate::text::{self, Digest, decode};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The most denial codes of a claim (interface: claim).
pub(crate) const CODES_MAX: usize = 20;

/// A claim within one payer and one claim number: patient, day of service and, if the payer got no number, the charge.
pub(crate) type ClaimKey = (u64, Option<Day>, Amount);

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Skip(Skip),
    Reversal,
    Denial,
}

/// A claim payment.
pub(crate) struct Record {
    pub(crate) file: u32,
    pub(crate) transaction: u32,
    /// The place in the transaction.
    pub(crate) ordinal: u32,
    /// The digest of the transaction up to the claim. It orders copies of a transaction that differ.
    pub(crate) digest: Digest,
    /// CLP01.
    pub(crate) number: Number,
    /// A hash of CLP07, 0 if it is absent.
    pub(crate) payer_number: u64,
    /// A key of the patient's names, 0 if they are absent.
    pub(crate) patient: u64,
    pub(crate) day: Option<Day>,
    pub(crate) charge: Amount,
    /// What was paid, and what the contract takes off.
    pub(crate) covered: Amount,
    /// What is left of the charge without that and without prior payers: denials and the patient's share.
    pub(crate) left: Amount,
    /// The place of its lines among those of all records, and their number.
    pub(crate) lines: (u32, u16),
    /// A hash of the member id, 0 if it is absent.
    pub(crate) member: u32,
    /// True if each line has a control number (REF*6R).
    pub(crate) is_controlled: bool,
    /// True if the payer says that it is a part of a claim (MA15).
    pub(crate) is_part: bool,
    /// 1 for the primary payer.
    pub(crate) rank: u8,
    pub(crate) entry: Entry,
    denial: Option<Box<Denial>>,
}

/// A denial code with its group, or a remark code without one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct DenialCode {
    pub(crate) group: Code,
    pub(crate) code: Code,
}

impl From<DenialCode> for String {
    fn from(from: DenialCode) -> Self {
        match (from.group.as_str(), from.code.as_str()) {
            ("", code) => code.into(),
            (group, code) => [group, "-", code].concat(),
        }
    }
}

/// A line that was denied: its control number and its code.
#[derive(PartialEq, Eq)]
pub(crate) struct DeniedLine {
    pub(crate) control: Box<str>,
    pub(crate) procedure: Box<str>,
}

/// The details of a denial.
#[derive(PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) amount: Amount,
    /// True if no adjustment explains it.
    pub(crate) unexplained: bool,
    /// The amount that is missing or cannot be read.
    pub(crate) flaw: Option<Hold>,
    /// CLP07, else REF*F8.
    pub(crate) payer_number: Box<str>,
    pub(crate) last_name: Box<str>,
    pub(crate) first_name: Box<str>,
    pub(crate) member_id: Option<Box<str>>,
    pub(crate) codes: Vec<DenialCode>,
    pub(crate) lines: Vec<DeniedLine>,
    /// CLP06.
    pub(crate) filing: Code,
}

impl Record {
    /// The record of a claim payment. Its lines are added to those of all.
    pub(crate) fn new(claim: &ClaimPayment, decision: &Decision, classes: &CarcClasses, lines: &mut Lines) -> Self {
        let covered = claim.paid.plus(decision.sum(Class::Contractual));
        let payer_number = claim.bytes(claim.payer_number);
        Self {
            file: 0,
            transaction: 0,
            ordinal: 0,
            digest: Digest::default(),
            number: Number::from(&*decode(claim.bytes(claim.number))),
            payer_number: if payer_number.is_empty() { 0 } else { text::hash(&[payer_number]) },
            patient: text::patient_key(claim.bytes(claim.last_name), claim.bytes(claim.first_name)),
            day: claim.service_began.or(claim.line_began),
            charge: claim.charge,
            covered,
            left: claim.charge.minus(covered).minus(decision.sum(Class::PriorPayer)),
            lines: lines.add(claim),
            member: lines::member(claim.bytes(claim.member_id)),
            is_controlled: claim.lines.iter().all(|line| !line.control.is_empty()),
            is_part: claim.remarks.iter().any(|(_, code)| *code == Code::new(b"MA15")),
            rank: match claim.status.as_str() {
                "1" | "19" => 1,
                "2" | "20" => 2,
                "3" | "21" => 3,
                _ => 4,
            },
            entry: match decision.verdict {
                Verdict::Skip(skip) => Entry::Skip(skip),
                Verdict::Reversal => Entry::Reversal,
                Verdict::Denial(_) | Verdict::Unreadable(_) => Entry::Denial,
            },
            denial: match decision.verdict {
                Verdict::Denial(amount) | Verdict::Unreadable(amount) => {
                    Some(Box::new(Denial::new(claim, decision, amount, classes)))
                }
                Verdict::Skip(_) | Verdict::Reversal => None,
            },
        }
    }

    /// True if another record says the same about the claim.
    pub(crate) fn says_as(&self, other: &Self, lines: &Lines) -> bool {
        let said = |one: &Self| {
            let names = (one.patient, one.day, one.payer_number, one.member);
            let amounts = (one.charge, one.covered, one.left);
            (names, amounts, one.rank, one.is_part, one.entry)
        };
        *self.number == *other.number
            && said(self) == said(other)
            && lines.of(self.lines) == lines.of(other.lines)
            && self.denial == other.denial
    }

    /// The place of its file in the reports.
    pub(crate) fn file(&self) -> usize {
        text::place(self.file)
    }

    /// The place of its transaction.
    pub(crate) fn transaction(&self) -> usize {
        text::place(self.transaction)
    }

    /// True if the payer got no claim number (X12 RFI 535: it answers with a zero).
    pub(crate) fn is_unnumbered(&self) -> bool {
        matches!(&*self.number, "" | "0")
    }

    pub(crate) fn claim_key(&self) -> ClaimKey {
        let charge = if self.is_unnumbered() { self.charge } else { Amount::ZERO };
        (self.patient, self.day, charge)
    }

    pub(crate) fn denial(&self) -> Option<&Denial> {
        self.denial.as_deref()
    }

    pub(crate) fn denied(&self) -> Amount {
        self.denial().map_or(Amount::ZERO, |denial| denial.amount)
    }
}

impl Denial {
    fn new(claim: &ClaimPayment, decision: &Decision, amount: Amount, classes: &CarcClasses) -> Self {
        let text = |span| -> Box<str> { decode(claim.bytes(span)).into() };
        let numbers = [claim.payer_number, claim.original_number].map(text);
        let lines = denied_lines(claim, decision.used, classes);
        let [payer_number, original] = numbers;
        let member_id = text(claim.member_id);
        Self {
            amount,
            unexplained: decision.unexplained != Amount::ZERO,
            flaw: decision.flaw.clone(),
            payer_number: if payer_number.is_empty() { original } else { payer_number },
            last_name: text(claim.last_name),
            first_name: text(claim.first_name),
            member_id: (!member_id.is_empty()).then_some(member_id),
            codes: codes(claim, decision.used, classes, &lines),
            lines: lines
                .iter()
                .filter_map(|at| claim.lines.get(*at))
                .map(|line| DeniedLine { control: text(line.control), procedure: text(line.procedure) })
                .collect(),
            filing: claim.filing,
        }
    }
}

/// The places of the lines that were denied. A denial of the claim as a whole denies every line.
fn denied_lines(claim: &ClaimPayment, used: Used, classes: &CarcClasses) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut whole = claim.adjustments.is_empty();
    for one in decide::denials(claim, used, classes) {
        match one.level {
            Level::Claim => whole = true,
            Level::Line(at) => {
                if lines.last() != Some(&at) {
                    lines.push(at);
                }
            }
        }
    }
    if whole {
        return (0..claim.lines.len()).collect();
    }
    lines
}

/// Denial codes with their group, then remark codes: of the claim, and of the lines that were denied.
fn codes(claim: &ClaimPayment, used: Used, classes: &CarcClasses, lines: &[usize]) -> Vec<DenialCode> {
    let denials = decide::denials(claim, used, classes);
    let carcs = denials.map(|one| (one.level, DenialCode { group: one.group, code: one.carc }));
    let remarks = claim.remarks.iter().filter(|(level, _)| match level {
        Level::Claim => true,
        Level::Line(at) => lines.binary_search(at).is_ok(),
    });
    let remarks = remarks.map(|(level, code)| (*level, DenialCode { group: Code::default(), code: *code }));
    let mut codes = Vec::new();
    for (_, code) in carcs.chain(remarks) {
        if codes.len() < CODES_MAX && !code.code.is_empty() && !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}
