//! Signs bodies by the Standard Webhooks specification.
//!
//! ```text
//! webhook-id:        01a1fc69-…
//! webhook-timestamp: 1772625600
//! webhook-signature: v1,<base64 of HMAC-SHA256 of "id.timestamp.body"> v1,<under another secret>
//! ```

use crate::base::id::MessageId;
use crate::base::instant::Instant;
use crate::base::mac;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The prefix of a secret's text.
const PREFIX: &str = "whsec_";

/// The user agent.
const AGENT: &str = "Overturn-Webhooks/1.0";

/// A signing secret. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

#[cfg(feature = "schema")]
crate::base::described::described! { WebhookSecret = { "type": "string", "pattern": "^whsec_[0-9A-Za-z+/]{43}=$" } }

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret")
    }
}

impl WebhookSecret {
    /// A secret from 32 bytes of a cryptographic source.
    #[must_use]
    pub const fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// The secret from stored bytes, `None` if they are not 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The secret of its text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(&BASE64.decode(text.strip_prefix(PREFIX)?.as_bytes()).ok()?)
    }

    /// The bytes, to be sealed.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The text for the receiver: `whsec_…`.
    #[must_use]
    pub fn expose(&self) -> String {
        let mut text = String::from(PREFIX);
        BASE64.encode_append(&self.0, &mut text);
        text
    }
}

/// The `webhook-signature` of a body that is sent at an instant, under each of the secrets.
#[must_use]
pub fn signatures(secrets: &[WebhookSecret], id: MessageId, at: Instant, body: &str) -> String {
    let id = format!("{id}");
    let each = secrets.iter();
    let each = each.map(|secret| sign(&secret.0, &id, seconds(at), body));
    each.collect::<Vec<_>>().join(" ")
}

/// `webhook-timestamp`: whole seconds since 1970.
#[must_use]
pub const fn seconds(at: Instant) -> i64 {
    at.0.div_euclid(1000)
}

/// The headers of an attempt.
#[must_use]
pub fn headers(id: MessageId, at: Instant, signatures: String) -> [(&'static str, String); 5] {
    [
        ("content-type", "application/json".into()),
        ("user-agent", AGENT.into()),
        ("webhook-id", format!("{id}")),
        ("webhook-timestamp", format!("{}", seconds(at))),
        ("webhook-signature", signatures),
    ]
}

fn sign(key: &[u8], id: &str, timestamp: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new(&mac::block(key).into());
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body.as_bytes());
    let mut text = String::from("v1,");
    BASE64.encode_append(&mac.finalize().into_bytes(), &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    /// The test vector of the Standard Webhooks reference libraries.
    #[test]
    fn the_published_vector_is_signed_as_published() {
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = sign(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_secret_signs_and_the_newest_comes_first() {
        let secrets = [WebhookSecret::new([1; 32]), WebhookSecret::new([2; 32])];
        let id = MessageId(Uuid::from_u128(1));
        let at = Instant(1_772_625_600_999);
        let both = signatures(&secrets, id, at, "{}");
        let [one, two] = [&secrets[..1], &secrets[1..]].map(|one| signatures(one, id, at, "{}"));
        assert_eq!(both, format!("{one} {two}"));
        assert_ne!(one, two);
        assert_eq!(signatures(&secrets, id, Instant(1_772_625_600_000), "{}"), both);
        assert_ne!(signatures(&secrets, id, Instant(1_772_625_601_000), "{}"), both);
    }

    #[test]
    fn a_secret_is_shown_as_the_standard_has_it_and_never_by_accident() {
        let secret = WebhookSecret::new([7; 32]);
        assert_eq!(secret.expose(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(format!("{secret:?}"), "WebhookSecret");
        assert_eq!(WebhookSecret::parse(&secret.expose()), Some(secret.clone()));
        assert_eq!(WebhookSecret::parse("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="), None);
        assert_eq!(WebhookSecret::from_bytes(secret.as_bytes()), Some(secret));
        assert_eq!(WebhookSecret::from_bytes(&[7; 31]), None);
    }
}
