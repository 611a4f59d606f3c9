//! The agreement that a practice signs before its claims are taken in.
//!
//! The text has what 45 CFR 164.504(e) and 164.314(a) ask of a contract with a business associate. It is no legal advice:
//! the operator's counsel approves it, or replaces it, before a practice is asked to sign. A text that changes gets a new
//! version, and what was signed before stays in force until the practice signs anew.

/// The kind of the one agreement there is, as it is stored and shown.
pub const KIND: &str = "baa";
/// The version of the text: the date from which it is offered for signing.
pub const VERSION: &str = "2026-11-21";
/// The text, in Markdown.
pub const TEXT: &str = include_str!("baa.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use sha2::{Digest, Sha256};

    /// Practices sign a version, so the text under it must never change: a new text is a new version.
    #[test]
    fn the_text_of_a_version_is_pinned() {
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(TEXT));
        assert_eq!(
            (VERSION, &*digest),
            (
                "2026-11-21",
                "fb4a73b791ae5c0dba376b7ce20cb42da960be61a762b4041e0e9db921a9b5fc"
            )
        );
        assert!(TEXT.contains(VERSION));
    }
}
