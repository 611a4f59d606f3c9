//! The second factor, at sign-in and again before sensitive actions.

use crate::accounts::account::Account;
use crate::accounts::new_session::{self, SignInContext};
use crate::accounts::recovery::RecoveryCode;
use crate::auth::session::SessionKind;
use crate::base::id::{FactorId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::base::secret::{ContinuationToken, SecretError, SessionToken};
use crate::base::time::Time;
use crate::base::totp::TotpSecret;
use crate::plan::accounts::{CONTINUATION_ATTEMPTS, SessionTurn};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;
use serde_json::json;

/// The longest code that is read: a recovery code with its dashes, and room for spaces.
pub(crate) const CODE_MAX: usize = 64;

object! {
    /// The body with a second factor, unchecked.
    RawShown { continuation_token: Text<'a>, code: Text<'a>, }
}

/// A presented second factor. `Debug` does not print the code.
#[derive(Debug)]
pub struct PresentedFactor {
    /// The continuation token that asked for it.
    pub token: ContinuationToken,
    /// The code.
    pub code: FactorCode,
}

/// A code of an authenticator app or a recovery code. `Debug` does not print it.
pub struct FactorCode(pub(crate) String);

impl core::fmt::Debug for FactorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FactorCode(…)")
    }
}

/// The stored state of a continuation token, with this attempt counted.
#[derive(Debug, Deserialize)]
pub struct StoredContinuation {
    /// The account that passed its first factor.
    pub account: Account,
    /// The account's epoch at that time.
    pub epoch: i64,
    /// The session that must confirm the second factor again; `None` at sign-in.
    pub session_id: Option<SessionId>,
    /// When it ends.
    pub expires_at: Instant,
    /// True if it was used.
    pub used: bool,
    /// How many codes were tried, including this one.
    pub attempts: i64,
    /// The account's second factor.
    pub factor: Option<StoredFactor>,
    /// The hashes of the unused recovery codes.
    pub recovery: Vec<String>,
}

/// The stored state of a second factor.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredFactor {
    /// Its id.
    pub id: FactorId,
    /// The key that its secret is sealed under.
    pub key_version: KeyVersion,
    /// The sealed secret.
    pub sealed: String,
    /// The time step of the last code that was accepted.
    pub last_step: Option<i64>,
}

/// Reads `{continuation_token, code}`. Text that cannot be a continuation token counts as an unknown one.
///
/// # Errors
///
/// [`RequestError::Malformed`], [`RequestError::Invalid`] with every problem, [`RequestError::SignInFailed`].
pub fn parse(body: &[u8]) -> Result<PresentedFactor, RequestError> {
    let raw: RawShown<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let token = field::required(
        &mut p,
        "continuation_token",
        raw.continuation_token,
        CODE_MAX.saturating_mul(2),
    );
    let code = field::required(&mut p, "code", raw.code, CODE_MAX);
    let (token, code) = p.settle(token.zip(code))?;
    Ok(PresentedFactor {
        token: token
            .parse()
            .map_err(|SecretError| RequestError::SignInFailed)?,
        code: FactorCode(code.into_owned()),
    })
}

/// The session that confirms its second factor again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConfirmingSession {
    /// The session.
    pub id: SessionId,
    /// True if its own page sent the code.
    pub proven: bool,
}

