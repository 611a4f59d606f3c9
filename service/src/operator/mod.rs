//! The operator's commands: create a practice, invite staff, and help with lost access.
//!
//! No command checks rights: an operator who can write to the database could do anything without asking. Every command
//! is audited as the operator's.

mod agreements;
mod cells;
mod lookups;
mod moves;

pub use crate::settings::agreements::{Agreement, in_force};
pub use crate::settings::api_keys::{NewApiKey, expires, mint};
pub use crate::settings::data_jobs::job::{Job, JobView, of_practice};
pub use crate::settings::data_jobs::{Basis, basis};
pub use crate::settings::practice::NewPractice;
pub use agreements::{cancel_destruction, destroy_data, end_agreement};
pub(crate) use cells::is_filling;
pub use cells::{CellFigures, CellReport, D1_BYTES, Load, addressed, cell_figures, last_place, place, placed};
pub use lookups::{PracticeRow, StoredKey, StoredUser, data_keys, documents, keys, people, practice_of_id, practices};
pub use moves::{Move, cancel_move, move_practice, moves, place_of};

use crate::accounts::account::{NewUser, UserState, another_owner, in_use, removed, set_epoch};
use crate::accounts::factors::factors_removed;
use crate::accounts::link::{LinkKind, NewLink};
use crate::accounts::sessions;
use crate::auth::disclosure::PracticeState;
use crate::auth::role::Role;
use crate::mail::INVITATION_MS;
use crate::plan::Plan;
use crate::prelude::*;
use crate::request::email::EmailAddress;
use crate::request::secret::LinkToken;
use crate::settings::api_keys::revoking;
use crate::work::filters::all_removed;
use overturn_core::request::body::Text;
use overturn_core::request::field::{self, Problems};

/// Most characters of a practice's name.
const NAME_MAX: usize = 200;

/// The invited person.
#[derive(Clone, Debug)]
pub struct Invited {
    pub email: EmailAddress,
    /// Every active or invited account with this address.
    pub known: Vec<StoredUser>,
    /// The token of the link to hand over.
    pub token: LinkToken,
}

/// When the link of an invitation that is made now expires.
pub const fn invited_until(ctx: &Ctx) -> Instant {
    ctx.now.plus(INVITATION_MS)
}

/// Reads an address.
///
/// # Errors
///
/// [`RequestError::Invalid`].
pub fn address(text: &str) -> Result<EmailAddress, RequestError> {
    let mut p = Problems::default();
    let email = EmailAddress::read(&mut p, "address", Text::Given(text.into()));
    p.settle(email).map_err(RequestError::Invalid)
}

/// Makes a practice and invites its first owner.
///
/// # Errors
///
/// [`RequestError::Invalid`] for the name, [`RequestError::Conflict`] for an address that already has an account.
pub fn create_practice(name: &str, owner: &Invited, ctx: &Ctx) -> Result<(PracticeId, Plan), RequestError> {
    let mut p = Problems::default();
    let name = field::printable(&mut p, "name", Text::Given(name.into()), NAME_MAX);
    let name = p.settle(name).map_err(RequestError::Invalid)?.trim().into();
    let id = PracticeId(ctx.id(Purpose::Record, 0));
    let practice = NewPractice { id, name, state: PracticeState::Active, created_at: ctx.now };
    let audit = Entry::new(ctx, 0, Some(id), Event::PracticeCreated, id);
    let mut writes = vec![practice.insert(), Write::Audit(audit)];
    writes.extend(invite((Some(id), Role::Owner), owner, ctx)?);
    Ok((id, Plan::of_operator(ctx, writes)))
}

/// Invites an owner to an existing practice, or a person to the staff if no practice is given. A person with the same
/// open invitation gets another link; the earlier link still works.
///
/// # Errors
///
/// [`RequestError::Conflict`] for an address that has any other account.
pub fn invite_to(practice: Option<PracticeId>, invited: &Invited, ctx: &Ctx) -> Result<Plan, RequestError> {
    let role = practice.map_or(Role::Staff, |_| Role::Owner);
    let writes = invite((practice, role), invited, ctx)?;
    Ok(Plan::of_operator(ctx, writes))
}

/// Invites a person who reads the staff's own trail and does no other work, like [`invite_to`].
///
/// # Errors
///
/// [`RequestError::Conflict`] for an address that has any other account.
pub fn invite_auditor(invited: &Invited, ctx: &Ctx) -> Result<Plan, RequestError> {
    let writes = invite((None, Role::Auditor), invited, ctx)?;
    Ok(Plan::of_operator(ctx, writes))
}

