//! Whether claims can be appealed in one case: of one patient and one payer.

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
    /// The key its patient is sealed under.
    pub key_version: KeyVersion,
    /// Its patient.
    pub sealed: String,
}

/// Whether claims of one practice are all of one patient and one payer. They are opened and compared, because claims that are
/// sealed under different keys, as during a rotation, have fingerprints that do not compare. `open` opens what was sealed for
/// a record of the practice, where the key is at hand.
///
/// # Errors
///
/// [`Denied::KeyUnavailable`].
pub fn fit(
    claims: &[Side],
    open: impl Fn(KeyVersion, Uuid, &str) -> Option<Vec<u8>>,
) -> Result<bool, Denied> {
    let Some((first, others)) = claims.split_first() else {
        return Ok(true);
    };
    let patient = |side: &Side| {
        let json = open(side.key_version, side.id.0, &side.sealed)?;
        let opened: Opened = serde_json::from_slice(&json).ok()?;
        Some(opened.patient)
    };
    let of_first = patient(first).ok_or(Denied::KeyUnavailable)?;
    for other in others {
        let theirs = patient(other).ok_or(Denied::KeyUnavailable)?;
        if !same_patient(&of_first, &theirs) || !same_name(&first.payer_name, &other.payer_name) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use alloc::format;

    fn side(first_name: &str, born: &str, payer_name: &str) -> Side {
        Side {
            id: ClaimId(Uuid::nil()),
            payer_name: payer_name.into(),
            key_version: KeyVersion(1),
            sealed: format!(
                r#"{{"patient":{{"first_name":"{first_name}","last_name":"Doe","date_of_birth":"{born}"}}}}"#
            ),
        }
    }

    fn fits(sides: &[Side]) -> Result<bool, Denied> {
        fit(sides, |_, _, sealed| Some(sealed.as_bytes().to_vec()))
    }

    #[test]
    fn one_patient_and_one_payer_fit_however_they_are_spelt() {
        let jane = side("Jane", "1980-02-29", "Acme Health");
        let same = side(" JANE ", "1980-02-29", "ACME  health ");
        assert_eq!(fits(&[jane.clone(), same]), Ok(true));
        for other in [
            side("Joan", "1980-02-29", "Acme Health"),
            side("Jane", "1980-02-28", "Acme Health"),
            side("Jane", "1980-02-29", "Acme"),
        ] {
            assert_eq!(fits(&[jane.clone(), jane.clone(), other]), Ok(false));
        }
        assert_eq!(fit(&[jane], |_, _, _| None), Err(Denied::KeyUnavailable));
    }
}
