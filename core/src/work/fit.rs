//! Which claims can be appealed in one case: those of one patient and one payer.

use crate::claim::Opened;
use crate::denied::Denied;
use crate::id::ClaimId;
use crate::identity::{KeyVersion, same_name, same_patient};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;
use uuid::Uuid;

/// What of a claim tells.
#[derive(Clone, Debug, Deserialize)]
pub struct Side {
    /// The claim.
    pub id: ClaimId,
    /// The insurer as the practice names it.
    pub payer_name: String,
    /// The key its patient is sealed and tagged under.
    pub key_version: KeyVersion,
    /// The patient's tag, which compares with those under the same key.
    pub patient_tag: String,
    /// Its patient, at least where no claim before it has the same key.
    pub sealed: Option<String>,
}

/// The first of several claims of one practice that is not of the same patient and payer as those before it. Patients are
/// compared by their tags; the tags of two keys do not compare, as during a rotation, so one claim of each key is opened. `open`
/// opens what was sealed for a record of the practice, where the key is at hand.
///
/// # Errors
///
/// [`Denied::KeyUnavailable`].
pub fn misfit(
    claims: &[Side],
    open: impl Fn(KeyVersion, Uuid, &str) -> Option<Vec<u8>>,
) -> Result<Option<usize>, Denied> {
    let Some(first) = claims.first() else {
        return Ok(None);
    };
    let patient = |side: &Side| {
        let json = open(side.key_version, side.id.0, side.sealed.as_deref()?)?;
        let opened: Opened = serde_json::from_slice(&json).ok()?;
        Some(opened.patient)
    };
    for (n, other) in claims.iter().enumerate().skip(1) {
        let mut before = claims.iter().take(n);
        let same = match before.find(|side| side.key_version == other.key_version) {
            Some(side) => side.patient_tag == other.patient_tag,
            None => {
                let [one, another] = [first, other].map(patient);
                let one = one.ok_or(Denied::KeyUnavailable)?;
                same_patient(&one, &another.ok_or(Denied::KeyUnavailable)?)
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

    /// A claim that is sealed under a key, whose tag is the patient as it is sealed.
    fn side(key: u32, first_name: &str, payer_name: &str) -> Side {
        let sealed = format!(
            r#"{{"patient":{{"first_name":"{first_name}","last_name":"Doe","date_of_birth":"1980-02-29"}}}}"#
        );
        Side {
            id: ClaimId(Uuid::nil()),
            payer_name: payer_name.into(),
            key_version: KeyVersion(key),
            patient_tag: format!("{key} {}", first_name.to_lowercase()),
            sealed: Some(sealed),
        }
    }

    fn misfit_of(sides: &[Side]) -> Result<Option<usize>, Denied> {
        misfit(sides, |_, _, sealed| Some(sealed.as_bytes().to_vec()))
    }

    fn unsealed(side: Side) -> Side {
        Side {
            sealed: None,
            ..side
        }
    }

    #[test]
    fn claims_under_one_key_are_compared_without_opening_any() {
        let jane = side(1, "Jane", "Acme Health");
        let same = unsealed(side(1, "JANE", "ACME  health "));
        let closed = |sides: &[Side]| misfit(sides, |_, _, _| None);
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
        let lost = misfit(&[jane.clone(), newer], |_, _, _| None);
        assert_eq!(lost, Err(Denied::KeyUnavailable));
        assert_eq!(misfit_of(&[jane, like_newer]), Err(Denied::KeyUnavailable));
    }
}