fn invite(place: (Option<PracticeId>, Role), invited: &Invited, ctx: &Ctx) -> Result<Vec<Write>, RequestError> {
    let (practice_id, role) = place;
    let (mut writes, user_id, epoch) = match &invited.known[..] {
        [] => {
            let id = UserId(ctx.id(Purpose::Record, 1));
            let user = NewUser {
                id,
                practice_id,
                role,
                state: UserState::Invited,
                email: invited.email.as_str().into(),
                email_key: invited.email.key(),
                name: String::new(),
                password_hash: None,
                created_at: ctx.now,
            };
            (vec![user.write()], id, 1)
        }
        [user] if user.state == UserState::Invited && (user.practice_id, user.role) == place => {
            (Vec::new(), user.id, user.epoch)
        }
        _ => {
            return Err(RequestError::Conflict(Reason::AlreadyExists, "the address has an account or an invitation"));
        }
    };
    let link = NewLink {
        hash: invited.token.hash(),
        kind: LinkKind::Invitation,
        user_id,
        epoch,
        expires_at: invited_until(ctx),
    };
    let detail = json!({ "role": role });
    let audit = Entry::new(ctx, 1, practice_id, Event::MemberInvited, user_id).detail(detail);
    writes.extend(link.writes(ctx.now));
    writes.push(Write::Audit(audit));
    Ok(writes)
}

/// Switches a practice with its sandbox on or off. While it is off, its keys and tokens do not work, and its people's sessions work only
/// for requests about themselves.
pub fn switch(practice: PracticeId, state: PracticeState, ctx: &Ctx) -> Plan {
    let audit = Entry::new(ctx, 0, Some(practice), Event::PracticeState, practice);
    let audit = audit.detail(json!({ "state": state.name() }));
    let write =
        sql!("UPDATE practices SET state = {state} WHERE id = {practice} OR sandbox_of = {practice}"; practice, state);
    Plan::of_operator(ctx, vec![write, Write::Audit(audit)])
}

/// Removes an account, and ends all of its sessions.
pub fn remove(user: &StoredUser, ctx: &Ctx) -> Plan {
    let mut plan = rights_change(user, Event::MemberRemoved, ctx);
    plan.writes.extend(removed(user.id));
    plan.writes.push(all_removed(user.id));
    if let (Some(practice), Role::Owner, UserState::Active) = (user.practice_id, user.role, user.state) {
        plan.guards.push(another_owner(practice, user.id));
    }
    plan
}

/// Removes the second factor of an account whose person has lost it with all recovery codes. All sessions end, and the
/// next sign-in can only enroll a new one.
///
/// # Errors
///
/// [`RequestError::Conflict`] if there is none.
pub fn reset_factor(user: &StoredUser, ctx: &Ctx) -> Result<Plan, RequestError> {
    if !user.enrolled {
        return Err(RequestError::Conflict(Reason::NoFactor, "the account has no second factor"));
    }
    let mut plan = rights_change(user, Event::FactorReset, ctx);
    plan.guards.push(in_use(user.id, user.epoch));
    plan.writes.extend(factors_removed(user.id));
    Ok(plan)
}

/// Changes the account's epoch, which ends everything made before.
fn rights_change(user: &StoredUser, event: Event, ctx: &Ctx) -> Plan {
    let writes = [
        set_epoch(user.id, user.epoch.saturating_add(1)),
        sessions::end_all(user.id, ctx.now),
        Write::Audit(Entry::new(ctx, 0, user.practice_id, event, user.id)),
    ];
    Plan::of_operator(ctx, writes.into())
}

/// Revokes an API key, at once.
pub fn revoke_key(key: StoredKey, ctx: &Ctx) -> Plan {
    let practice = key.practice_id;
    let audit = Entry::new(ctx, 0, Some(practice), Event::ApiKeyRevoked, key.id);
    Plan::of_operator(ctx, vec![revoking(practice, key.id, ctx.now), Write::Audit(audit)])
}

/// The one account with an address or id. An active account takes precedence over invited ones.
///
/// # Errors
///
/// [`RequestError::NotFound`] if there is none, [`RequestError::Conflict`] if there are several.
pub fn the_one(mut found: Vec<StoredUser>) -> Result<StoredUser, RequestError> {
    found.sort_by_key(|user| user.state != UserState::Active);
    let several = matches!(&found[..], [first, _, ..] if first.state != UserState::Active);
    if several {
        return Err(RequestError::Conflict(
            Reason::SeveralMatch,
            "the address is invited more than once, name the account by its id",
        ));
    }
    found.into_iter().next().ok_or(RequestError::NotFound("no such account"))
}

#[cfg(test)]
mod tests;
