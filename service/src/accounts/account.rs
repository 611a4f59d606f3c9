//! An account as a sign-in loads it, and what several contexts change of it.

use crate::auth::disclosure::{AgreementState, PracticeState};
use crate::auth::person::{StoredCredential, StoredPerson, StoredPractice};
use crate::auth::role::Role;
use crate::auth::session::StoredSession;
use crate::pipeline::enrolled;
use crate::prelude::*;
use crate::request::email::EmailAddress;
use std::fmt;

/// Most characters of a person's name.
pub(crate) const NAME_MAX: usize = 200;

names! {
    /// The state of an account.
    UserState {
        /// The person was invited and has not accepted yet.
        Invited = "invited",
        /// In use.
        Active = "active",
    }
}

/// The stored facts about an active account, found by address, link or continuation. `Debug` prints only its ids and
/// role.
#[derive(Clone, Deserialize)]
pub(crate) struct Account {
    pub(crate) user_id: UserId,
    /// The practice it belongs to; `None` for staff.
    pub(crate) practice_id: Option<PracticeId>,
    pub(crate) practice_name: Option<String>,
    pub(crate) role: Role,
    /// The number of changes of its rights.
    pub(crate) epoch: i64,
    pub(crate) name: String,
    /// The address, as typed.
    pub(crate) email: String,
    /// The hash of its password, if it has one.
    pub(crate) password_hash: Option<String>,
    /// Whether it has a second factor.
    pub(crate) enrolled: bool,
    /// The state of its practice; `None` for staff.
    pub(crate) practice: Option<PracticeFacts>,
}

/// The state of a practice that its people see.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct PracticeFacts {
    /// The stored name of its state.
    pub(crate) state: String,
    pub(crate) agreement: AgreementState,
    /// Whether its appeal button is on.
    pub(crate) appeal_button: bool,
    /// Whether its people except owners must sign in with a provider.
    pub(crate) sso_required: bool,
    /// Whether the account is its last active owner.
    pub(crate) last_owner: bool,
}

impl Account {
    /// The facts that decide what its person may do in a session.
    pub(crate) fn standing(&self, session: StoredSession) -> StoredPerson {
        let practice = self.practice_id.zip(self.practice.as_ref());
        let practice = practice.map(|(id, facts)| StoredPractice {
            id,
            state: PracticeState::stored(&facts.state),
            baa_signed: facts.agreement == AgreementState::InForce,
            sso_required: facts.sso_required,
            clock_ms: None,
        });
        StoredPerson {
            user_id: self.user_id,
            role: self.role,
            epoch: self.epoch,
            active: true,
            enrolled: self.enrolled,
            practice,
            held: StoredCredential::Session(session),
        }
    }

    /// The key that its address is compared by.
    pub(crate) fn email_key(&self) -> String {
        EmailAddress::parse(&self.email).map_or_else(String::new, |email| email.key())
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account")
            .field("user_id", &self.user_id)
            .field("practice_id", &self.practice_id)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// Whether an account `u` is its practice's last active owner, as JSON.
macro_rules! last_owner {
    () => {
        "json(iif(u.role = 'owner' AND u.state = 'active' AND NOT EXISTS (SELECT 1 FROM users o
           WHERE o.practice_id = u.practice_id AND o.role = 'owner' AND o.state = 'active' AND o.id <> u.id),
         'true', 'false'))"
    };
}

/// Whether an account `u` is its practice's last active owner, as JSON.
pub(crate) const LAST_OWNER: &str = last_owner!();

/// Whether an account `u` has a second factor.
pub(crate) const ENROLLED: &str = enrolled!();

