//! Counts the patients that a staff member opens, as statements.

use super::sql::pace as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{ClaimId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::work::records::Pace;

/// Checks that the patient of a claim, or one who was not opened yet, may be opened without a second factor.
pub(crate) fn guard(pace: Pace, of: Option<(PracticeId, ClaimId)>, now: Instant) -> Statement {
    let (practice, claim) = of.unzip();
    Statement::new(
        sql::GUARD_PATIENTS,
        [
            text(pace.user_id),
            text(pace.session_id),
            practice.map_or(Param::Null, text),
            claim.map_or(Param::Null, text),
            Param::Int(now.plus(pace.window_ms.saturating_neg()).0),
            Param::Int(pace.limit.into()),
        ],
    )
}

/// Records that the patient of a claim is opened, and deletes entries older than the window.
pub(crate) fn opened(pace: Pace, practice: PracticeId, claim: ClaimId, now: Instant) -> [Statement; 2] {
    let user = text(pace.user_id);
    let before = Param::Int(now.plus(pace.window_ms.saturating_neg()).0);
    let open = [user.clone(), text(practice), text(claim), Param::Int(now.0)];
    [Statement::new(sql::FORGET_OPENED, [user, before]), Statement::new(sql::OPEN_PATIENT, open)]
}

/// Checks that no alert was left about the session.
pub(crate) fn not_alerted(user: UserId, session: SessionId) -> Statement {
    Statement::new(sql::GUARD_NOT_ALERTED, [text(user), text(session)])
}

/// Records an alert about a session.
pub(crate) fn alerted(user: UserId, session: SessionId, now: Instant) -> Statement {
    Statement::new(sql::ALERTED, [text(user), text(session), Param::Int(now.0)])
}

/// Removes the patients that were opened until an instant.
pub(crate) fn opened_forgotten(until: Instant) -> Statement {
    Statement::new(sql::FORGET_ALL_OPENED, [Param::Int(until.0)])
}
