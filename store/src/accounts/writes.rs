//! Turns changes of accounts, sessions and second factors into statements.

use crate::accounts::sql::{self, factors, passkeys, sessions};
use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::statement::{Param, Statement, instant, optional, text};
use overturn_core::auth::session::{IDLE_MS, LONGEST_MS};
use overturn_core::base::id::UserId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewSession, NewUser, RecoveryCodes, SessionsToEnd, SpentProof,
};
use overturn_core::plan::{AccountsWrite, Plan};
use overturn_core::request::idempotency::{KEPT_MS, StoredAnswer};

/// The statements of a change of people and their sessions.
pub(crate) fn lower(
    write: &AccountsWrite,
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<Vec<Statement>, SealError> {
    let now = plan.at;
    let at = Param::Int(plan.at.0);
    Ok(match write {
        AccountsWrite::NewUser(new) => vec![user(new)],
        AccountsWrite::PasswordOpened(user) => {
            vec![Statement::new(sql::OPEN_PASSWORD, [text(user)])]
        }
        AccountsWrite::UserRole { practice, user, role } => {
            vec![Statement::new(sql::UPDATE_ROLE, [text(practice), text(user), text(role.name())])]
        }
        AccountsWrite::UserRemoved(user) => {
            vec![Statement::new(sql::REMOVE_USER, [text(user)]), Statement::new(passkeys::DELETE_ALL, [text(user)])]
        }
        AccountsWrite::Epoch { user, epoch } => {
            vec![Statement::new(sql::UPDATE_EPOCH, [text(user), Param::Int(*epoch)])]
        }
        AccountsWrite::NewSession(new) => session(new).into(),
        AccountsWrite::SessionsEnded(which) => vec![ended(*which, now)],
        AccountsWrite::NewContinuation(new) => continuation(new, now).into(),
        AccountsWrite::NewLink(new) => link(new, now).into(),
        AccountsWrite::NewFactor(new) => factor(new, now, sealer)?.into(),
        AccountsWrite::FactorConfirmed { user, factor: id } => vec![
            Statement::new(factors::DELETE_OTHER_FACTORS, [text(user), text(id)]),
            Statement::new(factors::CONFIRM_FACTOR, [text(user), text(id), at]),
        ],
        AccountsWrite::FactorsRemoved(user) => factors_removed(*user).into(),
        AccountsWrite::ProofSpent(spent) => proof_spent(spent, now).into(),
        AccountsWrite::RecoveryCodes(new) => recovery_codes(new).into(),
    })
}

/// How long ended sessions are kept for display.
const ENDED_KEPT_MS: i64 = 30 * LONGEST_MS;

fn at(instant: Instant) -> Param {
    Param::Int(instant.0)
}

pub(crate) fn user(new: &NewUser) -> Statement {
    Statement::new(
        sql::INSERT_USER,
        [
            text(new.id),
            optional(new.practice_id),
            text(new.role.name()),
            text(new.state.name()),
            text(&new.email),
            text(&new.email_key),
            text(&new.name),
            optional(new.password_hash.as_ref()),
            at(new.created_at),
        ],
    )
}

/// Inserts a session, ends those that it replaces, and deletes old ones.
pub(crate) fn session(new: &NewSession) -> [Statement; 3] {
    let (user, id, now) = (text(new.user_id), text(new.id), at(new.created_at));
    let insert = Statement::new(
        sessions::INSERT_SESSION,
        [
            user.clone(),
            id.clone(),
            text(&new.hash),
            text(new.kind.name()),
            Param::Int(new.epoch),
            now.clone(),
            at(new.ends_at()),
            instant(new.verified_at),
            text(&new.place.ip),
            text(&new.place.agent),
            Param::Int(new.sso.into()),
        ],
    );
    let before = at(new.created_at.plus(-ENDED_KEPT_MS));
    [
        Statement::new(sessions::FORGET_SESSIONS, [user.clone(), before]),
        insert,
        Statement::new(sessions::END_EARLIER_SESSIONS, [user, id, now]),
    ]
}

pub(crate) fn ended(which: SessionsToEnd, now: Instant) -> Statement {
    let (now, idle) = (at(now), at(now.plus(-IDLE_MS)));
    match which {
        SessionsToEnd::One(user, id) => Statement::new(sessions::END_SESSION, [text(user), text(id), now]),
        SessionsToEnd::Others(user, id) => Statement::new(sessions::END_OTHER_SESSIONS, [text(user), text(id), now]),
        // No session has the nil id.
        SessionsToEnd::All(user) => Statement::new(sessions::END_OTHER_SESSIONS, [text(user), text(""), now]),
        SessionsToEnd::Surplus(practice, user, id) => {
            Statement::new(sessions::END_SURPLUS_SESSIONS, [text(practice), text(user), text(id), now, idle])
        }
    }
}

/// Inserts a continuation, and deletes the account's expired ones.
pub(crate) fn continuation(new: &NewContinuation, now: Instant) -> [Statement; 2] {
    let insert = Statement::new(
        factors::INSERT_CONTINUATION,
        [
            text(&new.hash),
            text(new.user_id),
            Param::Int(new.epoch),
            optional(new.session_id),
            at(new.expires_at),
            Param::Int(new.sso.into()),
        ],
    );
    [Statement::new(factors::FORGET_CONTINUATIONS, [text(new.user_id), at(now)]), insert]
}

/// Inserts a link, and deletes the account's expired ones.
pub(crate) fn link(new: &NewLink, now: Instant) -> [Statement; 2] {
    let insert = Statement::new(
        sql::INSERT_LINK,
        [text(&new.hash), text(new.kind.name()), text(new.user_id), Param::Int(new.epoch), at(new.expires_at)],
    );
    [Statement::new(sql::FORGET_LINKS, [text(new.user_id), at(now)]), insert]
}

pub(crate) fn factor(new: &NewFactor, now: Instant, sealer: &mut Sealer<'_>) -> Result<[Statement; 2], SealError> {
    let place = SealedPlace::Factor { user: new.user_id, id: new.id };
    let [version, sealed] = sealed(sealer.seal(place, new.secret.as_bytes())?);
    let insert = Statement::new(factors::INSERT_FACTOR, [text(new.user_id), text(new.id), version, sealed, at(now)]);
    Ok([Statement::new(factors::FORGET_FACTORS, [text(new.user_id)]), insert])
}

pub(crate) fn factors_removed(user: UserId) -> [Statement; 3] {
    // No factor has the nil id, and the list keeps no code.
    let none = Param::Text(json(&[""; 0]));
    [
        Statement::new(factors::DELETE_OTHER_FACTORS, [text(user), text("")]),
        Statement::new(factors::DELETE_RECOVERY_CODES, [text(user), none]),
        Statement::new(passkeys::DELETE_ALL, [text(user)]),
    ]
}

/// Marks a proof as spent, and deletes a few that could not be accepted any more.
pub(crate) fn proof_spent(spent: &SpentProof, now: Instant) -> [Statement; 2] {
    [
        Statement::new(passkeys::FORGET_PROOFS, [at(now)]),
        Statement::new(passkeys::SPEND_PROOF, [text(&spent.hash), at(spent.expires_at)]),
    ]
}

pub(crate) fn recovery_codes(new: &RecoveryCodes) -> [Statement; 2] {
    let params = [text(new.user_id), Param::Text(json(&new.hashes))];
    [
        Statement::new(factors::DELETE_RECOVERY_CODES, params.clone()),
        Statement::new(factors::INSERT_RECOVERY_CODES, params),
    ]
}

/// Stores an answer, and deletes the account's old ones. The batch writes nothing if another request with the same key
/// came first.
pub(crate) fn answer(new: &StoredAnswer, plan: &Plan<'_>) -> [Statement; 3] {
    let (user, place) = (text(new.caller), text(&new.request.place));
    let request = text(plan.request_id);
    let insert = Statement::new(
        sql::INSERT_ANSWER,
        [
            user.clone(),
            place.clone(),
            request.clone(),
            text(&new.request.fingerprint),
            Param::Int(i64::from(new.status)),
            text(json(&new.body)),
            at(plan.at),
        ],
    );
    let before = at(plan.at.plus(-KEPT_MS));
    [
        Statement::new(sql::FORGET_ANSWERS, [user.clone(), before]),
        Statement::new(sql::GUARD_ANSWER, [user, place, request]),
        insert,
    ]
}
