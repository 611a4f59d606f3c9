//! Which claims can share a case: those of one patient and one payer.

use crate::base::id::{ClaimId, PracticeId};
use crate::base::sealed::{KeyVersion, SealedPlace};
use crate::plan::claims::{OpenedIdentity, same_name, same_patient};
use crate::request::error::RequestError;
use crate::request::open::Open;
use alloc::string::String;
use serde::Deserialize;

/// The facts of a claim for the comparison.
#[derive(Clone, Debug, Deserialize)]
pub struct Side {
    pub id: ClaimId,
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// The key of the sealed patient and its tag.
    pub key_version: KeyVersion,
    /// The patient's tag. Only tags under the same key can be compared.
    pub patient_tag: String,
    /// Its sealed patient, present at least for the first claim under each key.
    pub sealed: Option<String>,
}

/// The first of several claims of one practice with another patient or payer than those before it. Patients are
/// compared by their tags. Tags under different keys, as before a re-seal, cannot be compared, so one claim of each key
/// is opened.
///
/// # Errors
///
/// Those of [`Open::open`].
pub fn misfit(practice: PracticeId, claims: &[Side], keys: &impl Open) -> Result<Option<usize>, RequestError> {
    let Some(first) = claims.first() else {
        return Ok(None);
    };
    let patient = |side: &Side| {
        let place = SealedPlace::Claim { practice, id: side.id };
        let sealed = side.sealed.as_deref().ok_or(RequestError::KeyUnavailable)?;
        let opened: OpenedIdentity = keys.open_json(place, side.key_version, sealed)?;
        Ok::<_, RequestError>(opened.patient)
    };
    for (n, other) in claims.iter().enumerate().skip(1) {
        let mut before = claims.iter().take(n);
        let same = match before.find(|side| side.key_version == other.key_version) {
            Some(side) => side.patient_tag == other.patient_tag,
            None => {
                let [one, another] = [first, other].map(patient);
                same_patient(&one?, &another?)
            }
        };
        if !same || !same_name(&first.payer_name, &other.payer_name) {
            return Ok(Some(n));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use alloc::format;
    use alloc::vec::Vec;
    use uuid::Uuid;

    const PRACTICE: PracticeId = PracticeId(Uuid::nil());

    fn locked(_: SealedPlace, _: KeyVersion, _: &str) -> Result<Vec<u8>, RequestError> {
        Err(RequestError::KeyUnavailable)
    }

    /// A claim under a key. Its tag is the sealed patient.
    fn side(key: i64, first_name: &str, payer_name: &str) -> Side {
        let sealed =
            format!(r#"{{"patient":{{"first_name":"{first_name}","last_name":"Doe","date_of_birth":"1980-02-29"}}}}"#);
        Side {
            id: ClaimId(Uuid::nil()),
            payer_name: payer_name.into(),
            key_version: KeyVersion(key),
            patient_tag: format!("{key} {}", first_name.to_lowercase()),
            sealed: Some(sealed),
        }
    }

    fn misfit_of(sides: &[Side]) -> Result<Option<usize>, RequestError> {
        let opened = |_: SealedPlace, _: KeyVersion, sealed: &str| Ok(sealed.as_bytes().to_vec());
        misfit(PRACTICE, sides, &opened)
    }

    fn unsealed(side: Side) -> Side {
        Side { sealed: None, ..side }
    }

    #[test]
    fn claims_under_one_key_are_compared_without_opening_any() {
        let jane = side(1, "Jane", "Acme Health");
        let same = unsealed(side(1, "JANE", "ACME  health "));
        let closed = |sides: &[Side]| misfit(PRACTICE, sides, &locked);
        assert_eq!(closed(&[]), Ok(None));
        assert_eq!(closed(&[jane.clone(), same.clone()]), Ok(None));
        for other in [side(1, "Joan", "Acme Health"), side(1, "Jane", "Acme")] {
            assert_eq!(closed(&[jane.clone(), same.clone(), other]), Ok(Some(2)));
        }
    }

    #[test]
    fn claims_under_several_keys_fit_as_those_under_one() {
        let jane = side(1, "Jane", "Acme Health");
        let newer = side(2, "jane", "Acme Health");
        let like_newer = unsealed(newer.clone());
        let joan = side(2, "Joan", "Acme Health");
        let all = [jane.clone(), newer.clone(), like_newer.clone()];
        assert_eq!(misfit_of(&all), Ok(None));
        assert_eq!(misfit_of(&[jane.clone(), joan.clone()]), Ok(Some(1)));
        let late = [jane.clone(), newer.clone(), unsealed(joan)];
        assert_eq!(misfit_of(&late), Ok(Some(2)));
        let elsewhere = [jane.clone(), side(2, "Jane", "Acme")];
        assert_eq!(misfit_of(&elsewhere), Ok(Some(1)));
        let lost = misfit(PRACTICE, &[jane.clone(), newer], &locked);
        assert_eq!(lost, Err(RequestError::KeyUnavailable));
        assert_eq!(misfit_of(&[jane, like_newer]), Err(RequestError::KeyUnavailable));
    }
}
