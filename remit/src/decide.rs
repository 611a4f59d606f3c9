//! Decides what a claim payment is: a denial with its amount, a reversal, or something that is not written.

use crate::amount::Amount;
use crate::carc::{CarcClasses, Class};
use crate::code::Code;
use crate::reasons::{Hold, Skip};
use crate::remittance::{Adjustment, ClaimPayment, Level};

/// What a claim payment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Nothing to write.
    Skip(Skip),
    /// It takes away an earlier adjudication.
    Reversal,
    /// The amount was denied.
    Denial(Amount),
    /// An amount is missing or cannot be read, so the denial must be held.
    Unreadable(Amount),
}

/// Which adjustments count. Some payers state them for the claim and again for its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Used {
    All,
    Claim,
    Lines,
}

impl Used {
    pub(crate) const fn has(self, level: Level) -> bool {
        matches!((self, level), (Self::All, _) | (Self::Claim, Level::Claim) | (Self::Lines, Level::Line(_)))
    }
}

/// The decision on one claim payment, without the others.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    pub(crate) used: Used,
    /// The sums of the used adjustments by class.
    sums: [Amount; CLASSES.len()],
    /// True if the used adjustments are the difference of charge and payment.
    pub(crate) balanced: bool,
    /// The charge, if nothing was paid and there are no adjustments.
    pub(crate) unexplained: Amount,
    /// The amount that is missing or cannot be read.
    pub(crate) flaw: Option<Hold>,
}

/// The classes in the order of [`Decision::sums`], with the reason that an amount of the class is not written.
pub(crate) const CLASSES: [(Class, Skip); 7] = [
    (Class::Duplicate, Skip::Duplicate),
    (Class::Pending, Skip::Pending),
    (Class::PaidElsewhere, Skip::PaidElsewhere),
    (Class::Capitation, Skip::Capitation),
    (Class::PriorPayer, Skip::PriorPayer),
    (Class::PatientShare, Skip::PatientShare),
    (Class::Contractual, Skip::Contractual),
];

impl Decision {
    /// The sum of a class that is not the denials'.
    pub(crate) fn sum(&self, class: Class) -> Amount {
        let found = CLASSES.iter().zip(&self.sums).find(|((one, _), _)| *one == class);
        found.map_or(Amount::ZERO, |(_, sum)| *sum)
    }

    /// The sum of each reason other than a denial.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Skip, Amount)> {
        CLASSES.iter().zip(&self.sums).map(|((_, skip), sum)| (*skip, *sum))
    }
}

/// The class of an adjustment in its claim. Capitation is no reason if the payer does not know the patient (CLP02 is 4).
pub(crate) fn class_of(claim: &ClaimPayment, adjustment: &Adjustment, classes: &CarcClasses) -> Class {
    match classes.of(adjustment.carc) {
        Class::Capitation if claim.status.as_str() == "4" => Class::Denial,
        class => class,
    }
}

/// What an adjustment of a class is counted as. `None` for a denial.
pub(crate) fn skip_of(class: Class) -> Option<Skip> {
    CLASSES.iter().find(|(one, _)| *one == class).map(|(_, skip)| *skip)
}

