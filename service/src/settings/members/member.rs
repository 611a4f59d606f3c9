//! A member: the list, role, sessions and removal.

use crate::accounts::account::{self, ENROLLED, LAST_OWNER, UserState, another_owner, set_epoch};
use crate::accounts::sessions;
use crate::auth::may::may_go;
use crate::auth::person::NOT_YOURS;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::{LetterKind, PlannedLetter};
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use crate::request::declare::body;
use crate::request::declare::kinds::some_of;
use crate::request::email::EmailAddress;
use overturn_core::base::id::UserId;

const UNKNOWN: RequestError = RequestError::NotFound("no such member");

body! {
    RoleChange {
        role: PracticeRole,
    }
}

some_of! {
    /// - `owner`: may do everything in the practice. There is always at least one owner.
    /// - `admin`: runs the practice, but has no rights over its owners.
    /// - `member`: works in the practice.
    PracticeRole: Role = Role::OF_PRACTICE
}

/// A person of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MemberView {
    pub(super) id: UserId,
    pub(super) version: i64,
    /// `null` until the person has joined.
    pub(super) name: Option<String>,
    pub(super) email: String,
    #[cfg_attr(feature = "schema", schemars(with = "AsTaken<PracticeRole>"))]
    pub(super) role: Role,
    pub(super) state: UserState,
    pub(super) created_at: Time,
    pub(super) two_factor: bool,
    /// May be up to one minute old.
    pub(super) last_seen_at: Option<Time>,
    /// Whether no other active account of the practice is an owner.
    #[serde(skip_serializing)]
    pub(super) last_owner: bool,
}

/// The stored facts about a member.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct StoredMember {
    /// The part that is shown.
    #[serde(flatten)]
    pub(super) view: MemberView,
    /// The number of the changes of its rights.
    pub(super) epoch: i64,
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

/// A person of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Member"))]
pub(crate) struct MemberFor {
    #[serde(flatten)]
    pub(super) member: MemberView,
    /// What the caller may do with this member. A practice always keeps an owner, so its last owner cannot be removed
    /// or get another role.
    pub(super) may: Vec<MemberAction>,
}

impl Item for MemberFor {
    const LIST: &'static str = "members";
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

/// A member `u` as [`MemberView`] and [`StoredMember`] read it.
pub(super) const MEMBER: &str = "json_object('id', u.id, 'version', u.version, 'name', nullif(u.name, ''),
       'email', u.email, 'role', u.role, 'state', u.state, 'created_at', u.created_at, 'epoch', u.epoch,
       'two_factor', json(iif({ENROLLED}, 'true', 'false')),
       'last_seen_at', (SELECT max(s.seen_at) FROM sessions s WHERE s.user_id = u.id), 'last_owner', {LAST_OWNER})";

pub(super) fn page(caller: &str, of: Page) -> Query<Option<Vec<MemberView>>> {
    select!(
        "settings.members",
        "SELECT json_group_array({MEMBER}) AS json FROM (SELECT * FROM users WHERE practice_id = {OF_CALLER}
           AND state <> 'removed' AND id < {after} ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) u"
        [MEMBER, ENROLLED, LAST_OWNER]; caller, after = after(of), most = of.reads()
    )
    .optional()
}

pub(super) fn member(caller: &str, id: UserId) -> Query<Option<StoredMember>> {
    select!(
        "settings.member",
        "SELECT {MEMBER} AS json FROM users u
         WHERE u.practice_id = {OF_CALLER} AND u.id = {id} AND u.state <> 'removed'"
        [MEMBER, ENROLLED, LAST_OWNER]; caller, id
    )
    .optional()
}

/// The keys of a member that would keep working after a removal, and the owners to notify.
fn keys_left(caller: &str, id: UserId, now: Instant) -> Query<Option<KeysLeft>> {
    select!(
        "settings.keys_left",
        "SELECT json_object('keys', (SELECT count(*) FROM api_keys k WHERE k.practice_id = {OF_CALLER}
             AND k.created_by = {id} AND k.revoked_at IS NULL AND k.expires_at > {now}),
           'owners', json((SELECT json_group_array(u.email) FROM users u WHERE u.practice_id = {OF_CALLER}
             AND u.role = 'owner' AND u.state = 'active' AND u.id <> {id}))) AS json";
        caller, id, now
    )
    .optional()
}

/// `listMembers`: List the practice's people.
///
/// Owners and admins only.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<MemberFor>>, AppError> {
    let load = |of| page(request.credential(), of);
    request.list_for(load, shown).await
}

/// `changeRole`: Change a member's role.
///
/// Owners and admins only. Sensitive. Only an owner can change the role of an owner or make another person an
/// owner. The practice must keep at least one owner; otherwise the answer is `409`. The member's sessions end.
pub(crate) async fn edit(
    PathId(id): PathId<UserId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<RoleChange>,
) -> Result<Gives<MemberFor>, AppError> {
    let caller = request.credential();
    let load = (member(caller, id), keys_left(caller, id, request.ctx().now));
    let decide = request.change(load, |person, stored, change| {
        let change = changed_role((change.role, seen), stored, person, request.ctx());
        change.map(|change| signed_out(change, (person, id), request.credential()))
    });
    decide.await
}

