//! A member: the list, role, sessions and removal.

use crate::auth::may::may_go;
use crate::auth::person::{NOT_YOURS, Person};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::base::id::{PracticeId, UserId};
use crate::base::names::names;
use crate::base::time::Time;
use crate::plan::accounts::{SessionsToEnd, UserState};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::some_of;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::page::{Listed, Page};
use crate::settings::members::keys_left::KeysLeft;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[cfg(test)]
mod tests;

body! {
    RoleChange { role: PracticeRole }
}

some_of! { PracticeRole: Role = Role::OF_PRACTICE }

/// A member, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemberView {
    pub id: UserId,
    /// The number of the changes of its role.
    pub version: i64,
    /// The person's name; `None` until they enter it.
    pub name: Option<String>,
    pub email: String,
    pub role: Role,
    /// The state of the account.
    pub state: UserState,
    /// When the account was made.
    pub created_at: Time,
    /// Whether the account has a second factor.
    pub two_factor: bool,
    /// When one of its sessions was last used. The stored time may be up to a minute old.
    pub last_seen_at: Option<Time>,
    /// Whether no other active account of the practice is an owner.
    #[serde(skip_serializing)]
    pub last_owner: bool,
}

/// The stored facts about a member.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredMember {
    /// The part that is shown.
    #[serde(flatten)]
    pub view: MemberView,
    /// The epoch, see [`crate::auth::person::StoredPerson::epoch`].
    pub epoch: i64,
}

names! {
    /// What a person may do with a member.
    MemberAction {
        /// Give another role.
        ChangeRole = "change_role",
        /// Remove the member, or leave.
        Remove = "remove",
        /// End the member's sessions.
        RevokeSessions = "revoke_sessions",
    }
}

/// A member, as a person sees them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MemberFor {
    #[serde(flatten)]
    pub member: MemberView,
    /// What the person may do.
    pub may: Vec<MemberAction>,
}

impl MemberFor {
    pub(super) fn of(member: MemberView, person: &Person) -> Self {
        let stays = may_go(member.last_owner).is_err();
        let manages = person.may_in_session(Action::ManageMembers) && manages(person, [Some(member.role)]).is_ok();
        let may = |action: &MemberAction| match action {
            MemberAction::ChangeRole => manages && !stays,
            MemberAction::RevokeSessions => manages,
            MemberAction::Remove => {
                person.may_in_session(Action::Leave) && removes(person, member.id, Some(member.role)).is_ok() && !stays
            }
        };
        let may = MemberAction::ALL.into_iter().filter(may).collect();
        Self { member, may }
    }
}

/// A page of members, newest first.
#[must_use]
pub fn list(person: &Person, page: Page, members: Vec<MemberView>) -> Listed<MemberFor> {
    let shown = members.into_iter();
    let shown = shown.map(|member| MemberFor::of(member, person)).collect();
    page.list("members", shown, |shown: &MemberFor| shown.member.id.0)
}

/// Gives a member another role. The sessions of an active account end, because changed rights need a new sign-in.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a person who is not a member, [`RequestError::NotAuthorized`] if the caller may not manage the
/// member or give the role, and those of [`Seen::is`] and [`may_go`].
pub fn change_role(
    (role, seen): (Role, Seen),
    (stored, keys_left): (Option<StoredMember>, Option<KeysLeft>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.ok_or(UNKNOWN)?;
    manages(person, [Some(stored.view.role), Some(role)])?;
    seen.is(stored.view.version)?;
    let before = stored.view.role;
    let id = stored.view.id;
    let read = RecordVersion { record: EditedRecord::Member(practice_id, id), version: stored.view.version };
    if before == role {
        let answer = Answer::new(200, &MemberFor::of(stored.view, person));
        return Ok(Change::nothing(answer));
    }
    may_go(stored.view.last_owner)?;
    let view = MemberView { role, version: read.next().version, ..stored.view.clone() };
    let answer = Answer::new(200, &MemberFor::of(view, person));
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::MemberRole, id);
    let audit = audit.detail(json!({ "from": before, "to": role }));
    let change = Change::new(audit, answer)
        .guard(Guard::Accounts(AccountsGuard::Unchanged { practice: Some(practice_id), user: id, epoch: stored.epoch }))
        .write(Write::Accounts(AccountsWrite::UserRole { practice: practice_id, user: id, role }))
        .edits(read);
    let change = keeps_owner(change, &stored, practice_id);
    let change = renewed(change, &stored);
    let makes_keys = |role: &Role| Action::ManageApiKeys.right().roles.contains(role);
    Ok(if makes_keys(&role) { change } else { keys_left.unwrap_or_default().tell(change, false) })
}

