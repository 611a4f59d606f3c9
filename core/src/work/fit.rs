//! Which claims can share a case: those of one patient and one payer.

use crate::plan::claims::same_name;
use alloc::string::String;
use serde::Deserialize;

/// The facts of a claim for the comparison.
#[derive(Clone, Debug, Deserialize)]
pub struct Side {
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// The patient's tag.
    pub patient_tag: String,
}

/// The first of several claims of one practice with another patient or payer than the first one.
#[must_use]
pub fn misfit(claims: &[Side]) -> Option<usize> {
    let first = claims.first()?;
    let fits = |other: &Side| other.patient_tag == first.patient_tag && same_name(&first.payer_name, &other.payer_name);
    claims.iter().position(|other| !fits(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    fn side(patient_tag: &str, payer_name: &str) -> Side {
        Side { payer_name: payer_name.into(), patient_tag: patient_tag.into() }
    }

    #[test]
    fn claims_of_one_patient_and_payer_fit() {
        let jane = side("jane", "Acme Health");
        let same = side("jane", "ACME  health ");
        assert_eq!(misfit(&[]), None);
        assert_eq!(misfit(&[jane.clone(), same.clone()]), None);
        for other in [side("joan", "Acme Health"), side("jane", "Acme")] {
            assert_eq!(misfit(&[jane.clone(), same.clone(), other]), Some(2));
        }
    }
}
