//! Passwords: which may be chosen, how they are stored, and how they are checked.
//!
//! A password must be long and must not be a common one. There are no rules about digits and signs (NIST SP 800-63B of
//! 2017, 5.1.1.2). The stored form is an argon2id hash as a PHC string.

mod common;
mod personal;

use argon2::password_hash::phc::PasswordHash;
use argon2::{ARGON2ID_IDENT, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// The minimum length of a chosen password, in Unicode scalar values.
pub(crate) const LEAST: usize = 12;

/// The memory of one hash. This and the next two values are the minimum of the OWASP Password Storage Cheat Sheet. They
/// fit into an isolate's 128 MB, because it computes one hash at a time.
const MEMORY_KIB: u32 = 19_456;
/// How many times the memory is filled.
const PASSES: u32 = 2;
/// How many threads could fill it in parallel.
const LANES: u32 = 1;
/// Bytes of a hash.
const LENGTH: usize = 32;
/// Bytes of a salt.
const SALT: usize = 16;

/// The most memory, passes and lanes that a stored hash may ask for: the largest values that OWASP names. A row that
/// asks for more is broken, and must not use up the isolate's memory or time.
const MOST: (u32, u32, u32) = (47_104, 5, 1);

/// Checked if there is no stored hash. No password matches it, and it has today's parameters, so that the check takes
/// as long.
const DUMMY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The text of a password in Unicode NFKC, so that two keyboards give the same text. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Password(String);

/// Why a password cannot be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.message())]
pub enum PasswordError {
    /// It has fewer than 12 characters.
    TooShort,
    /// It is on the list of common ones.
    Common,
    /// It is mostly the person's address, their name, their practice's name or the service's name.
    Personal,
}

impl PasswordError {
    /// The message, without the name of the field.
    pub const fn message(self) -> &'static str {
        match self {
            Self::TooShort => "must have at least 12 characters",
            Self::Common => "is too common",
            Self::Personal => "must not be made of your address, your name or your practice's name",
        }
    }
}

/// A hash could not be computed, for example for lack of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HashError {
    /// The parameters of the hash cannot be used.
    #[error("the parameters of a password hash cannot be used")]
    Params(#[from] argon2::Error),
    /// The hash itself failed.
    #[error("a password hash could not be made")]
    Hash(#[from] argon2::password_hash::Error),
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// It is correct.
    Right {
        /// The stored hash has other parameters than new ones, so the password should be hashed again now. This
        /// includes stronger parameters: a check must take the same time for every account, and for none.
        outdated: bool,
    },
    /// It is wrong, or the account has none.
    Wrong,
}

impl Password {
    /// A password typed at sign-in. No rule applies, because it may be older than the rules.
    pub fn given(text: &str) -> Self {
        Self(text.nfkc().collect())
    }

    /// A newly chosen password.
    ///
    /// # Errors
    ///
    /// `PasswordError` if it is too short or too common.
    pub fn choose(text: &str) -> Result<Self, PasswordError> {
        let password = Self::given(text);
        if password.0.chars().count() < LEAST {
            return Err(PasswordError::TooShort);
        }
        if common::is_common(&password.0) {
            return Err(PasswordError::Common);
        }
        Ok(password)
    }

    /// Checks that a person with these texts (address, name, practice) may choose the password.
    ///
    /// # Errors
    ///
    /// `PasswordError::Personal` if it has little besides them.
    pub fn suits(&self, texts: &[&str]) -> Result<(), PasswordError> {
        if personal::is_personal(&self.0, texts) {
            return Err(PasswordError::Personal);
        }
        Ok(())
    }

    /// The argon2id hash to store, as a PHC string. The salt is 16 fresh bytes of a cryptographic source.
    ///
    /// # Errors
    ///
    /// `HashError` if 19 MiB of memory are not available.
    pub fn hash(&self, salt: [u8; 16]) -> Result<String, HashError> {
        let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(LENGTH))?;
        let hash = Argon2::from(params).hash_password_with_salt(self.0.as_bytes(), &salt)?;
        Ok(hash.to_string())
    }

    /// Compares the password with a stored hash. A missing hash (no such account, or one without a password) and an
    /// unreadable one take as long, so the time does not reveal whether an account exists.
    ///
    /// Without enough memory, the answer is [`Check::Wrong`].
    pub fn check(&self, stored: Option<&str>) -> Check {
        let readable = stored.and_then(read);
        let exists = readable.is_some();
        let Some((hash, params)) = readable.or_else(|| read(DUMMY)) else {
            return Check::Wrong;
        };
        let fits = Argon2::from(&params).verify_password(self.0.as_bytes(), &hash).is_ok();
        if fits && exists { Check::Right { outdated: is_outdated(&hash, &params) } } else { Check::Wrong }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// A stored hash and its parameters. `None` if it is invalid or asks for too much.
fn read(stored: &str) -> Option<(PasswordHash, Params)> {
    let hash = PasswordHash::new(stored).ok()?;
    let params = Params::try_from(&hash).ok()?;
    let (memory, passes, lanes) = MOST;
    let is_ours = hash.algorithm == ARGON2ID_IDENT
        && hash.version == Some(Version::V0x13.into())
        && hash.salt.is_some()
        && hash.hash.is_some();
    let is_bounded = params.m_cost() <= memory && params.t_cost() <= passes && params.p_cost() <= lanes;
    (is_ours && is_bounded).then_some((hash, params))
}

/// True if a hash has other parameters than a new one.
fn is_outdated(hash: &PasswordHash, params: &Params) -> bool {
    let salt = hash.salt.as_ref().map(|salt| salt.len());
    let found = (params.m_cost(), params.t_cost(), params.p_cost());
    found != (MEMORY_KIB, PASSES, LANES) || params.output_len() != Some(LENGTH) || salt != Some(SALT)
}

#[cfg(test)]
mod tests;
