//! People with their sessions and factors, as rows.

use crate::auth::role::Role;
use crate::auth::session::LONGEST_MS;
use crate::auth::totp::TotpSecret;
use crate::plan::Write;
use crate::plan::statement::{Bind as _, KeyOf, Seal, Statement};
use overturn_core::base::id::{FactorId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use uuid::Uuid;

pub(crate) const OWNER: UserId = UserId(Uuid::from_u128(10));
pub(crate) const MEMBER: UserId = UserId(Uuid::from_u128(11));
pub(crate) const SESSION: SessionId = SessionId(Uuid::from_u128(20));
const NOW: Instant = Instant(1_800_000_000_000);

/// An active account with the address of its role.
pub(crate) fn user(id: UserId, practice: PracticeId, role: Role) -> Write {
    account(id, Some(practice), role, &format!("{role:?}@a.example"))
}

/// An active account. Staff have no practice.
pub(crate) fn account(id: UserId, practice: Option<PracticeId>, role: Role, address: &str) -> Write {
    Write::Sql(Statement::new(
        "INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
         VALUES (?1, ?2, ?3, 'active', ?4, lower(?4), 'Ann', ?5)",
        [id.bind(), practice.bind(), role.bind(), address.bind(), NOW.bind()],
    ))
}

/// A session that was confirmed by a second factor.
pub(crate) fn session(id: SessionId, user_id: UserId, hash: &str) -> Write {
    verified_session(id, user_id, hash, NOW)
}

/// A session that was confirmed by a second factor at this time.
pub(crate) fn verified_session(id: SessionId, user_id: UserId, hash: &str, verified_at: Instant) -> Write {
    Write::Sql(Statement::new(
        "INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, seen_at, ends_at, verified_at, ip, agent)
         VALUES (?1, ?2, ?3, 'full', 1, ?4, ?4, ?5, ?6, '', '')",
        [user_id.bind(), id.bind(), hash.bind(), NOW.bind(), NOW.plus(LONGEST_MS).bind(), verified_at.bind()],
    ))
}

/// A confirmed second factor.
pub(super) fn factor(user: UserId, id: FactorId, secret: &TotpSecret) -> Write {
    let place = SealedPlace::Factor { user, id };
    Write::Sql(Statement::new(
        "INSERT INTO factors (user_id, id, key_version, sealed, created_at, confirmed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        [user.bind(), id.bind(), KeyOf(place).bind(), Seal::new(place, secret.as_bytes()).bind(), NOW.bind()],
    ))
}
