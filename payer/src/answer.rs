//! What a payer says about a claim: one adjudication, or the reversal of one.

use crate::claim::Claim;
use crate::script::Codes;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use overturn_core::base::date::Date;

/// What an adjustment means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Contractual,
    /// The patient's share.
    Share,
    Denied,
}

/// An amount that is not paid. In a reversal it counts the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjustment<'a> {
    pub kind: Kind,
    pub group: &'a str,
    pub carc: &'a str,
    pub remark: Option<&'a str>,
    /// In cents, above 0.
    pub amount: i64,
}

/// What happens to a line.
#[derive(Clone, Copy)]
pub(crate) enum Verdict<'a> {
    /// A fifth is contractual, a tenth is the patient's share, and the rest is paid.
    Paid,
    Denied(&'a Codes),
    /// A fifth is contractual, and the rest is denied.
    RestDenied(&'a Codes),
    /// A fifth is contractual. Half of the rest is denied, and the other half is paid.
    HalfDenied(&'a Codes),
}

/// One adjudication of a claim, or its reversal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer<'a> {
    pub claim: &'a Claim,
    pub day: Date,
    /// 1 for the first adjudication of the claim.
    pub version: u32,
    /// True if it takes away the adjudication with the same number.
    pub is_reversal: bool,
    /// True for the reversal of a payment that the payer takes back. The days after which it keeps the money.
    pub taken_back_after: Option<u16>,
    /// The adjustments of each line.
    pub lines: Vec<Vec<Adjustment<'a>>>,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(claim: &'a Claim, day: Date, mut verdict: impl FnMut(usize) -> Verdict<'a>) -> Self {
        let lines = claim.lines.iter().enumerate().map(|(at, line)| adjust(line.charge, at, verdict(at)));
        Self { claim, day, version: 1, is_reversal: false, taken_back_after: None, lines: lines.collect() }
    }

    /// The payer's number of the adjudication (CLP07).
    #[must_use]
    pub fn payer_number(&self) -> String {
        self.number_of(self.version)
    }

    /// The payer's number of the adjudication that this one corrects.
    pub(crate) fn corrects(&self) -> Option<String> {
        let before = self.version.checked_sub(1).filter(|before| *before > 0 && !self.is_reversal);
        before.map(|before| self.number_of(before))
    }

    fn number_of(&self, version: u32) -> String {
        let number: String = self.claim.number.chars().take(40).collect();
        if version == 1 { format!("ICN{number}") } else { format!("ICN{number}-{version}") }
    }

    pub(crate) const fn sign(&self) -> i64 {
        if self.is_reversal { -1 } else { 1 }
    }

    /// What the lines were charged (CLP03), in cents.
    #[must_use]
    pub fn charge(&self) -> i64 {
        self.sign() * self.claim.charge()
    }

    /// What is paid (CLP04), in cents: the charge less the adjustments.
    #[must_use]
    pub fn paid(&self) -> i64 {
        let adjusted: i64 = self.adjustments().map(|one| one.amount).sum();
        self.sign() * (self.claim.charge() - adjusted)
    }

    /// The sum of the adjustments of a kind, in cents.
    #[must_use]
    pub fn sum(&self, kind: Kind) -> i64 {
        let amounts = self.adjustments().filter(|one| one.kind == kind).map(|one| one.amount);
        self.sign() * amounts.sum::<i64>()
    }

    pub(crate) fn adjustments(&self) -> impl Iterator<Item = &Adjustment<'a>> {
        self.lines.iter().flatten()
    }
}

fn adjust(charge: i64, at: usize, verdict: Verdict<'_>) -> Vec<Adjustment<'_>> {
    let fifth = Adjustment { kind: Kind::Contractual, group: "CO", carc: "45", remark: None, amount: charge / 5 };
    let mut adjustments = match verdict {
        Verdict::Paid => {
            let carc = match at % 3 {
                0 => "1",
                1 => "2",
                _ => "3",
            };
            vec![fifth, Adjustment { kind: Kind::Share, group: "PR", carc, remark: None, amount: charge / 10 }]
        }
        Verdict::Denied(codes) => vec![denial(codes, charge)],
        Verdict::RestDenied(codes) => vec![fifth, denial(codes, charge - charge / 5)],
        Verdict::HalfDenied(codes) => vec![fifth, denial(codes, (charge - charge / 5 + 1) / 2)],
    };
    adjustments.retain(|one| one.amount > 0);
    adjustments
}

fn denial(codes: &Codes, amount: i64) -> Adjustment<'_> {
    let Codes { group, carc, remark } = codes;
    Adjustment { kind: Kind::Denied, group, carc, remark: remark.as_deref(), amount }
}
