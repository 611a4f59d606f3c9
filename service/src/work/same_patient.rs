//! Which claims can share a case: those of one patient and one payer.

use crate::prelude::*;
use overturn_core::claims::same_name;

/// The facts of a claim for the comparison.
#[derive(Clone, Debug, Deserialize)]
pub struct PatientAndPayer {
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// The patient's tag.
    pub patient_tag: String,
}

/// A claim as [`PatientAndPayer`] reads it.
macro_rules! patient_and_payer {
    ($claim:literal) => {
        concat!("json_object('payer_name', ", $claim, ".payer_name, 'patient_tag', ", $claim, ".patient_tag)")
    };
}
pub(super) use patient_and_payer;

/// The first of several claims of one practice with another patient or payer than the first one.
pub(super) fn first_other(claims: &[PatientAndPayer]) -> Option<usize> {
    let first = claims.first()?;
    let fits = |other: &PatientAndPayer| {
        other.patient_tag == first.patient_tag && same_name(&first.payer_name, &other.payer_name)
    };
    claims.iter().position(|other| !fits(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(patient_tag: &str, payer_name: &str) -> PatientAndPayer {
        PatientAndPayer { payer_name: payer_name.into(), patient_tag: patient_tag.into() }
    }

    #[test]
    fn claims_of_one_patient_and_payer_fit() {
        let jane = side("jane", "Acme Health");
        let same = side("jane", "ACME  health ");
        assert_eq!(first_other(&[]), None);
        assert_eq!(first_other(&[jane.clone(), same.clone()]), None);
        for other in [side("joan", "Acme Health"), side("jane", "Acme")] {
            assert_eq!(first_other(&[jane.clone(), same.clone(), other]), Some(2));
        }
    }
}