/// An account `u` with its practice `p`, as [`Account`] reads it. The state of the practice is NULL without one.
pub(crate) const ACCOUNT: &str = concat!(
    "json_object('user_id', u.id, 'practice_id', u.practice_id, 'practice_name', p.name, 'role', u.role,
       'epoch', u.epoch, 'name', u.name, 'email', u.email, 'password_hash', u.password_hash,
       'enrolled', json(iif(",
    enrolled!(),
    ", 'true', 'false')),
       'practice', json(iif(p.id IS NULL, NULL, json_object('state', p.state, 'agreement', CASE WHEN ",
    agreement!("p.id"),
    " THEN 'in_force' WHEN EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa')
           THEN 'ended' ELSE 'missing' END,
         'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
         'sso_required', json(iif(p.sso_required = 1, 'true', 'false')), 'last_owner', ",
    last_owner!(),
    "))))"
);

/// The caller's account.
pub(crate) fn account_of_caller(caller: &str) -> Query<Option<Account>> {
    select!(
        "accounts.account_of_caller",
        "SELECT {ACCOUNT} AS json FROM users u LEFT JOIN practices p ON p.id = u.practice_id
         WHERE u.id = {ACCOUNT_OF_CALLER}" [ACCOUNT];
        caller
    )
    .optional()
}

/// The account in use for an address, by the key of the address.
pub(super) fn account_of_address(email_key: &str) -> Query<Option<Account>> {
    select!(
        "accounts.account_of_address",
        "SELECT {ACCOUNT} AS json FROM users u LEFT JOIN practices p ON p.id = u.practice_id
         WHERE u.email_key = {email_key} AND u.state = 'active'" [ACCOUNT];
        email_key
    )
    .optional()
}

/// The account is active and has this epoch.
pub(crate) fn in_use(user: UserId, epoch: i64) -> Guard {
    abort_if!(
        Rights,
        "NOT EXISTS (SELECT 1 FROM users WHERE id = {user} AND state = 'active' AND epoch = {epoch})"; user, epoch
    )
}

/// The account still exists, active or invited, and has this epoch. The staff have no practice.
pub(crate) fn unchanged(practice: Option<PracticeId>, user: UserId, epoch: i64) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM users
           WHERE id = {user} AND practice_id IS {practice} AND state <> 'removed' AND epoch = {epoch})";
        practice, user, epoch
    )
}

/// The practice has another active owner.
pub(crate) fn another_owner(practice: PracticeId, user: UserId) -> Guard {
    abort_if!(
        Owner,
        "NOT EXISTS (SELECT 1 FROM users o
           WHERE o.practice_id = {practice} AND o.role = 'owner' AND o.state = 'active' AND o.id <> {user})";
        practice, user
    )
}

/// A new account. `Debug` prints only its id and role.
#[derive(Clone)]
pub struct NewUser {
    pub id: UserId,
    /// Its practice; `None` exactly for staff.
    pub practice_id: Option<PracticeId>,
    pub role: Role,
    pub state: UserState,
    /// The address, as typed.
    pub email: String,
    /// The key that addresses are compared by, see [`EmailAddress::key`].
    pub email_key: String,
    /// The person's name, empty until they enter it.
    pub name: String,
    /// The hash of the password, if it has one.
    pub password_hash: Option<String>,
    pub created_at: Instant,
}

impl fmt::Debug for NewUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewUser").field("id", &self.id).field("role", &self.role).finish_non_exhaustive()
    }
}

impl NewUser {
    pub fn write(&self) -> Write {
        sql!(
            "INSERT INTO users (id, practice_id, role, state, email, email_key, name, password_hash, created_at)
             VALUES ({id}, {practice}, {role}, {state}, {email}, {email_key}, {name}, {password_hash}, {now})
             ON CONFLICT (id) DO NOTHING";
            id = self.id, practice = self.practice_id, role = self.role, state = self.state, email = &self.email,
            email_key = &self.email_key, name = &self.name, password_hash = self.password_hash.as_deref(),
            now = self.created_at
        )
    }
}

/// Sets the epoch of an account after a change of its rights. Everything made under another epoch is invalid.
pub(crate) fn set_epoch(user: UserId, epoch: i64) -> Write {
    sql!("UPDATE users SET epoch = {epoch} WHERE id = {user} AND epoch < {epoch}"; user, epoch)
}

/// Removes an account, with its passkeys.
pub(crate) fn removed(user: UserId) -> [Write; 2] {
    [sql!("UPDATE users SET state = 'removed' WHERE id = {user}"; user), passkeys_removed(user)]
}

/// Removes every passkey of an account.
pub(super) fn passkeys_removed(user: UserId) -> Write {
    sql!("DELETE FROM passkeys WHERE user_id = {user}"; user)
}
