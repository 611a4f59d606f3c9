//! `/api/v1/settings/members`.

use crate::error::AppError;
use crate::extract::{IfMatch, PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::base::id::UserId;
use overturn_core::base::secret::LinkToken;
use overturn_core::plan::change::{After, Change};
use overturn_core::request::page::Page;
use overturn_core::settings::members::{self, Invitation, RoleChange};
use overturn_store::settings::queries;

/// `GET`: a page of the practice's members.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| queries::members(request.credential(), page);
    request.list_for(load, members::list).await
}

/// `POST`: invites a person by email.
pub(crate) async fn invite(request: WriteRequest<Invitation>) -> Result<Response, AppError> {
    let token = LinkToken::mint(request.call.app.host.bytes()?);
    let invited = request.body().ok();
    let load = invited.map(|invited| queries::invitation(request.credential(), &invited.email));
    let decide = request.change(load, |person, known, invitation| {
        let known = known.unwrap_or_default();
        members::invite(invitation, known, token.clone(), person, request.ctx())
    });
    decide.await
}

/// `PATCH …/{id}`: gives a member another role.
pub(crate) async fn edit(
    PathId(id): PathId<UserId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<RoleChange>,
) -> Result<Response, AppError> {
    let load =
        (queries::member(request.credential(), id), queries::keys_left(request.credential(), id, request.ctx().now));
    let decide = request.change(load, |person, stored, change| {
        let change = members::change_role((change.role, seen), stored, person, request.ctx());
        change.map(|change| signed_out(change, (person, id), request.credential()))
    });
    decide.await
}

/// `DELETE …/{id}`: removes a member, or lets a person leave.
pub(crate) async fn remove(PathId(id): PathId<UserId>, request: WriteRequest) -> Result<Response, AppError> {
    let load =
        (queries::member(request.credential(), id), queries::keys_left(request.credential(), id, request.ctx().now));
    // Every member may leave. Core requires more rights if the caller removes another member.
    let decide = request.change(load, |person, stored, _| {
        let change = members::remove(id, stored, person, request.ctx());
        change.map(|change| signed_out(change, (person, id), request.credential()))
    });
    decide.await
}

/// `DELETE …/{id}/sessions`: ends every session of a member.
pub(crate) async fn revoke_sessions(PathId(id): PathId<UserId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::member(request.credential(), id);
    let decide = request.change(load, |person, stored, _| {
        let change = members::revoke_sessions(stored, person, request.ctx());
        change.map(|change| signed_out(change, (person, id), request.credential()))
    });
    decide.await
}

/// Removes the session cookie if the person has ended their own sessions.
fn signed_out(change: Change, (person, of): (&Person, UserId), session: &str) -> Change {
    if person.user_id == of && !change.writes.is_empty() {
        change.after(After::ClearSession(session.to_owned()))
    } else {
        change
    }
}
