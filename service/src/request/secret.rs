//! Opaque secrets, each for one purpose. They are handed out as text and stored as a hash.
//!
//! ```text
//! ovs_ <43 characters of base64url: 256 bits>
//! ```
//!
//! Of the bits, the last 16 name the cell that made it, and the others are random. The prefix shows the purpose to readers and to the type: a mailed link can never be used as a session. Unlike
//! [`overturn_core::base::token`] there is no checksum, because people do not type or copy these secrets.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use overturn_core::base::cell::Cell;
use sha2::{Digest, Sha256};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use subtle::ConstantTimeEq;

pub trait SecretPurpose {
    /// The prefix of its text.
    const PREFIX: &'static str;
    /// The name of its type, for `Debug`.
    const NAME: &'static str;
}

macro_rules! purposes {
    ($($(#[$doc:meta])* $alias:ident = $name:ident, $prefix:literal)+) => {$(
        $(#[$doc])*
        pub type $alias = Secret<$name>;

        #[doc = concat!("The purpose of a [`", stringify!($alias), "`].")]
        pub enum $name {}

        impl SecretPurpose for $name {
            const PREFIX: &'static str = $prefix;
            const NAME: &'static str = stringify!($alias);
        }
    )+};
}

purposes! {
    /// The session cookie: `ovs_…`. Its holder is signed in.
    SessionToken = Session, "ovs_"
    /// Continues a sign-in between the password and the second factor: `ovc_…`.
    ContinuationToken = Continuation, "ovc_"
    /// The token of a mailed link, to be used once: `ovl_…`.
    LinkToken = Link, "ovl_"
    /// The token of a signing link: `ovp_…`.
    SigningToken = SigningLink, "ovp_"
}

/// The text of a secret. `Debug` does not print it, and `==` takes constant time.
pub struct Secret<P> {
    text: String,
    purpose: PhantomData<P>,
}

/// The text cannot be a secret of this purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text cannot be a secret of this purpose")]
pub struct SecretError;

impl<P: SecretPurpose> Secret<P> {
    /// A new secret from 32 bytes of a cryptographic source, with the stamp of its cell.
    #[must_use]
    pub fn mint(random: [u8; 32]) -> Self {
        let mut text = String::with_capacity(64);
        text.push_str(P::PREFIX);
        BASE64URL_NOPAD.encode_append(&random, &mut text);
        Self::of(text)
    }

    /// The cell that made it.
    #[must_use]
    pub fn cell(&self) -> Cell {
        let body = self.text.strip_prefix(P::PREFIX).unwrap_or_default();
        Cell::of(&BASE64URL_NOPAD.decode(body.as_bytes()).unwrap_or_default())
    }

    /// How it is found: by its hash, in the cell that made it or where that cell leads.
    #[must_use]
    pub fn handed_out(&self) -> (String, Cell) {
        (self.hash(), self.cell())
    }

    /// The secret itself, for its one holder.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the text in hexadecimal: the form that is stored and looked up. The secret has 240 random bits, so a
    /// slow hash would add no protection.
    #[must_use]
    pub fn hash(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.text.as_bytes()))
    }

    const fn of(text: String) -> Self {
        Self { text, purpose: PhantomData }
    }
}

impl<P: SecretPurpose> FromStr for Secret<P> {
    type Err = SecretError;

    /// Parses exactly the form of [`Secret::mint`], so each secret has only one text.
    fn from_str(text: &str) -> Result<Self, SecretError> {
        let body = text.strip_prefix(P::PREFIX).ok_or(SecretError)?;
        match BASE64URL_NOPAD.decode(body.as_bytes()) {
            Ok(random) if random.len() == 32 => Ok(Self::of(text.into())),
            Ok(_) | Err(_) => Err(SecretError),
        }
    }
}

// Implemented by hand, because derived ones would add bounds on the purpose.
impl<P> Clone for Secret<P> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), purpose: PhantomData }
    }
}

impl<P> PartialEq for Secret<P> {
    fn eq(&self, other: &Self) -> bool {
        self.text.as_bytes().ct_eq(other.text.as_bytes()).into()
    }
}

impl<P> Eq for Secret<P> {}

impl<P: SecretPurpose> fmt::Debug for Secret<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}…)", P::NAME, P::PREFIX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_of_a_secret_is_pinned() {
        let token = SessionToken::mint([7; 32]);
        assert_eq!(token.expose(), "ovs_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc");
        assert_eq!(token.hash(), "26f24398943577046df6555809f552de0f1ab933e65eea3371983d41df6da6c0");
        assert_eq!(format!("{token:?}"), "SessionToken(ovs_…)");
        let other = ContinuationToken::mint([7; 32]);
        assert_eq!(format!("{other:?}"), "ContinuationToken(ovc_…)");
        assert_eq!(format!("{:?}", LinkToken::mint([7; 32])), "LinkToken(ovl_…)");
    }

    #[test]
    fn a_secret_of_one_purpose_is_invalid_for_another() {
        let link = LinkToken::mint([7; 32]);
        assert_eq!(link.expose().parse::<SessionToken>(), Err(SecretError));
        assert_eq!(link.expose().parse::<ContinuationToken>(), Err(SecretError));
        assert_eq!(link.expose().parse::<LinkToken>(), Ok(link));
    }

    #[test]
    fn another_encoding_of_the_same_bytes_is_not_a_secret() {
        let text = SessionToken::mint([0; 32]);
        let text = text.expose();
        for other in [
            format!("{text}="),
            format!(" {text}"),
            format!("{text}\n"),
            format!("{}B", text.get(..text.len() - 1).unwrap()),
            format!("{text}AAAA"),
            text.get(..text.len() - 1).unwrap().into(),
            text.to_uppercase(),
            String::new(),
        ] {
            assert_eq!(other.parse::<SessionToken>(), Err(SecretError), "{other:?}");
        }
    }

    proptest! {
        #![proptest_config(overturn_core::testing::config())]
        #[test]
        fn a_secret_reads_back_and_equals_no_other(random in any::<[u8; 32]>(), other in any::<[u8; 32]>()) {
            let token = LinkToken::mint(random);
            prop_assert_eq!(token.expose().len(), 47);
            prop_assert_eq!(token.cell(), Cell::of(&random));
            prop_assert_eq!(token.expose().parse::<LinkToken>(), Ok(token.clone()));
            prop_assert_eq!(token == LinkToken::mint(other), random == other);
            prop_assert_eq!(token.hash() == LinkToken::mint(other).hash(), random == other);
        }

        #[test]
        fn a_text_is_a_secret_only_if_it_is_the_text_of_one(text in "(ov[scl]_)?[A-Za-z0-9_-]{42,44}|\\PC{0,60}") {
            if let Ok(token) = text.parse::<SessionToken>() {
                prop_assert_eq!(token.expose(), text);
            }
        }
    }
}
