//! `/api/v1/settings/members`.

use crate::ambient;
use crate::app::Call;
use crate::door::{self, Json};
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, Presented};
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::UserId;
use overturn_core::base::secret::LinkToken;
use overturn_core::plan::change::{After, Change};
use overturn_core::settings::members;
use overturn_store::{Statement, load, rows};
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
    let load = |page| load::members(&presented.hash, page);
    let asked = (&presented, &known);
    door::list(
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
    let token = LinkToken::mint(ambient::bytes()?);
    // What the body says wrongly, only a caller that may invite is told.
    let invited = members::parse(body.as_deref().unwrap_or_default());
    let load = invited
        .iter()
        .flat_map(|invited| load::invitation(&presented.hash, &invited.email));
    let load: Vec<_> = load.collect();
    let asked = (&presented, &once, &body);
    let action = Action::ManageMembers;
    door::change(&call, asked, action, load, |person, read, body| {
        let invitation = members::parse(body)?;
        let known = (rows::one(read.json(0))?, rows::one(read.json(1))?);
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
    door::change(&call, asked, action, load, |person, read, body| {
        let role = members::parse_role(body)?;
        let stored = (rows::one(read.json(0))?, rows::one(read.json(1))?);
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
    door::change(&call, asked, action, load, |person, read, _| {
        let stored = (rows::one(read.json(0))?, rows::one(read.json(1))?);
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
    let load = vec![load::member(&presented.hash, UserId(id))];
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageMembers;
    door::change(&call, asked, action, load, |person, read, _| {
        let stored = rows::one(read.json(0))?;
        let change = members::revoke_sessions(stored, person, &call.ctx)?;
        Ok(signed_out(change, (person, UserId(id)), &presented))
    })
    .await
}

/// A member, and what of theirs goes on working without them.
fn member(call: &Call, presented: &Presented, id: Uuid) -> Vec<Statement> {
    let id = UserId(id);
    vec![
        load::member(&presented.hash, id),
        load::legacy(&presented.hash, id, call.ctx.now),
    ]
}

/// Has the browser forget a session that the person has ended with all their others.
fn signed_out(change: Change, (person, of): (&Person, UserId), presented: &Presented) -> Change {
    if person.user_id == of && !change.writes.is_empty() {
        change.after(After::ClearSession(presented.hash.clone()))
    } else {
        change
    }
}
