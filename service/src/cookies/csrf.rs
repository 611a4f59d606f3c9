//! The token against cross-site requests: the cookie `csrf_token` and the header `X-CSRF-Token` (interface: sessions).
//!
//! It is computed from the session's own secret. So it needs no storage and no rotation, it belongs to one session, and
//! it ends when the session's token changes. A page of another site, or an attacker who can set a cookie for this one,
//! cannot compute it without the session's secret. It reveals nothing about that secret.

use crate::request::secret::SessionToken;
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::mac;
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// A label, so that another use of the session's secret never gives the same bytes.
const PURPOSE: &[u8] = b"overturn csrf v1";

/// The token of a session: 43 characters of base64url, HMAC-SHA256 under the text of the session's token.
pub fn token(session: &SessionToken) -> String {
    let mut mac = Hmac::<Sha256>::new(&mac::block(session.expose().as_bytes()).into());
    mac.update(PURPOSE);
    BASE64URL_NOPAD.encode(mac.finalize().as_bytes())
}

/// True if the presented token is the session's. The comparison takes constant time.
pub(crate) fn matches(session: &SessionToken, presented: &str) -> bool {
    token(session).as_bytes().ct_eq(presented.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_of_a_token_is_pinned() {
        let session = SessionToken::mint([7; 32]);
        assert_eq!(token(&session), "vx56AHZq67KC_tMqdGBBpIs98HEnt1sOhc3GFLW24TQ");
    }

    #[test]
    fn only_the_whole_token_matches() {
        let session = SessionToken::mint([7; 32]);
        let right = token(&session);
        assert!(matches(&session, &right));
        assert!(!matches(&session, ""));
        assert!(!matches(&session, right.get(..42).unwrap()));
        assert!(!matches(&session, &(right.clone() + "=")));
        assert!(!matches(&session, &right.to_lowercase()));
        assert!(!matches(&session, session.expose()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_token_is_good_for_its_own_session_only(one in any::<[u8; 32]>(), other in any::<[u8; 32]>()) {
            let (a, b) = (SessionToken::mint(one), SessionToken::mint(other));
            prop_assert!(matches(&a, &token(&a)));
            prop_assert_eq!(matches(&b, &token(&a)), one == other);
        }
    }
}
