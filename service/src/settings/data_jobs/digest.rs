//! SHA-256 over pages from separate requests. The state between them is stored.

use data_encoding::HEXLOWER;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha256};

/// The state after one more page, in hex. `state` is the one before, `None` before the first page. Returns `None` if
/// the text is not a state.
pub(super) fn next(state: Option<&str>, page: &[u8]) -> Option<String> {
    let mut hash = match state {
        Some(state) => read(state)?,
        None => Sha256::new(),
    };
    hash.update(page);
    Some(HEXLOWER.encode(&hash.serialize()))
}

/// The digest of all pages, in hex.
pub(super) fn result(state: &str) -> Option<String> {
    read(state).map(|hash| HEXLOWER.encode(&hash.finalize()))
}

fn read(state: &str) -> Option<Sha256> {
    let bytes = HEXLOWER.decode(state.as_bytes()).ok()?;
    let state = SerializedState::<Sha256>::try_from(bytes.as_slice()).ok()?;
    Sha256::deserialize(&state).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_pages_is_that_of_the_whole() {
        let pages: [&[u8]; 4] = [b"", b"a page\n", &[7; 200], b"the last one\n"];
        let mut state = None;
        for page in pages {
            state = next(state.as_deref(), page);
            assert!(state.is_some());
        }
        let whole = HEXLOWER.encode(&Sha256::digest(pages.concat()));
        assert_eq!(result(&state.unwrap()), Some(whole));
        assert_eq!((next(Some("no"), b""), result("00")), (None, None));
    }
}
