//! The second factor, at sign-in and again before sensitive actions.

mod proof;

pub(crate) use proof::CODE_MAX;
pub use proof::Code;
pub use proof::{FactorCode, FactorProof, OpenedFactors, PresentedFactor};

use crate::accounts::continuation::StoredContinuation;
use crate::accounts::new_session::{self, SessionToBegin, SignInContext};
use crate::auth::session::SessionKind;
use crate::base::id::{SessionId, UserId};
use crate::base::secret::SessionToken;
use crate::base::time::Time;
use crate::plan::accounts::SessionTurn;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use proof::{Accepted, accept};
use serde_json::json;

/// The session that confirms its second factor again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConfirmingSession {
    pub id: SessionId,
    /// True if its own page sent the code.
    pub proven: bool,
}

/// Checks a second factor. It completes the sign-in, or lets the session that asked for it do sensitive actions, under
/// a new token.
///
/// `session` is the session of the request, if it is active.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for any problem of the token or the proof; [`RequestError::NotAuthorized`] for a session whose own
/// page did not send it.
pub fn show(
    shown: &PresentedFactor,
    stored: &StoredContinuation,
    opened: OpenedFactors,
    session: Option<ConfirmingSession>,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let ctx = setting.ctx;
    if !stored.counts(ctx.now) {
        return Err(RequestError::SignInFailed);
    }
    let account = &stored.account;
    let accepted = accept(&shown.proof, stored, opened, ctx.now).ok_or(RequestError::SignInFailed)?;
    let detail = json!({ "by": accepted.name(), "ip": setting.place.ip });
    let entry = |event| {
        let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
        entry.detail(detail)
    };
    let change = match stored.session_id {
        None => {
            let session = SessionToBegin { kind: SessionKind::Full, sso: stored.sso, verified_at: Some(ctx.now) };
            new_session::begin(account, session, entry(Event::SignedIn), setting)
        }
        Some(id) => {
            let again = session.filter(|session| session.id == id).ok_or(RequestError::SignInFailed)?;
            if !again.proven {
                return Err(RequestError::NotAuthorized(Reason::CsrfMismatch, "X-CSRF-Token is missing or wrong"));
            }
            let change = Change::new(entry(Event::Verified), Answer::empty());
            turn(change, account.user_id, id, account.epoch, setting)
                .guard(Guard::Accounts(AccountsGuard::Session { user: account.user_id, session: id }))
        }
    };
    let hash = shown.token.hash();
    let mut change = change
        .guard(Guard::Accounts(AccountsGuard::InUse { user: account.user_id, epoch: account.epoch }))
        .guard(Guard::Accounts(AccountsGuard::Continuation(hash.clone())))
        .write(Write::Accounts(AccountsWrite::ContinuationUsed(hash)));
    if let Accepted::Recovery(_) = accepted {
        let left = stored.recovery.len().saturating_sub(1);
        let at = Time(ctx.now);
        change = new_session::tell(change, account, LetterKind::RecoveryCodeUsed { at, left });
    }
    Ok(accepted.spend(account.user_id, change))
}

/// The audit row of a wrong second factor.
#[must_use]
pub fn failure(shown: &PresentedFactor, stored: &StoredContinuation, setting: SignInContext<'_>) -> Entry {
    let account = &stored.account;
    let event = match stored.session_id {
        None => Event::SignInFailed,
        Some(_) => Event::VerificationFailed,
    };
    let entry = Entry::new(setting.ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "by": shown.proof.name(), "ip": setting.place.ip })).session(stored.session_id)
}

/// Counts a try at a second factor, before anything is compared. A batch that runs twice counts it twice.
#[must_use]
pub fn count_try(shown: &PresentedFactor) -> Write<'static> {
    Write::Accounts(AccountsWrite::ContinuationTried(shown.token.hash()))
}

/// Gives a session a new token, with the second factor confirmed now.
pub(crate) fn turn(change: Change, user_id: UserId, id: SessionId, epoch: i64, setting: SignInContext<'_>) -> Change {
    let token = SessionToken::mint(setting.random);
    let turned = SessionTurn {
        user_id,
        id,
        hash: token.hash(),
        kind: SessionKind::Full,
        epoch,
        verified_at: Some(setting.ctx.now),
    };
    change.write(Write::Accounts(AccountsWrite::SessionTurned(turned))).after(After::SetSession(id, token))
}

#[cfg(test)]
mod tests;
