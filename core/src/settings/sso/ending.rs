//! The warnings that the certificates of an identity provider end: 30 days before, and again 7 days before.

use crate::base::ctx::Ctx;
use crate::base::id::{PracticeId, SsoProviderId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::sso::next_warning;
use crate::plan::{Guard, SettingsWrite, SsoGuard, SsoWrite, Write};
use serde::Deserialize;
use serde_json::json;

/// A provider whose last certificate ends soon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct EndingProvider {
    pub practice_id: PracticeId,
    pub id: SsoProviderId,
    /// When its last certificate ends.
    pub ends_at: Instant,
    /// Since when the practice is due to be warned.
    pub since: Instant,
}

/// Warns owners and admins by email. The guard fails if another sweep has warned, or the metadata is new.
#[must_use]
pub fn warn(ending: EndingProvider, ctx: &Ctx) -> Change {
    let EndingProvider { practice_id, id, ends_at, since } = ending;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ProviderEnding, id);
    let audit = audit.detail(json!({ "ends_at": Time(ends_at) }));
    let notice = Notice::new(practice_id, NoticeKind::ProviderEnding, ctx).about(id.0).due(ends_at);
    Change::new(audit, Answer::empty())
        .guard(Guard::Sso(SsoGuard::WarningDue { practice: practice_id, provider: id, since }))
        .write(Write::Sso(SsoWrite::ExpiryWarned {
            practice: practice_id,
            provider: id,
            next: next_warning(ends_at, ctx.now),
        }))
        .write(Write::Settings(SettingsWrite::Notice(notice)))
}
