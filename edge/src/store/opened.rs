//! Claims that are opened, so that a resend can fill in what is sealed.

use super::rows::{self, BadRow};
use crate::keyring::Keyring;
use overturn_core::denied::Denied;
use overturn_core::id::PracticeId;
use overturn_core::intake::{ClaimToOpen, OpenedClaim};

/// The claims of `sql::fills::HELD`, opened.
///
/// # Errors
///
/// [`BadRow`], or [`Denied::KeyUnavailable`] for one that no key of the keyring opens.
pub fn open(
    json: Option<&str>,
    practice: PracticeId,
    keys: &Keyring,
) -> Result<Vec<OpenedClaim>, Refused> {
    let claims: Vec<ClaimToOpen> = rows::one(json)?.unwrap_or_default();
    let opened = claims.into_iter().map(|claim| {
        let key = keys.sealing(claim.key_version);
        let secret = key.and_then(|key| key.open([practice.0, claim.id.0], &claim.sealed).ok());
        let secret = secret.ok_or(Denied::KeyUnavailable)?;
        Ok(OpenedClaim::new(claim, &secret)?)
    });
    opened.collect()
}

/// Why claims were not opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// A row of another form.
    Row(BadRow),
    /// A rule.
    Denied(Denied),
}

impl From<BadRow> for Refused {
    fn from(row: BadRow) -> Self {
        Self::Row(row)
    }
}

impl From<Denied> for Refused {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}
