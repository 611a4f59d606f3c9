//! The people of a practice.

use overturn_core::auth::role::Role;
use overturn_core::auth::session::SessionKind;
use overturn_core::base::id::{PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::accounts::{ClientOrigin, NewSession, NewUser, UserState};
use overturn_core::plan::{AccountsWrite, Write};
use uuid::Uuid;

pub const OWNER: UserId = UserId(Uuid::from_u128(10));
pub const MEMBER: UserId = UserId(Uuid::from_u128(11));
pub const SESSION: SessionId = SessionId(Uuid::from_u128(20));
const NOW: Instant = Instant(1_800_000_000_000);

/// An active account with the address of its role.
pub fn user(id: UserId, practice: PracticeId, role: Role) -> Write<'static> {
    Write::Accounts(AccountsWrite::NewUser(NewUser {
        id,
        practice_id: Some(practice),
        role,
        state: UserState::Active,
        email: format!("{role:?}@a.example"),
        email_key: format!("{}@a.example", role.name()),
        name: "Ann".into(),
        password_hash: None,
        created_at: NOW,
    }))
}

/// A session that was confirmed by a second factor.
pub fn session(id: SessionId, user_id: UserId, hash: &str) -> Write<'static> {
    Write::Accounts(AccountsWrite::NewSession(NewSession {
        id,
        user_id,
        hash: hash.into(),
        kind: SessionKind::Full,
        sso: false,
        epoch: 1,
        created_at: NOW,
        verified_at: Some(NOW),
        place: ClientOrigin::default(),
    }))
}