/// Removes a member, or lets the person leave.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a person who is not a member, [`RequestError::NotAuthorized`] if the caller may not manage the
/// member, and those of [`may_go`].
pub fn remove(
    id: UserId,
    (stored, keys_left): (Option<StoredMember>, Option<KeysLeft>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    removes(person, id, None)?;
    let stored = stored.ok_or(UNKNOWN)?;
    removes(person, id, Some(stored.view.role))?;
    may_go(stored.view.last_owner)?;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::MemberRemoved, id);
    let change = Change::new(audit, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::Unchanged { practice: Some(practice_id), user: id, epoch: stored.epoch }))
        .write(Write::Accounts(AccountsWrite::UserRemoved(id)))
        .write(Write::Accounts(AccountsWrite::Epoch { user: id, epoch: stored.epoch.saturating_add(1) }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::All(id))));
    let change = keeps_owner(change, &stored, practice_id);
    Ok(keys_left.unwrap_or_default().tell(change, true))
}

/// Ends every session of a member.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a person who is not a member, [`RequestError::NotAuthorized`] if the caller may not manage the
/// member.
pub fn revoke_sessions(stored: Option<StoredMember>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.ok_or(UNKNOWN)?;
    manages(person, [Some(stored.view.role)])?;
    let id = stored.view.id;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::MemberSessions, id);
    let change = Change::new(audit, Answer::empty()).guard(Guard::Accounts(AccountsGuard::Unchanged {
        practice: Some(practice_id),
        user: id,
        epoch: stored.epoch,
    }));
    Ok(renewed(change, &stored))
}

/// Checks that the person may remove a member of this role, if it is known already. A removal is authorized as a
/// departure. Everything else needs the right to manage members.
fn removes(person: &Person, id: UserId, role: Option<Role>) -> Result<(), RequestError> {
    if id == person.user_id {
        return Ok(());
    }
    if !Action::ManageMembers.right().roles.contains(&person.role) {
        return Err(NOT_YOURS);
    }
    manages(person, [role])
}

const UNKNOWN: RequestError = RequestError::NotFound("no such member");

/// Refuses a person who may not manage one of these roles.
pub(super) fn manages<const N: usize>(person: &Person, roles: [Option<Role>; N]) -> Result<(), RequestError> {
    let mut roles = roles.into_iter().flatten();
    if roles.all(|role| person.role.may_manage(role)) { Ok(()) } else { Err(NOT_YOURS) }
}

/// Adds the guard that another owner is left.
fn keeps_owner(change: Change, stored: &StoredMember, practice_id: PracticeId) -> Change {
    if stored.view.role == Role::Owner {
        change.guard(Guard::Accounts(AccountsGuard::AnotherOwner { practice: practice_id, user: stored.view.id }))
    } else {
        change
    }
}

/// Ends everything made under the earlier rights. An invitation stays valid, because the rights are read when it is
/// accepted.
fn renewed(change: Change, stored: &StoredMember) -> Change {
    let id = stored.view.id;
    let change = change.write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::All(id))));
    match stored.view.state {
        UserState::Active => {
            change.write(Write::Accounts(AccountsWrite::Epoch { user: id, epoch: stored.epoch.saturating_add(1) }))
        }
        UserState::Invited => change,
    }
}
