//! `/api/v1/auth/session/2fa`: the second factor, at sign-in and again before sensitive actions.

pub(super) mod proof;

use crate::accounts::account::in_use;
use crate::accounts::continuation::{self, StoredContinuation};
use crate::accounts::new_session::{self, PresentedSession, SessionToBegin, SignInContext, setting};
use crate::accounts::passkeys::assertion::{
    self, AssertionUse, PresentedAssertion, StoredAssertion, accept, is_overtaken, log_overtaken,
};
use crate::accounts::passkeys::ceremony;
use crate::accounts::second_factor::proof::{Accepted, OpenedFactors, PresentedFactor};
use crate::accounts::sessions::{SessionState, renew_token};
use crate::accounts::signed_in::SignedInView;
use crate::auth::session::SessionKind;
use crate::auth::totp::TotpSecret;
use crate::call::Call;
use crate::extract::{PasskeyCookie, SignInRequest};
use crate::pipeline::{self, after_commit, tampered};
use crate::plan::Actor;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::sign_in_limits::{self, CountedAccount};
use overturn_core::base::id::{SessionId, UserId};
use std::rc::Rc;

/// The session that confirms its second factor again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ConfirmingSession {
    id: SessionId,
    /// True if its own page sent the code.
    proven: bool,
}

/// `showSecondFactor`: Show a second factor.
///
/// With the token of a sign-in, this completes the sign-in: `200` and a session. With the token from a sensitive
/// action, it needs that session's cookie and `X-CSRF-Token`. The session then continues under a new token: `204`.
/// A token allows five tries, and it works once. Instead of a `code`, you can send a `passkey` (see *Passkeys*).
pub(crate) async fn present(
    PasskeyCookie(cookie): PasskeyCookie,
    request: SignInRequest<PresentedFactor>,
) -> Result<Gives<SignedInView, 200, 204>, AppError> {
    check(request, cookie.as_deref()).await.map(Gives::from)
}

/// 1. Is the body valid? `400`, `413`, `422`. Are there too many attempts from the address? `429`.
/// 2. Count the attempt and load its continuation, and the session of the request.
/// 3. Are there too many attempts on the account? `429`. Is anything wrong? `401`, with an audit row after the answer.
/// 4. Write the session or its new token, and mark the code or the challenge as used in the same batch.
///
/// `cookie` is that of a passkey's ceremony.
async fn check(request: SignInRequest<PresentedFactor>, cookie: Option<&str>) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    let session = PresentedSession::new(&call, presented.as_ref());
    let (shown, call) = body.parse_in_cell(&call)?;
    sign_in_limits::second_factor(&call).await?;
    let hash = shown.hash()?;
    let ceremony = shown.proof.passkey().and_then(|_| assertion::open(&call, cookie));
    let queries = (
        continuation::stored(&hash),
        session.beside(&call),
        shown.proof.passkey().map(|response| assertion::passkey_of_credential(response.id())),
        ceremony::is_spent(ceremony.as_ref()),
    );
    let count = continuation::count_attempt(&hash);
    let (stored, standing, passkey, is_spent) = pipeline::count_and_read(&call, count, &queries).await?;
    let standing = session.standing(standing).await?;
    let again = standing.as_ref().zip(presented.as_ref()).and_then(|(standing, presented)| {
        let id = standing.session_in_force(call.ctx.now)?;
        Some(ConfirmingSession { id, proven: presented.is_proven() })
    });

    let stored = stored.ok_or(RequestError::SignInFailed)?;
    let email_key = stored.account.email_key();
    let counted = CountedAccount { email_key: &email_key, device: device.as_deref() };
    sign_in_limits::code(&call, &counted).await?;
    let is_known = counted.device(&call).is_some();
    let setting = SignInContext { browser: session.browser(standing.as_ref(), is_known), ..setting(&call)? };
    let user = stored.account.user_id;
    let opened = match shown.proof.passkey() {
        None => OpenedFactors { secret: secret(&call, &stored)?, passkey: None },
        Some(response) => {
            let passkey = passkey.flatten();
            let presented = PresentedAssertion {
                ceremony,
                used_for: AssertionUse::SecondFactor(user, &hash),
                response,
                stored: StoredAssertion { passkey: passkey.as_ref(), is_spent: is_spent.unwrap_or_default() },
            };
            OpenedFactors { secret: None, passkey: accept(&call, presented, setting).await? }
        }
    };
    let fail = || {
        let entry = failure(&shown, &stored, setting);
        pipeline::record_in_background(&call, Actor::User(user), vec![Write::Audit(entry)]);
    };
    let change = confirmed(&shown, &stored, opened, again, setting).inspect_err(|_| fail())?;
    let done = pipeline::commit_signing_in(&call, Actor::User(user), change).await;
    if is_overtaken(&done) {
        if shown.proof.passkey().is_some() {
            log_overtaken(&call);
        }
        fail();
    }
    let mut response = done?;
    after_commit::know_device(&call, &email_key, device.as_deref(), &mut response)?;
    if shown.proof.passkey().is_some() {
        ceremony::end(&mut response)?;
    }
    Ok(response)
}

/// The opened secret of the account's authenticator app.
fn secret(call: &Rc<Call>, stored: &StoredContinuation) -> Result<Option<TotpSecret>, AppError> {
    let secret = stored.factor.as_ref().map(|factor| factor.secret(stored.account.user_id, &call.app.keys));
    Ok(tampered::reported(call, secret.transpose())?)
}

/// Completes the sign-in, or lets the session that asked for it do sensitive actions, under a new token. `session` is the
/// session of the request, if it is active.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for any problem of the token or the proof; [`RequestError::NotAuthorized`] for a session
/// whose own page did not send it.
fn confirmed(
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
    let accepted = shown.proof.accept(stored, opened, ctx.now).ok_or(RequestError::SignInFailed)?;
    let detail = json!({ "by": accepted.name(), "ip": setting.place.ip });
    let entry = |event| Entry::new(ctx, 0, account.practice_id, event, account.user_id).detail(detail);
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
            let change = Change::new(entry(Event::Verified).session(Some(id)), Answer::empty());
            let state = SessionState::verified(ctx.now);
            renew_token(change, (account.user_id, id, account.epoch), state, setting.random).guard(is_active(
                account.user_id,
                id,
                ctx.now,
            ))
        }
    };
    let change = change.guard(in_use(account.user_id, account.epoch));
    let mut change = continuation::use_up(change, &shown.hash()?, stored.sso, ctx.now);
    if let Accepted::Recovery(_) = accepted {
        let left = stored.recovery.len().saturating_sub(1);
        change = new_session::tell(change, account, LetterKind::RecoveryCodeUsed { at: Time(ctx.now), left });
    }
    Ok(accepted.use_up(account.user_id, change, ctx.now))
}

/// The session was not ended in the meantime.
fn is_active(user: UserId, session: SessionId, now: Instant) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM sessions
           WHERE user_id = {user} AND id = {session} AND revoked_at IS NULL AND ends_at > {now})";
        user, session, now
    )
}

/// The audit row of a wrong second factor.
fn failure(shown: &PresentedFactor, stored: &StoredContinuation, setting: SignInContext<'_>) -> Entry {
    let account = &stored.account;
    let event = match stored.session_id {
        None => Event::SignInFailed,
        Some(_) => Event::VerificationFailed,
    };
    let entry = Entry::new(setting.ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "by": shown.proof.name(), "ip": setting.place.ip })).session(stored.session_id)
}

#[cfg(test)]
mod tests;
