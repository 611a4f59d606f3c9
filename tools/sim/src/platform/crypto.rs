//! The cryptography of the native program. The hash of a password takes milliseconds on purpose, and all people of all worlds have
//! the same few passwords, so it is remembered: a password has one salt.

use overturn_native::crypto::OwnCrypto;
use overturn_service::host::{self, PlatformError, Step};
use overturn_service::people::{Check, HashError, Password};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The salt of all hashes: a run may not depend on those before it.
pub(crate) const SALT: [u8; 16] = [7; 16];

thread_local! {
    static HASHED: RefCell<HashMap<Password, String>> = RefCell::default();
    static CHECKED: RefCell<HashMap<(Password, Option<String>), Check>> = RefCell::default();
}

pub(super) struct Remembering;

impl host::Crypto for Remembering {
    fn check_password(&self, password: &Password, stored: Option<&str>) -> Check {
        let asked = (password.clone(), stored.map(str::to_owned));
        CHECKED.with_borrow_mut(|checked| *checked.entry(asked).or_insert_with(|| password.check(stored)))
    }

    fn hash_password(&self, password: &Password, _: [u8; 16]) -> Result<String, HashError> {
        HASHED.with_borrow_mut(|hashed| {
            if let Some(hash) = hashed.get(password) {
                return Ok(hash.clone());
            }
            let hash = password.hash(SALT)?;
            hashed.insert(password.clone(), hash.clone());
            Ok(hash)
        })
    }

    fn cipher<'a>(&'a self, key: &'a [u8; 32]) -> Step<'a, Result<Rc<dyn host::Cipher>, PlatformError>> {
        OwnCrypto.cipher(key)
    }

    fn sha256(&self) -> Result<Box<dyn host::Sha256>, PlatformError> {
        OwnCrypto.sha256()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_service::host::Crypto as _;

    #[test]
    fn a_remembered_answer_is_that_of_this_password_and_this_hash() {
        let hash = Password::given("right").hash(SALT).unwrap();
        for (text, stored) in [("right", Some(&*hash)), ("wrong", Some(&hash)), ("right", None)] {
            let password = Password::given(text);
            let asked = [0, 1].map(|_| Remembering.check_password(&password, stored));
            assert_eq!(asked, [password.check(stored); 2], "{text}");
        }
    }
}
