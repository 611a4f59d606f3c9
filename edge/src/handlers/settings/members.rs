//! `/api/v1/settings/members`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, Presented};
use crate::pipeline;
use crate::platform;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::UserId;
use overturn_core::base::secret::LinkToken;
use overturn_core::plan::change::{After, Change};
use overturn_core::settings::members::{self, Legacy, StoredMember};
use overturn_store::Query;
use overturn_store::settings::queries;
use std::sync::Arc;
use uuid::Uuid;

/// `GET`: a page of the practice's members.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::members(&presented.hash, page);
    let asked = (&presented, &known);
    pipeline::list(
        &call,
        asked,
        Action::ListMembers,
        page,
        (load, members::list),
    )
    .await
}

/// `POST`: invites somebody by mail.
#[worker::send]
pub(crate) async fn invite(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let token = LinkToken::mint(platform::bytes()?);
    // What the body says wrongly, only a caller that may invite is told.
    let invited = members::parse(body.as_deref().unwrap_or_default());
    let load = invited
        .ok()
        .map(|invited| queries::invitation(&presented.hash, &invited.email));
    let asked = (&presented, &once, &body);
    let action = Action::ManageMembers;
    pipeline::change(&call, asked, action, load, |person, known, body| {
        let invitation = members::parse(body)?;
        let known = known.unwrap_or_default();
        let token = token.clone();
        Ok(members::invite(
            invitation, known, token, person, &call.ctx,
        )?)
    })
    .await
}

/// `PATCH …/{id}`: gives a member another role.
#[worker::send]
pub(crate) async fn edit(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = member(&call, &presented, id);
    let asked = (&presented, &once, &body);
    let action = Action::ManageMembers;
    pipeline::change(&call, asked, action, load, |person, stored, body| {
        let role = members::parse_role(body)?;
        let change = members::change_role(role, stored, person, &call.ctx)?;
        Ok(signed_out(change, (person, UserId(id)), &presented))
    })
    .await
}

/// `DELETE …/{id}`: removes a member, or lets one leave.
#[worker::send]
pub(crate) async fn remove(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = member(&call, &presented, id);
    let asked = (&presented, &once, &Ok(Vec::new()));
    // Who is called upon is known once it is known who calls. All may leave, and core asks more of the others.
    let action = Action::Leave;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        let change = members::remove(UserId(id), stored, person, &call.ctx)?;
        Ok(signed_out(change, (person, UserId(id)), &presented))
    })
    .await
}

/// `DELETE …/{id}/sessions`: ends every session of a member.
#[worker::send]
pub(crate) async fn revoke_sessions(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = queries::member(&presented.hash, UserId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageMembers;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        let change = members::revoke_sessions(stored, person, &call.ctx)?;
        Ok(signed_out(change, (person, UserId(id)), &presented))
    })
    .await
}

/// A member, and what of theirs goes on working without them.
fn member(
    call: &Call,
    presented: &Presented,
    id: Uuid,
) -> (Query<Option<StoredMember>>, Query<Option<Legacy>>) {
    let id = UserId(id);
    (
        queries::member(&presented.hash, id),
        queries::legacy(&presented.hash, id, call.ctx.now),
    )
}

/// Has the browser forget a session that the person has ended with all their others.
fn signed_out(change: Change, (person, of): (&Person, UserId), presented: &Presented) -> Change {
    if person.user_id == of && !change.writes.is_empty() {
        change.after(After::ClearSession(presented.hash.clone()))
    } else {
        change
    }
}
