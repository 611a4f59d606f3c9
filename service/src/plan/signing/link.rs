//! The link to the signing page.
//!
//! The practice gets it from the status read and shows it to the patient. So its token is stored in two forms: as a
//! hash, which the page searches by, and sealed, so that every status read can show it again.

use crate::request::secret::SigningToken;
use overturn_core::base::id::SigningLinkId;
use overturn_core::base::instant::Instant;
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::base::time::Time;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many wrong dates of birth are allowed. After that the link no longer works.
pub const TRIES_MAX: i64 = 5;

/// The newest link of a claim that is neither revoked nor used, as a status read loads it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredSigningLink {
    pub id: SigningLinkId,
    /// The key that seals its token.
    pub key_version: KeyVersion,
    /// The sealed token.
    pub sealed: String,
    pub expires_at: Instant,
    /// How many wrong dates of birth were tried.
    pub tries: i64,
    /// The hash of its token.
    pub hash: String,
    /// The newest data key of its practice.
    pub data_key: Option<StoredDataKey>,
}

impl fmt::Debug for StoredSigningLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredSigningLink({})", self.id)
    }
}

impl StoredSigningLink {
    /// True if a patient can still sign with it.
    #[must_use]
    pub fn holds(&self, now: Instant) -> bool {
        holds(self.expires_at, self.tries, now)
    }

    /// How many wrong dates of birth are left before it stops working.
    #[must_use]
    pub const fn tries_left(&self) -> i64 {
        TRIES_MAX.saturating_sub(self.tries)
    }

    /// Its token.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]. Anything but the token that the link is found by is [`Unopened::Tampered`].
    pub fn token(&self, place: SealedPlace, keys: &impl Open) -> Result<SigningToken, Unopened> {
        let text = keys.open_text(place, self.key_version, &self.sealed)?;
        let token: Option<SigningToken> = text.parse().ok();
        let own = token.filter(|token| token.hash() == self.hash);
        own.ok_or_else(|| keys.tampered(place))
    }
}

fn holds(expires_at: Instant, tries: i64, now: Instant) -> bool {
    now < expires_at && tries < TRIES_MAX
}

/// The newest link of a claim that is neither revoked nor used, without its token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct KeptLink {
    pub created_at: Time,
    pub expires_at: Time,
    /// How many wrong dates of birth were tried.
    pub tries: i64,
}

/// A link with which the patient can sign now.
// Staff never see its token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PatientLink"))]
pub struct LinkView {
    created_at: Time,
    expires_at: Time,
    /// How many more wrong dates of birth the link accepts.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1, "maximum" = TRIES_MAX)))]
    tries_left: i64,
}

impl KeptLink {
    /// As staff see it, `None` if a patient can no longer sign with it.
    #[must_use]
    pub fn view(self, now: Instant) -> Option<LinkView> {
        holds(self.expires_at.0, self.tries, now).then_some(LinkView {
            created_at: self.created_at,
            expires_at: self.expires_at,
            tries_left: TRIES_MAX.saturating_sub(self.tries),
        })
    }

    /// When it stops working, `None` if it already has.
    #[must_use]
    pub fn works_until(self, now: Instant) -> Option<Time> {
        self.view(now).map(|link| link.expires_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_core::base::id::{ClaimId, PracticeId};
    use serde_json::json;

    #[test]
    fn only_the_token_that_a_link_is_found_by_is_its_token() {
        let [own, other] = [1, 2].map(|n| SigningToken::mint([n; 32]));
        let id = SigningLinkId(uuid::Uuid::from_u128(3));
        let link = StoredSigningLink {
            id,
            key_version: KeyVersion(1),
            sealed: String::new(),
            expires_at: Instant(0),
            tries: 0,
            hash: own.hash(),
            data_key: None,
        };
        let place = SealedPlace::SigningLink {
            practice: PracticeId(uuid::Uuid::from_u128(1)),
            claim: ClaimId(uuid::Uuid::from_u128(2)),
            id,
        };
        let opened = |text: &[u8]| {
            let text = text.to_vec();
            let token = link.token(place, &move |_: SealedPlace, _: KeyVersion, _: &str| Ok(text.clone()));
            token.map(|token| String::from(token.expose()))
        };
        assert_eq!(opened(own.expose().as_bytes()), Ok(own.expose().into()));
        let patient = br#"{"patient":{"first_name":"Jane"}}"#;
        for wrong in [other.expose().as_bytes(), patient, b"", b"\xff"] {
            assert_eq!(opened(wrong), Err(Unopened::Tampered(place)));
        }
    }

    #[test]
    fn staff_see_a_link_while_it_can_be_signed_by() {
        let now = Instant(1_772_625_600_000);
        let link = |lasts: i64, tries: i64| KeptLink {
            created_at: Time(now.plus(-1000)),
            expires_at: Time(now.plus(lasts)),
            tries,
        };
        for (lasts, tries, left) in [(1, 0, Some(5)), (1, 4, Some(1)), (1, 5, None), (1, 6, None), (0, 0, None)] {
            let view = link(lasts, tries).view(now);
            assert_eq!(view.map(|view| view.tries_left), left, "{lasts} {tries}");
        }
        assert_eq!(
            serde_json::to_value(link(1000, 2).view(now)).unwrap(),
            json!({
                "created_at": "2026-03-04T11:59:59.000Z", "expires_at": "2026-03-04T12:00:01.000Z", "tries_left": 3,
            })
        );
    }
}
