//! `/api/v1/settings/sso/providers`: the identity providers that a practice trusts.

mod adding;
mod body;
mod change;
mod editing;

pub use adding::{create, to_describe};
pub use body::{ProviderEditRequest, ProviderRequest};
pub use editing::{edit, edit_to_describe};

use super::{Installation, SsoSettings};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::SsoProviderId;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::NoticeKind;
use crate::plan::{Guard, SsoGuard, SsoWrite, Write};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use change::{UNKNOWN, notice};
use serde_json::json;

/// Removes a provider, and the identities that only it could confirm. The owners get an email.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a provider that the practice does not have, [`RequestError::Conflict`] for the last one that
/// works here while single sign-on is required.
pub fn remove(
    id: SsoProviderId,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let provider = stored.provider(id).ok_or(UNKNOWN)?;
    let mut others = stored.providers.iter().filter(|other| other.id != id);
    if stored.required && !others.any(|other| installation.serves(other)) {
        return Err(RequestError::Conflict(
            Reason::LastProvider,
            "the practice requires single sign-on, and this is its last identity provider that works",
        ));
    }
    let detail = json!({ "kind": provider.kind, "name": provider.name });
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ProviderRemoved, id);
    Ok(Change::new(audit.detail(detail), Answer::empty())
        .guard(Guard::Sso(SsoGuard::Provider { practice: practice_id, provider: id }))
        .guard(Guard::Sso(SsoGuard::ProviderDispensable {
            practice: practice_id,
            provider: id,
            served: installation.served(),
        }))
        .write(Write::Sso(SsoWrite::ProviderRemoved { practice: practice_id, provider: id }))
        .write(notice(practice_id, NoticeKind::ProviderRemoved, person, ctx)))
}
