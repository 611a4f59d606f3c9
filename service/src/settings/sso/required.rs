//! `PATCH /api/v1/settings/sso`: whether a practice requires single sign-on of everybody except owners.

use super::overview::{Installation, SsoSettings, SsoView, settings, view};
use super::trust::lets_in;
use crate::auth::role::Role;
use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Flag;

body! {
    closed RequiredEdit { required: Flag }
}

/// `requireSso`: Require single sign-on, or stop requiring it.
///
/// Owners and admins only, and sensitive. If `required` is `true`, admins and members can work only in sessions
/// that began at an identity provider of the practice. Their other sessions get `403` from their next request on.
/// Owners can always sign in with their password and second factor, so a broken provider locks nobody out. API keys
/// and API tokens keep working. Every owner gets an email that says who made the change.
///
/// `409` without an identity provider that this installation serves, or with only OpenID Connect providers and no
/// verified domain. An admin also gets `409` unless the admin's
/// own session began with single sign-on: otherwise the admin would be locked out at once. An owner gets `409` until
/// a person of the practice has a session that began by single sign-on, which shows that it works.
pub(crate) async fn require(
    IfMatch(seen): IfMatch,
    request: WriteRequest<RequiredEdit>,
) -> Result<Gives<SsoView>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let decide = request
        .change(load, |person, stored, edit| required((edit, seen), (&stored, &installation), person, request.ctx()));
    decide.await
}

/// Requires single sign-on of everybody except owners, or does not any more. It counts from the next request of
/// everybody. The owners get an email.
///
/// A person of the practice must have a session that began by single sign-on, which shows that the provider works. For a
/// person who is not an owner, it must be the own session. So no person is locked out by a provider that never worked.
pub(super) fn required(
    (RequiredEdit { required }, seen): (RequiredEdit, Seen),
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    seen.is(stored.version)?;
    if stored.required == required {
        return Ok(Change::nothing(Answer::new(200, &view(stored, installation))));
    }
    if required {
        may_require(stored, installation, person)?;
    }
    let read = RecordVersion { record: EditedRecord::Practice(practice), version: stored.version };
    let after = SsoSettings { version: read.next().version, required, ..stored.clone() };
    let kind = if required { NoticeKind::SsoRequired } else { NoticeKind::SsoOptional };
    let audit = Entry::new(ctx, 0, Some(practice), Event::SsoRequired, practice);
    let audit = audit.detail(json!({ "required": required }));
    let notice = Notice::new(practice, kind, ctx).about(person.user_id.0);
    let mut change = Change::new(audit, Answer::new(200, &view(&after, installation))).edits(read);
    if required {
        change = change.guard(lets_in(practice, installation));
    }
    Ok(change
        .write(sql!(
            "UPDATE practices SET sso_required = {required} WHERE id = {practice}";
            practice, required = i64::from(required)
        ))
        .write(Write::Notice(notice)))
}

fn may_require(stored: &SsoSettings, installation: &Installation, person: &Person) -> Result<(), RequestError> {
    if !stored.lets_in(installation) {
        return Err(RequestError::Conflict(
            Reason::ProviderMissing,
            "add an identity provider first, and verify a domain if it is not a SAML provider",
        ));
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
            "single sign-on has not worked for your practice yet: sign in with the identity provider, or let a member \
             do so, and try again",
        ));
    }
    Ok(())
}
