//! What the changes of providers have in common: refusals, and the email to the owners.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::{SettingsWrite, Write};
use crate::request::error::RequestError;
use crate::request::reason::Reason;

pub(super) const UNKNOWN: RequestError = RequestError::NotFound("no such identity provider");
pub(super) const NO_SAML: RequestError =
    RequestError::Conflict(Reason::SamlNotServed, "this installation of Overturn does not serve SAML providers");
pub(super) const TRUSTED: RequestError =
    RequestError::Conflict(Reason::AlreadyExists, "the practice has this identity provider already");

/// The email to the owners about a change of a provider. A provider decides who may sign in, so no change of one is
/// silent.
pub(super) fn notice(practice: PracticeId, kind: NoticeKind, person: &Person, ctx: &Ctx) -> Write<'static> {
    let notice = Notice::new(practice, kind, ctx).about(person.user_id.0);
    Write::Settings(SettingsWrite::Notice(notice))
}
