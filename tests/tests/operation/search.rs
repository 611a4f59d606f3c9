//! Searches for a text in places where it must not be.

use data_encoding::{BASE64, HEXLOWER};
use overturn_tests::prelude::*;

/// The encodings in which a text may appear.
fn disguises(text: &str) -> Vec<String> {
    let hex = HEXLOWER.encode(text.as_bytes());
    let mut disguises =
        vec![text.to_owned(), text.to_uppercase(), text.to_lowercase(), hex.to_uppercase(), hex, encoded(text)];
    // Base64 of a longer text shows this one in one of three ways, depending on its offset.
    for skip in 0..3 {
        let padded = [vec![b' '; skip], text.as_bytes().to_vec()].concat();
        let base64 = BASE64.encode(&padded);
        let whole = base64.len() / 4 * 4 - 4;
        let start = if skip == 0 { 0 } else { 4 };
        disguises.push(base64[start..whole].to_owned());
    }
    disguises
}

/// True if the bytes hold a text in any encoding.
pub(super) fn holds(haystack: &[u8], canary: &str) -> bool {
    // A canary is ASCII, so neighboring bytes cannot change it.
    let haystack = String::from_utf8_lossy(haystack);
    let mut disguises = disguises(canary).into_iter();
    disguises.any(|disguise| haystack.contains(&disguise))
}

#[test]
fn a_canary_is_found_in_each_of_its_disguises() {
    for text in ["xQanaryfirsty", "QANARYFIRST", "qanaryfirst", "51616e6172796669727374"] {
        assert!(holds(text.as_bytes(), "Qanaryfirst"), "{text}");
    }
    for around in ["", "a", "ab", "abc"] {
        let hidden = BASE64.encode(format!("{around}Qanaryfirst and more").as_bytes());
        assert!(holds(hidden.as_bytes(), "Qanaryfirst"), "{hidden}");
    }
    assert!(!holds(b"Canary", "Qanaryfirst"));
}