/// Checks a second factor. It completes the sign-in, or lets the session that asked for it do sensitive actions, under
/// a new token.
///
/// `secret` is the opened secret of the factor; `session` is the session of the request, if it is active.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for any problem of the token or the code; [`RequestError::NotAuthorized`] for a session whose own
/// page did not send it.
pub fn show(
    shown: &PresentedFactor,
    stored: &StoredContinuation,
    secret: Option<&TotpSecret>,
    session: Option<ConfirmingSession>,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let ctx = setting.ctx;
    if !stored.counts(ctx.now) {
        return Err(RequestError::SignInFailed);
    }
    let account = &stored.account;
    let accepted =
        accept(&shown.code, stored, secret, ctx.now).ok_or(RequestError::SignInFailed)?;
    let detail = json!({ "by": accepted.name(), "ip": setting.place.ip });
    let entry = |event| {
        let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
        entry.detail(detail)
    };
    let change = match stored.session_id {
        None => new_session::begin(account, SessionKind::Full, entry(Event::SignedIn), setting),
        Some(id) => {
            let again = session
                .filter(|session| session.id == id)
                .ok_or(RequestError::SignInFailed)?;
            if !again.proven {
                return Err(RequestError::NotAuthorized(
                    "X-CSRF-Token is missing or wrong",
                ));
            }
            let change = Change::new(entry(Event::Verified), Answer::empty());
            turn(change, account.user_id, id, account.epoch, setting).guard(Guard::Accounts(
                AccountsGuard::Session {
                    user: account.user_id,
                    session: id,
                },
            ))
        }
    };
    let hash = shown.token.hash();
    let mut change = change
        .guard(Guard::Accounts(AccountsGuard::InUse {
            user: account.user_id,
            epoch: account.epoch,
        }))
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
pub fn failure(stored: &StoredContinuation, setting: SignInContext<'_>) -> Entry {
    let account = &stored.account;
    let event = match stored.session_id {
        None => Event::SignInFailed,
        Some(_) => Event::VerificationFailed,
    };
    let entry = Entry::new(setting.ctx, 0, account.practice_id, event, account.user_id);
    entry
        .detail(json!({ "by": "code", "ip": setting.place.ip }))
        .session(stored.session_id)
}

/// Counts a try at a code, before anything is compared. A batch that runs twice counts it twice.
#[must_use]
pub fn count_try(shown: &PresentedFactor) -> Write<'static> {
    Write::Accounts(AccountsWrite::ContinuationTried(shown.token.hash()))
}

impl StoredContinuation {
    /// True if another code may be tried with this token.
    #[must_use]
    pub fn can_be_tried(&self, now: Instant) -> bool {
        self.counts(now) && self.attempts < CONTINUATION_ATTEMPTS
    }

    fn counts(&self, now: Instant) -> bool {
        !self.used
            && now < self.expires_at
            && self.attempts <= CONTINUATION_ATTEMPTS
            && self.epoch == self.account.epoch
    }
}

/// The accepted code.
enum Accepted {
    Step(FactorId, i64),
    Recovery(String),
}

fn accept(
    code: &FactorCode,
    stored: &StoredContinuation,
    secret: Option<&TotpSecret>,
    now: Instant,
) -> Option<Accepted> {
    let by_app = stored
        .factor
        .as_ref()
        .zip(secret)
        .and_then(|(factor, secret)| {
            let step = secret.accept(&code.0, now, factor.last_step)?;
            Some(Accepted::Step(factor.id, step))
        });
    by_app.or_else(|| {
        let code: RecoveryCode = code.0.parse().ok()?;
        let hash = code.hash(stored.account.user_id);
        let known = stored.recovery.contains(&hash);
        known.then_some(Accepted::Recovery(hash))
    })
}

impl Accepted {
    const fn name(&self) -> &'static str {
        match self {
            Self::Step(..) => "totp",
            Self::Recovery(_) => "recovery_code",
        }
    }

    /// Marks the code as used, so that it is never accepted again.
    fn spend(self, user: UserId, change: Change) -> Change {
        match self {
            Self::Step(factor, step) => change
                .guard(Guard::Accounts(AccountsGuard::Step { user, factor, step }))
                .write(Write::Accounts(AccountsWrite::FactorStep {
                    user,
                    factor,
                    step,
                })),
            Self::Recovery(hash) => change
                .guard(Guard::Accounts(AccountsGuard::RecoveryCode {
                    user,
                    hash: hash.clone(),
                }))
                .write(Write::Accounts(AccountsWrite::RecoveryCodeUsed {
                    user,
                    hash,
                })),
        }
    }
}

/// Gives a session a new token, with the second factor confirmed now.
pub(crate) fn turn(
    change: Change,
    user_id: UserId,
    id: SessionId,
    epoch: i64,
    setting: SignInContext<'_>,
) -> Change {
    let token = SessionToken::mint(setting.random);
    let turned = SessionTurn {
        user_id,
        id,
        hash: token.hash(),
        kind: SessionKind::Full,
        epoch,
        verified_at: Some(setting.ctx.now),
    };
    change
        .write(Write::Accounts(AccountsWrite::SessionTurned(turned)))
        .after(After::SetSession(id, token))
}

#[cfg(test)]
mod tests;
