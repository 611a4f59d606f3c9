//! The agreement that a practice signs before the service accepts its claims.
//!
//! The text covers what 45 CFR 164.504(e) and 164.314(a) require of a business associate contract. It is not legal
//! advice: the operator's counsel approves or replaces it before practices sign it. A changed text gets a new version.
//! An earlier signature stays in force until the practice signs the new version.

use crate::base::ctx::Ctx;
use crate::base::id::{AgreementId, PracticeId};
use crate::plan::audit::{Entry, Event};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::{Guard, SettingsGuard, SettingsWrite, Write};
use serde_json::json;

/// The kind of the only agreement, as stored and shown.
pub const KIND: &str = "baa";
/// The version of the text: the date from which it is offered for signing.
pub const VERSION: &str = "2026-11-21";
/// The text, in Markdown.
pub const TEXT: &str = include_str!("agreements/baa.md");

/// The guard and the writes that end an agreement: its audit row, the end, and the email to the owners.
#[must_use]
pub fn ending(practice: PracticeId, id: AgreementId, ctx: &Ctx) -> (Guard, [Write<'static>; 3]) {
    let audit = Entry::new(ctx, 0, Some(practice), Event::AgreementEnded, id);
    let notice = Notice::new(practice, NoticeKind::AgreementEnded, ctx);
    let writes = [
        Write::Audit(audit.detail(json!({ "kind": KIND }))),
        Write::Settings(SettingsWrite::AgreementEnded { practice, agreement: id }),
        Write::Settings(SettingsWrite::Notice(notice)),
    ];
    (Guard::Settings(SettingsGuard::AgreementInForce { practice, agreement: id }), writes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use sha2::{Digest, Sha256};

    /// Practices sign a version, so its text must never change: a new text is a new version.
    #[test]
    fn the_text_of_a_version_is_pinned() {
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(TEXT));
        assert_eq!(
            (VERSION, &*digest),
            ("2026-11-21", "fb4a73b791ae5c0dba376b7ce20cb42da960be61a762b4041e0e9db921a9b5fc")
        );
        assert!(TEXT.contains(VERSION));
    }
}
