//! Invitations of members.

use super::member::{MEMBER, MemberFor, MemberView, PracticeRole, StoredMember, manages, unchanged};
use crate::accounts::account::{ENROLLED, LAST_OWNER, NewUser, UserState, set_epoch};
use crate::accounts::link::{LinkKind, NewLink};
use crate::mail::INVITATION_MS;
use crate::plan::change::{LetterKind, PlannedLetter};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Email;
use crate::request::email::EmailAddress;
use crate::request::secret::LinkToken;
use overturn_core::base::id::UserId;

body! {
    #[derive(Clone)]
    Invitation { email: Email, role: PracticeRole }
}

/// The person who invites, as the email names them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Inviter {
    pub(super) practice: String,
    /// The person's name, or their address.
    pub(super) name: String,
}

/// The practice's member with this address.
pub(super) fn of_address(caller: &str, to: &EmailAddress) -> Query<Option<StoredMember>> {
    select!(
        "settings.member_of_address",
        "SELECT {MEMBER} AS json FROM users u
         WHERE u.practice_id = {OF_CALLER} AND u.email_key = {key} AND u.state <> 'removed'"
        [MEMBER, ENROLLED, LAST_OWNER]; caller, key = to.key()
    )
    .optional()
}

pub(super) fn inviter(caller: &str) -> Query<Option<Inviter>> {
    select!(
        "settings.inviter",
        "SELECT json_object('practice', p.name, 'name', coalesce(nullif(u.name, ''), u.email)) AS json
         FROM users u JOIN practices p ON p.id = u.practice_id
         WHERE u.id = {ACCOUNT_OF_CALLER}";
        caller
    )
    .optional()
}

/// `inviteMember`: Invite a person by email.
///
/// Owners and admins only. Sensitive. Only an owner can invite an owner. If the address was invited before, it gets
/// a new email (`200`), and the previous link stops working. If it was invited with another role, the answer is
/// `409`: change the member's role instead. The address may have an account with another practice. The answer is
/// the same. A practice can send 50 invitations in 24 hours, including repeated ones. After that the answer is
/// `429`, and `Retry-After` says how many seconds to wait.
pub(crate) async fn invite(request: WriteRequest<Invitation>) -> Result<Gives<MemberFor, 201, 200>, AppError> {
    let token = LinkToken::mint(request.call.random()?);
    let asked = request.body().ok();
    let load = asked.map(|asked| (of_address(request.credential(), &asked.email), inviter(request.credential())));
    let decide = request.change(load, |person, known, invitation| {
        invited(invitation, known.unwrap_or_default(), token.clone(), person, request.ctx())
    });
    decide.await
}

/// Invites a person, or renews an earlier invitation, whose links end. A renewal changes no role: a colleague may have
/// changed it since. It does not matter whether the address has an account elsewhere.
pub(super) fn invited(
    invitation: Invitation,
    (known, inviter): (Option<StoredMember>, Option<Inviter>),
    token: LinkToken,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let inviter = inviter.ok_or(RequestError::NotFound("no such practice"))?;
    let roles = known.as_ref().map(|known| known.view.role);
    manages(person, [Some(invitation.role), roles])?;
    let (change, member) = match known {
        None => first(&invitation, practice_id, person, ctx),
        Some(known) if known.view.state == UserState::Invited => {
            if known.view.role != invitation.role {
                return Err(RequestError::Conflict(
                    Reason::AlreadyExists,
                    "the address is invited with another role: change the role of this member, then invite again",
                ));
            }
            again(known, (practice_id, person), ctx)
        }
        Some(_) => {
            return Err(RequestError::Conflict(Reason::AlreadyExists, "the address has an account here"));
        }
    };
    let link = NewLink {
        hash: token.hash(),
        kind: LinkKind::Invitation,
        user_id: member.view.id,
        epoch: member.epoch,
        expires_at: ctx.now.plus(INVITATION_MS),
    };
    Ok(change.write_all(link.writes(ctx.now)).after(After::Mail(PlannedLetter {
        to: invitation.email,
        says: LetterKind::Invitation { practice: inviter.practice, inviter: inviter.name, token },
    })))
}

fn first(invitation: &Invitation, practice_id: PracticeId, person: &Person, ctx: &Ctx) -> (Change, StoredMember) {
    let id = UserId(ctx.id(Purpose::Record, 0));
    let view = MemberView {
        id,
        version: 1,
        name: None,
        email: invitation.email.as_str().into(),
        role: invitation.role,
        state: UserState::Invited,
        created_at: Time(ctx.now),
        two_factor: false,
        last_seen_at: None,
        last_owner: false,
    };
    let user = NewUser {
        id,
        practice_id: Some(practice_id),
        role: view.role,
        state: view.state,
        email: view.email.clone(),
        email_key: invitation.email.key(),
        name: String::new(),
        password_hash: None,
        created_at: ctx.now,
    };
    let answer = Answer::new(201, &MemberFor::of(view.clone(), person));
    let change = Change::new(entry(&view, practice_id, ctx), answer);
    let member = StoredMember { view, epoch: 1 };
    (change.write(user.write()), member)
}

fn again(known: StoredMember, (practice_id, person): (PracticeId, &Person), ctx: &Ctx) -> (Change, StoredMember) {
    let guard = unchanged(practice_id, &known);
    let view = known.view;
    let id = view.id;
    let epoch = known.epoch.saturating_add(1);
    let answer = Answer::new(200, &MemberFor::of(view.clone(), person));
    let change = Change::new(entry(&view, practice_id, ctx), answer).guard(guard).write(set_epoch(id, epoch));
    (change, StoredMember { view, epoch })
}

fn entry(view: &MemberView, practice_id: PracticeId, ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, 0, Some(practice_id), Event::MemberInvited, view.id);
    entry.detail(json!({ "role": view.role }))
}