/// `removeMember`: Remove a member, or leave the practice.
///
/// For owners and admins, and for every member about themselves. Sensitive. Only an owner can remove an owner. The
/// practice must keep at least one owner; otherwise the answer is `409`. API keys belong to the practice, so keys
/// that the member made continue to work. The other owners get an email about them, and the list of keys shows
/// `maker_removed`.
pub(crate) async fn remove(PathId(id): PathId<UserId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let caller = request.credential();
    let load = (member(caller, id), keys_left(caller, id, request.ctx().now));
    // Every member may leave. The decision requires more rights if the caller removes another member.
    let decide = request.change(load, |person, stored, _| {
        let change = removed(id, stored, person, request.ctx());
        change.map(|change| signed_out(change, (person, id), request.credential()))
    });
    decide.await
}

/// `revokeMemberSessions`: End all sessions of a member.
///
/// Owners and admins only. Sensitive. Only an owner can end the sessions of an owner.
pub(crate) async fn revoke_sessions(
    PathId(id): PathId<UserId>,
    request: WriteRequest,
) -> Result<Gives<(), 204>, AppError> {
    let load = member(request.credential(), id);
    let decide = request.change(load, |person, stored, _| {
        let change = revoked_sessions(stored, person, request.ctx());
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

fn shown(person: &Person, page: Page, members: Vec<MemberView>) -> Listed<MemberFor> {
    let shown = members.into_iter().map(|member| MemberFor::of(member, person)).collect();
    page.list(shown, |shown: &MemberFor| shown.member.id.0)
}

/// Gives a member another role. The sessions of an active account end, because changed rights need a new sign-in.
fn changed_role(
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
        .guard(unchanged(practice_id, &stored))
        .write(sql!(
            "UPDATE users SET role = {role} WHERE practice_id = {practice_id} AND id = {id} AND state <> 'removed'";
            practice_id, id, role
        ))
        .edits(read);
    let change = keeps_owner(change, &stored, practice_id);
    let change = renewed(change, &stored, ctx.now);
    let makes_keys = |role: &Role| Action::ManageApiKeys.right().roles.contains(role);
    Ok(if makes_keys(&role) { change } else { keys_left.unwrap_or_default().tell(change, false) })
}

/// Removes a member, or lets the person leave.
fn removed(
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
        .guard(unchanged(practice_id, &stored))
        .write_all(account::removed(id))
        .write(set_epoch(id, stored.epoch.saturating_add(1)))
        .write(sessions::end_all(id, ctx.now));
    let change = keeps_owner(change, &stored, practice_id);
    Ok(keys_left.unwrap_or_default().tell(change, true))
}

/// Ends every session of a member.
fn revoked_sessions(stored: Option<StoredMember>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.ok_or(UNKNOWN)?;
    manages(person, [Some(stored.view.role)])?;
    let id = stored.view.id;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::MemberSessions, id);
    let change = Change::new(audit, Answer::empty()).guard(unchanged(practice_id, &stored));
    Ok(renewed(change, &stored, ctx.now))
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

/// Refuses a person who may not manage one of these roles.
pub(super) fn manages<const N: usize>(person: &Person, roles: [Option<Role>; N]) -> Result<(), RequestError> {
    let mut roles = roles.into_iter().flatten();
    if roles.all(|role| person.role.may_manage(role)) { Ok(()) } else { Err(NOT_YOURS) }
}

/// The guard that the account has the same rights as when it was read.
pub(super) fn unchanged(practice: PracticeId, stored: &StoredMember) -> Guard {
    account::unchanged(Some(practice), stored.view.id, stored.epoch)
}

/// Adds the guard that another owner is left.
fn keeps_owner(change: Change, stored: &StoredMember, practice_id: PracticeId) -> Change {
    if stored.view.role == Role::Owner { change.guard(another_owner(practice_id, stored.view.id)) } else { change }
}

/// Ends everything made under the earlier rights. An invitation stays valid, because the rights are read when it is
/// accepted.
fn renewed(change: Change, stored: &StoredMember, now: Instant) -> Change {
    let id = stored.view.id;
    let change = change.write(sessions::end_all(id, now));
    match stored.view.state {
        UserState::Active => change.write(set_epoch(id, stored.epoch.saturating_add(1))),
        UserState::Invited => change,
    }
}

/// The API keys that a member made, which keep working without the member, and the owners to notify.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(super) struct KeysLeft {
    /// How many keys of the member are in force.
    pub(super) keys: u32,
    /// The addresses of the practice's other owners.
    pub(super) owners: Vec<String>,
}

impl KeysLeft {
    /// The change with an email to each owner, if keys keep working although their maker was removed or may no longer
    /// make any.
    pub(super) fn tell(self, change: Change, removed: bool) -> Change {
        if self.keys == 0 {
            return change;
        }
        let owners = self.owners.iter().filter_map(|owner| EmailAddress::parse(owner));
        owners.fold(change, |change, to| {
            let keys = self.keys;
            let says = LetterKind::KeysRemain { keys, removed };
            change.after(After::Mail(PlannedLetter { to, says }))
        })
    }
}

#[cfg(test)]
mod tests;
