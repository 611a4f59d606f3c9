//! `PATCH /api/v1/settings/sso`: whether a practice requires single sign-on of everybody except owners.

use super::{Installation, SsoSettings, show};
use crate::auth::person::Person;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{Guard, SettingsWrite, SsoGuard, SsoWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Flag;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::reason::Reason;
use serde_json::json;

body! {
    closed RequiredEdit { required: Flag }
}

/// Requires single sign-on, or does not any more. It counts from the next request of everybody. The owners get an email.
///
/// A person of the practice must have a session that began by single sign-on, which shows that the provider works. For a
/// person who is not an owner, it must be the own session. So no person is locked out by a provider that never worked.
///
/// # Errors
///
/// Those of [`Seen::is`], and [`RequestError::Conflict`] without a provider that works here, for a session that would be locked out, or before
/// a single sign-on has worked.
pub fn edit(
    (RequiredEdit { required }, seen): (RequiredEdit, Seen),
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    seen.is(stored.version)?;
    if stored.required == required {
        let answer = Answer::new(200, &show(stored, installation));
        return Ok(Change::nothing(answer));
    }
    let read = RecordVersion { record: EditedRecord::Practice(practice_id), version: stored.version };
    let after = SsoSettings { version: read.next().version, required, ..stored.clone() };
    let answer = Answer::new(200, &show(&after, installation));
    if required {
        let mut providers = stored.providers.iter();
        if !providers.any(|provider| installation.serves(provider)) {
            return Err(RequestError::Conflict(Reason::ProviderMissing, "add an identity provider first"));
        }
        if person.role != Role::Owner && !person.sso {
            return Err(RequestError::Conflict(
                Reason::WouldLockOut,
                "this would lock you out: sign in with the identity provider first, or ask an owner",
            ));
        }
        if !person.sso && !stored.in_use {
            return Err(RequestError::Conflict(
                Reason::SignInUnproven,
                "single sign-on has not worked for your practice yet: sign in with the identity provider, or let a \
                 member do so, and try again",
            ));
        }
    }
    let kind = if required { NoticeKind::SsoRequired } else { NoticeKind::SsoOptional };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::SsoRequired, practice_id);
    let audit = audit.detail(json!({ "required": required }));
    let notice = Notice::new(practice_id, kind, ctx).about(person.user_id.0);
    let change = Change::new(audit, answer).edits(read);
    let change = if required {
        change.guard(Guard::Sso(SsoGuard::AnyProvider { practice: practice_id, served: installation.served() }))
    } else {
        change
    };
    Ok(change
        .write(Write::Sso(SsoWrite::Required { practice: practice_id, required }))
        .write(Write::Settings(SettingsWrite::Notice(notice))))
}
