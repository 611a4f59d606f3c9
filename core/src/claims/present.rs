//! The optional parts that a claim has.

use super::claim::{Item, Patient};
use crate::base::names::names;
use alloc::vec::Vec;
use core::ops::BitOr;
use serde::{Deserialize, Serialize};

names! {
    /// An optional part of a claim that a later send may fill in. The procedure code is not among them: it decides
    /// whether a resend is for the same claim, and never changes.
    Part {
        /// `claim.denial_date`.
        DenialDate = "denial_date",
        /// `claim.plan_type`.
        PlanType = "plan_type",
        /// `claim.denial_codes`.
        DenialCodes = "denial_codes",
        /// `claim.denial_reason`.
        DenialReason = "denial_reason",
        /// `claim.diagnosis_codes`.
        DiagnosisCodes = "diagnosis_codes",
        /// `patient.account_number`.
        AccountNumber = "account_number",
        /// `patient.member_id`.
        MemberId = "member_id",
    }
}

impl Part {
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of parts. The stored form is a number with one bit for each part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Present(u16);

impl Present {
    /// The parts that an item has.
    #[must_use]
    pub fn of(item: &Item<'_>) -> Self {
        let claim = &item.claim;
        let Patient { account_number, member_id, .. } = &item.patient;
        let has = |part| match part {
            Part::DenialDate => claim.denial_date.is_some(),
            Part::PlanType => claim.plan_type.is_some(),
            Part::DenialCodes => !claim.denial_codes.is_empty(),
            Part::DenialReason => claim.denial_reason.is_some(),
            Part::DiagnosisCodes => !claim.diagnosis_codes.is_empty(),
            Part::AccountNumber => account_number.is_some(),
            Part::MemberId => member_id.is_some(),
        };
        Part::ALL.into_iter().filter(|part| has(*part)).collect()
    }

    /// The parts of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The number that is stored.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set has this part.
    #[must_use]
    pub const fn has(self, part: Part) -> bool {
        self.0 & part.bit() != 0
    }

    /// The parts, in the order of [`Part::ALL`].
    pub fn parts(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.has(*part))
    }

    /// The names of the parts.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        self.parts().map(Part::name).collect()
    }
}

impl FromIterator<Part> for Present {
    fn from_iter<T: IntoIterator<Item = Part>>(parts: T) -> Self {
        Self(parts.into_iter().fold(0, |bits, part| bits | part.bit()))
    }
}

impl BitOr for Present {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::date::Date;
    use crate::claims::claim::PlanType;
    use crate::testing::item;

    #[test]
    fn each_part_has_a_bit_of_its_own_that_never_changes() {
        let bits = Part::ALL.map(|part| Present::from_iter([part]).bits());
        assert_eq!(bits, [1, 2, 4, 8, 16, 32, 64]);
    }

    #[test]
    fn an_item_has_the_parts_that_were_sent() {
        let mut sent = item();
        assert_eq!(Present::of(&sent).names(), ["denial_codes", "member_id"]);
        sent.claim.denial_codes.clear();
        sent.patient.member_id = None;
        assert!(Present::of(&sent).is_empty());
        sent.claim.denial_date = Date::parse("2026-01-05");
        sent.claim.plan_type = Some(PlanType::Erisa);
        sent.claim.denial_reason = Some("r".into());
        sent.claim.diagnosis_codes = ["J10.1".into()].to_vec();
        sent.patient.account_number = Some("a".into());
        let all = Present::of(&sent) | Present::of(&item());
        assert_eq!(all.names(), Part::ALL.map(Part::name));
        let missing = Present::of(&sent).without(Present::of(&item()));
        assert_eq!(missing.parts().count(), 5);
        assert!(missing.has(Part::PlanType) && !missing.has(Part::MemberId));
    }
}