pub(crate) fn decide(claim: &ClaimPayment, classes: &CarcClasses) -> Decision {
    let target = claim.charge.minus(claim.paid);
    let (used, balanced) = balance(claim, target);
    let mut sums = [Amount::ZERO; CLASSES.len()];
    let mut denied = Amount::ZERO;
    for adjustment in claim.adjustments.iter().filter(|one| used.has(one.level)) {
        let class = class_of(claim, adjustment, classes);
        let place = CLASSES.iter().zip(&mut sums).find(|((one, _), _)| *one == class);
        place.map_or(&mut denied, |(_, sum)| sum).add(adjustment.amount);
    }
    let flaw = flaw(claim, balanced);
    let silent = claim.adjustments.is_empty() && !claim.paid.is_positive() && claim.charge.is_positive();
    let verdict = match claim.status.as_str() {
        "22" => Verdict::Reversal,
        "23" => Verdict::Skip(Skip::Forwarded),
        "25" => Verdict::Skip(Skip::Predetermination),
        "5" | "10" | "11" | "13" | "15" | "16" | "17" | "27" => Verdict::Skip(Skip::Pending),
        _ if flaw.is_some() => Verdict::Unreadable(denied),
        _ if silent => Verdict::Denial(claim.charge),
        _ if !denied.is_positive() => Verdict::Skip(reason(claim, used, classes)),
        _ if is_unprocessable(claim, used, classes) => Verdict::Skip(Skip::Unprocessable),
        _ if balanced => Verdict::Denial(denied),
        _ if target.is_positive() => Verdict::Denial(denied.min(target)),
        _ => Verdict::Skip(Skip::Paid),
    };
    let whole = silent && verdict == Verdict::Denial(claim.charge);
    Decision { verdict, used, sums, balanced, unexplained: if whole { claim.charge } else { Amount::ZERO }, flaw }
}

/// The amount without which nothing can be said. X12 requires the charge, the payment and the amount of an adjustment, so an
/// empty one is not zero.
fn flaw(claim: &ClaimPayment, balanced: bool) -> Option<Hold> {
    match claim {
        _ if claim.unreadable => Some(Hold::Amount),
        _ if claim.lacks_charge => Some(Hold::NoCharge),
        _ if claim.lacks_payment => Some(Hold::NoPayment),
        _ if claim.lacks_adjustment && !balanced => Some(Hold::Amount),
        _ => None,
    }
}

/// The adjustments that explain the difference of charge and payment: all of them, else one level alone.
fn balance(claim: &ClaimPayment, target: Amount) -> (Used, bool) {
    let is_claim = |level| level == Level::Claim;
    let both = [true, false].map(|wanted| claim.adjustments.iter().any(|one| is_claim(one.level) == wanted));
    if claim.sum(|_| true) == target {
        (Used::All, true)
    } else if both == [true, true] && claim.sum(|level| !is_claim(level)) == target {
        (Used::Lines, true)
    } else if both == [true, true] && claim.sum(is_claim) == target {
        (Used::Claim, true)
    } else {
        (Used::All, false)
    }
}

/// Why a claim payment without a denial is not written.
fn reason(claim: &ClaimPayment, used: Used, classes: &CarcClasses) -> Skip {
    if claim.paid.is_positive() {
        return Skip::Paid;
    }
    let mut adjustments = claim.adjustments.iter().filter(|one| used.has(one.level)).peekable();
    let is_45 = |one: &Adjustment| one.carc == Code::new(b"45") && one.group == Code::new(b"CO");
    if adjustments.peek().is_some() && adjustments.all(is_45) && claim.sum(|level| used.has(level)) == claim.charge {
        return Skip::ContractualWhole;
    }
    let has = |class: Class| {
        let mut used = claim.adjustments.iter().filter(|one| used.has(one.level));
        used.any(|one| class_of(claim, one, classes) == class)
    };
    let found = CLASSES.iter().find(|(class, _)| has(*class));
    found.map_or(Skip::NothingDenied, |(_, skip)| *skip)
}

/// MA130, where the only denial CARC is 16.
fn is_unprocessable(claim: &ClaimPayment, used: Used, classes: &CarcClasses) -> bool {
    let mut denials = denials(claim, used, classes);
    claim.remarks.iter().any(|(_, code)| *code == Code::new(b"MA130"))
        && denials.all(|one| one.carc == Code::new(b"16"))
}

/// The denial adjustments that count, claim before lines.
pub(crate) fn denials<'a>(
    claim: &'a ClaimPayment,
    used: Used,
    classes: &'a CarcClasses,
) -> impl Iterator<Item = &'a Adjustment> {
    claim.adjustments.iter().filter(move |one| {
        used.has(one.level) && one.amount != Amount::ZERO && class_of(claim, one, classes) == Class::Denial
    })
}
