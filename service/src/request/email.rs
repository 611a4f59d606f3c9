//! Email addresses, which identify accounts and receive mail.
//!
//! An address is accepted if mail can be sent to it and if it cannot be split into two addresses or headers. The part
//! before the `@` may have non-ASCII letters (RFC 6531). The domain may not: write it in its `xn--` form, which mail
//! servers look up.

use crate::request::domain::is_domain;
use overturn_core::base::text::{fold, is_printable};
use overturn_core::request::body::Text;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
use std::fmt;

/// Longest address, in bytes (RFC 5321 with erratum 1690).
pub const MAX: usize = 254;
/// Longest part before the `@`, in bytes (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL: usize = 64;

/// An address of the form `local@domain`. It is not printed by `Debug`.
///
/// There is no `==`: addresses are compared by [`EmailAddress::key`].
#[derive(Clone)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Reads the field of a request.
    pub fn read(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Self> {
        let text = field::required(p, name, value, MAX)?;
        let address = Self::parse(&text);
        if address.is_none() {
            p.add(name, Rule::MustBe("an e-mail address".into()));
        }
        address
    }

    /// Parses an address; white space around it is dropped. `None` if mail could not arrive there.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (local, domain) = text.split_once('@')?;
        (text.len() <= MAX && is_local(local) && is_host(domain)).then(|| Self(text.into()))
    }

    /// The address as typed, which mail is sent to.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form for comparison and lookup: NFKC, case folded. Equal keys are one account, and addresses that only look
    /// alike have different keys.
    #[must_use]
    pub fn key(&self) -> String {
        fold(&self.0)
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress(…)")
    }
}

/// Words with single dots between them. Quoted forms, which may hold anything, are refused.
fn is_local(text: &str) -> bool {
    text.len() <= MAX_LOCAL && text.split('.').all(|word| !word.is_empty() && word.chars().all(is_atom))
}

/// The characters of a word: `atext` of RFC 5322, and visible ones outside ASCII.
fn is_atom(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)
    } else {
        is_printable(c) && !c.is_whitespace() && stays_beyond_ascii(c)
    }
}

/// True if the key of a non-ASCII character stays outside ASCII. It does not for a full-width or Kelvin `K`, whose key
/// would equal another person's address, nor for characters with a space or a comma in NFKC.
fn stays_beyond_ascii(c: char) -> bool {
    !fold(c.encode_utf8(&mut [0; 4])).bytes().any(|byte| byte.is_ascii())
}

/// A domain, or `localhost` for development.
fn is_host(text: &str) -> bool {
    is_domain(text) || text.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests;
