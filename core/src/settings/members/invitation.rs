//! Invitations of members.

use super::member::manages;
use super::member::{MemberFor, MemberView, PracticeRole};
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{PracticeId, UserId};
use crate::base::secret::LinkToken;
use crate::base::time::Time;
use crate::plan::accounts::{INVITATION_MS, LinkKind, NewLink, NewUser, UserState};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Email;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::settings::members::member::StoredMember;
use alloc::string::String;
use serde::Deserialize;
use serde_json::json;

body! {
    #[derive(Clone)]
    Invitation { email: Email, role: PracticeRole }
}

/// The person who invites, as the email names them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Inviter {
    pub practice: String,
    /// The person's name, or their address.
    pub name: String,
}

/// Invites a person, or renews an earlier invitation, whose links end. A renewal changes no role: a colleague may have
/// changed it since. It does not matter whether the address has an account elsewhere.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] for a role that the person cannot give, [`RequestError::Conflict`] for an address with an active
/// account here or one that is invited with another role, [`RequestError::NotFound`] for a person without a practice.
pub fn invite(
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
    let (mut change, member) = match known {
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
    change.writes.push(Write::Accounts(AccountsWrite::NewLink(NewLink {
        hash: token.hash(),
        kind: LinkKind::Invitation,
        user_id: member.view.id,
        epoch: member.epoch,
        expires_at: ctx.now.plus(INVITATION_MS),
    })));
    Ok(change.after(After::Mail(PlannedLetter {
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
    let change = Change::new(invited(&view, practice_id, ctx), answer);
    let member = StoredMember { view, epoch: 1 };
    (change.write(Write::Accounts(AccountsWrite::NewUser(user))), member)
}

fn again(known: StoredMember, (practice_id, person): (PracticeId, &Person), ctx: &Ctx) -> (Change, StoredMember) {
    let view = known.view;
    let id = view.id;
    let epoch = known.epoch.saturating_add(1);
    let answer = Answer::new(200, &MemberFor::of(view.clone(), person));
    let change = Change::new(invited(&view, practice_id, ctx), answer)
        .guard(Guard::Accounts(AccountsGuard::Unchanged { practice: Some(practice_id), user: id, epoch: known.epoch }))
        .write(Write::Accounts(AccountsWrite::Epoch { user: id, epoch }));
    (change, StoredMember { view, epoch })
}

fn invited(view: &MemberView, practice_id: PracticeId, ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, 0, Some(practice_id), Event::MemberInvited, view.id);
    entry.detail(json!({ "role": view.role }))
}
