//! SHA-256 over pages that are given one request at a time: the state between them is stored.

use crate::base::token::hex;
use alloc::string::String;
use alloc::vec::Vec;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha256};

/// The state after one more page, in hex. `state` is the one before, `None` before the first page; `None` for a text that is no
/// state.
#[must_use]
pub fn next(state: Option<&str>, page: &[u8]) -> Option<String> {
    let mut hash = match state {
        Some(state) => read(state)?,
        None => Sha256::new(),
    };
    hash.update(page);
    Some(hex(&hash.serialize()))
}

/// The digest of all pages, in hex.
#[must_use]
pub fn result(state: &str) -> Option<String> {
    read(state).map(|hash| hex(&hash.finalize()))
}

fn read(state: &str) -> Option<Sha256> {
    let bytes: Option<Vec<u8>> = state
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let state = SerializedState::<Sha256>::try_from(bytes?.as_slice()).ok()?;
    Sha256::deserialize(&state).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn the_digest_of_pages_is_that_of_the_whole() {
        let pages: [&[u8]; 4] = [b"", b"a page\n", &[7; 200], b"the last one\n"];
        let mut state = None;
        for page in pages {
            state = next(state.as_deref(), page);
            assert!(state.is_some());
        }
        let whole = hex(&Sha256::digest(pages.concat()));
        assert_eq!(result(&state.unwrap()), Some(whole));
        assert_eq!((next(Some("no"), b""), result("00")), (None, None));
    }
}
