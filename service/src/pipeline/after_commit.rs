//! The answer to a committed change, and the work after the answer.

use crate::call::Call;
use crate::console;
use crate::cookies::{self, device};
use crate::error::AppError;
use crate::host::{Letter, QueueMessage};
use crate::kv::LastUse;
use crate::mail::{INVITATION_MS, LINK_MS, letters};
use crate::pipeline::queue;
use crate::plan::change::{After, Change, LetterKind, PlannedLetter as Written};
use crate::plan::words::InWords as _;
use crate::request::idempotency::Kept;
use crate::request::secret::LinkToken;
use crate::response;
use crate::response::Response;
use crate::sign_in_limits;
use http::header::{HeaderName, SET_COOKIE};
use http::{HeaderValue, StatusCode};
use serde_json::Value;
use std::rc::Rc;

/// Marks a repeated answer.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The answer to a change, once.
pub(crate) fn first(call: &Rc<Call>, change: Change) -> Result<Response, AppError> {
    let mut response = answer(change.answer.status, &change.answer.first());
    for after in change.after {
        match after {
            After::SetSession(id, token) => {
                set_cookies(&mut response, cookies::begin_session(&token))?;
                let seen_at = call.ctx.now;
                see(call, token.hash(), LastUse { id, seen_at });
            }
            After::ClearSession(hash) => {
                set_cookies(&mut response, cookies::end_session())?;
                forget(call, hash);
            }
            After::Mail(letter) => send(call, letter),
            After::Deliver(practice_id, messages) => queue::tell(call, QueueMessage { practice_id, messages }),
        }
    }
    Ok(response)
}

/// The answer to a repeated request.
pub(crate) fn repeated(kept: &Kept) -> Response {
    as_repeated(answer(kept.status, &kept.body))
}

/// Marks the answer of an earlier request.
pub(crate) fn as_repeated(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// True if the answer is that of an earlier request.
pub(crate) fn is_repeated(response: &Response) -> bool {
    response.headers().contains_key(REPLAYED)
}

/// A response with this body, or without one.
pub(crate) fn answer(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    if body.is_null() { response::empty(status) } else { response::json(status, body) }
}

/// Adds cookies to a response.
pub(crate) fn set_cookies(response: &mut Response, cookies: impl IntoIterator<Item = String>) -> Result<(), AppError> {
    for cookie in cookies {
        // The cause adds nothing.
        let cookie = HeaderValue::try_from(cookie).map_err(|_| AppError::Internal("cookie"))?;
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(())
}

/// Sets the device cookie for a completed sign-in to the account of an address. The other accounts in the cookie
/// `before` stay.
pub(crate) fn know_device(
    call: &Call,
    email_key: &str,
    before: Option<&str>,
    response: &mut Response,
) -> Result<(), AppError> {
    let keys = &call.app.keys.devices;
    let mark = device::mark(keys, email_key, call.app.host.bytes()?);
    let is_another = |mark: &str| device::recognise(keys, email_key, mark).is_none();
    let marks = device::join(&mark, before, is_another);
    set_cookies(response, [cookies::know_device(&marks)])
}

/// Records a use of a session in KV, after the answer.
pub(crate) fn see(call: &Rc<Call>, hash: String, seen: LastUse) {
    call.after_answer(async move |call| {
        if call.app.sessions.put(&hash, seen).await.is_err() {
            log::error!("{}", serde_json::json!({ "event": "session_not_written" }));
        }
    });
}

/// Deletes a session's KV entry after the answer. The entry alone gives no access.
fn forget(call: &Rc<Call>, hash: String) {
    call.after_answer(async move |call| {
        let _expires_by_itself = call.app.sessions.delete(&hash).await;
    });
}

/// Sends an email after the answer.
pub(crate) fn send(call: &Rc<Call>, written: Written) {
    call.after_answer(async move |call| {
        if written.says.may_be_left_out() && sign_in_limits::notice(&call, &written.to.key()).await.is_err() {
            log::info!("{}", serde_json::json!({ "event": "letter_left_out" }));
            return;
        }
        let origin = call.app.settings.origin(&call.url);
        let letter = letter(&origin, &written);
        // The mailer has logged the reason.
        let _sent = call.app.mailer.send(&letter).await;
    });
}

fn letter(origin: &str, written: &Written) -> Letter {
    let to = written.to.as_str();
    let link = |page: &str, token: &LinkToken| {
        let page = console::with_fragment(page, token.expose());
        format!("{origin}{page}")
    };
    match &written.says {
        LetterKind::SignIn(token) => letters::sign_in(to, &link(console::MAGIC_LINK, token), LINK_MS),
        LetterKind::PasswordReset(token) => letters::password_reset(to, &link(console::PASSWORD_RESET, token), LINK_MS),
        LetterKind::Invitation { practice, inviter, token } => {
            let url = link(console::INVITATION, token);
            letters::invitation(to, practice, inviter, &url, INVITATION_MS)
        }
        LetterKind::PasswordChanged => letters::password_changed(to),
        LetterKind::FactorChanged => letters::factor_changed(to),
        LetterKind::PasskeyChanged { name, added } => letters::passkey_changed(to, name, *added),
        LetterKind::RecoveryCodeUsed { at, left } => letters::recovery_code_used(to, &at.in_words(), *left),
        LetterKind::NewDevice { at, ip, agent } => letters::new_device(to, &at.in_words(), ip, agent),
        LetterKind::PasskeyCopied { name, at } => letters::passkey_copied(to, name, &at.in_words()),
        LetterKind::PasswordClosed { failures } => letters::password_closed(to, *failures),
        LetterKind::KeysRemain { keys, removed } => letters::keys_remain(to, *keys, *removed),
        LetterKind::IdentityChanged { provider, joined } => letters::identity_changed(to, provider, *joined),
    }
}
