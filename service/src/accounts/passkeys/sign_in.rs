//! `/api/v1/auth/session/passkey` and `/api/v1/auth/session/2fa/passkey/options`: signing in with a passkey.

use crate::accounts::account::Account;
use crate::accounts::continuation;
use crate::accounts::new_session::{PresentedSession, SignInContext, setting};
use crate::accounts::passkeys::assertion::{
    self, AcceptedAssertion, Assertion, AssertionUse, PasskeySignIn, PresentedAssertion, StoredAssertion, accept,
    is_overtaken, log_overtaken, passkey_of_credential,
};
use crate::accounts::passkeys::ceremony::{self, AssertionOptions, log, relying_party};
use crate::accounts::passkeys::{StoredPasskey, of_continuation};
use crate::accounts::sign_in::{self, FirstFactor, ShownFactor};
use crate::accounts::signed_in::SignedInView;
use crate::cookies::ceremony::CeremonyPurpose;
use crate::extract::{NamesCell, PasskeyCookie, PublicRequest, SignInRequest};
use crate::pipeline::{self, after_commit};
use crate::plan::Actor;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Token;
use crate::request::secret::ContinuationToken;
use crate::sign_in_limits::{self, CountedAccount};
use overturn_core::base::cell::Cell;
use overturn_core::identity::passkeys::{BeginAssertion, RelyingParty};
use std::cmp::Reverse;

body! {
    AskedFactor { continuation_token: Token<ContinuationToken> }
}

impl NamesCell for AskedFactor {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.continuation_token.as_ref().ok().map(ContinuationToken::handed_out)
    }
}

/// The most bytes of credential ids that an assertion names. The cookie of the ceremony holds them, and one id has at most
/// 1,023 bytes.
const IDS_MAX: usize = 1800;

/// `beginPasskeySignIn`: Start to sign in with a passkey.
///
/// The options name no passkeys, and the authenticator names the account. Sixty calls a minute from one address,
/// together with the other calls about passkeys that have no session.
pub(crate) async fn begin_sign_in(PublicRequest { call }: PublicRequest) -> Result<Gives<AssertionOptions>, AppError> {
    sign_in_limits::passkey(&call).await?;
    let question = BeginAssertion { rp: relying_party(&call), allow: Vec::new() };
    let content = |state| Assertion { state, continuation: None };
    ceremony::begin(&call, &question, CeremonyPurpose::Assertion, content).await.map(Gives::from)
}

/// `beginPasskeyFactor`: Start to show a passkey as the second factor.
///
/// The options name the passkeys of the account. If their ids are unusually long, the options name the ones that
/// were used last. `409` if the account has none: show a code instead. Ten calls a minute for an account from one
/// address or known device.
pub(crate) async fn begin_second_factor(
    request: SignInRequest<AskedFactor>,
) -> Result<Gives<AssertionOptions>, AppError> {
    let SignInRequest { call, device, body, .. } = request;
    sign_in_limits::passkey(&call).await?;
    let (asked, call) = body.parse_in_cell(&call)?;
    let hash = asked.continuation_token?.hash();
    let (stored, passkeys) = call.db.read(&(continuation::stored(&hash), of_continuation(&hash))).await?;
    let stored = stored.filter(|stored| stored.can_be_tried(call.ctx.now)).ok_or(RequestError::SignInFailed)?;
    let email_key = stored.account.email_key();
    let counted = CountedAccount { email_key: &email_key, device: device.as_deref() };
    sign_in_limits::passkey_factor(&call, &counted).await?;
    let question = options(&passkeys, relying_party(&call))?;
    let content = |state| Assertion { state, continuation: Some(hash) };
    ceremony::begin(&call, &question, CeremonyPurpose::Assertion, content).await.map(Gives::from)
}

/// `signInWithPasskey`: Sign in with a passkey instead of a password.
///
/// Needs the cookie from the call before. The session is a full one, as after a password and a code. Every refusal
/// gets the same answer.
pub(crate) async fn sign_in(
    PasskeyCookie(cookie): PasskeyCookie,
    request: SignInRequest<PasskeySignIn>,
) -> Result<Gives<SignedInView>, AppError> {
    check(request, cookie.as_deref()).await.map(Gives::from)
}

/// 1. Are there too many calls? `429`. Is the body valid? `400`, `413`, `422`.
/// 2. Load the passkey with its account, and the session of the request. An unknown passkey: `401`.
/// 3. Are there too many attempts on the account? `429`. Is anything wrong? `401`, with an audit row after the answer.
/// 4. Write the session, and mark the challenge as used in the same batch.
async fn check(request: SignInRequest<PasskeySignIn>, cookie: Option<&str>) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    sign_in_limits::passkey(&call).await?;
    let session = PresentedSession::new(&call, presented.as_ref());
    let (PasskeySignIn { credential }, call) = body.parse_in_cell(&call)?;
    let ceremony = assertion::open(&call, cookie);
    let queries =
        (passkey_of_credential(credential.id()), session.beside(&call), ceremony::is_spent(ceremony.as_ref()));
    let (stored, standing, is_spent) = call.db.read(&queries).await?;
    let Some(stored) = stored else {
        log(&call, "unknown_passkey", "");
        return Err(RequestError::SignInFailed.into());
    };
    let email_key = stored.account.email_key();
    let counted = CountedAccount { email_key: &email_key, device: device.as_deref() };
    sign_in_limits::code(&call, &counted).await?;
    let is_known = counted.device(&call).is_some();
    let standing = session.standing(standing).await?;
    let setting = SignInContext { browser: session.browser(standing.as_ref(), is_known), ..setting(&call)? };
    let presented = PresentedAssertion {
        ceremony,
        used_for: AssertionUse::SignIn,
        response: &credential,
        stored: StoredAssertion { passkey: Some(&stored), is_spent: is_spent.unwrap_or_default() },
    };
    let actor = Actor::User(stored.account.user_id);
    let fail = || {
        let entry = failure(&stored.account, setting);
        pipeline::record_in_background(&call, actor, vec![Write::Audit(entry)]);
    };
    let Some(accepted) = accept(&call, presented, setting).await? else {
        fail();
        return Err(RequestError::SignInFailed.into());
    };
    let change = signed_in(&stored.account, accepted, setting);
    let done = pipeline::commit_signing_in(&call, actor, change).await;
    if is_overtaken(&done) {
        log_overtaken(&call);
        fail();
    }
    let mut response = done?;
    after_commit::know_device(&call, &email_key, device.as_deref(), &mut response)?;
    ceremony::end(&mut response)?;
    Ok(response)
}

/// If the ids of the account's passkeys are too long for the cookie, the options name those that were used last.
///
/// # Errors
///
/// [`RequestError::Conflict`] for an account without passkeys: who has the continuation token has shown the first factor,
/// and may learn which second factors there are.
fn options(passkeys: &[StoredPasskey], rp: RelyingParty) -> Result<BeginAssertion, RequestError> {
    if passkeys.is_empty() {
        return Err(RequestError::Conflict(Reason::NoFactor, "the account has no passkey"));
    }
    let mut recent: Vec<&StoredPasskey> = passkeys.iter().collect();
    recent.sort_by_key(|passkey| Reverse(passkey.last_used_at.unwrap_or(passkey.created_at).0));
    let mut room = IDS_MAX;
    recent.retain(|passkey| {
        // Base64url writes three bytes as four characters.
        let bytes = passkey.credential.id.len().saturating_mul(3) / 4;
        let left = room.checked_sub(bytes);
        room = left.unwrap_or(room);
        left.is_some()
    });
    Ok(BeginAssertion { rp, allow: recent.into_iter().map(StoredPasskey::known).collect() })
}

fn signed_in(account: &Account, accepted: AcceptedAssertion, setting: SignInContext<'_>) -> Change {
    let passkey = accepted.passkey().to_string();
    let first = ShownFactor {
        by: FirstFactor::Passkey,
        source: Some(&passkey),
        sso: None,
        proves_second_factor: true,
        verified_at: Some(setting.ctx.now),
    };
    accepted.use_up(sign_in::passed(account, first, setting).change, setting.ctx.now)
}

/// The audit row of a sign-in whose assertion was refused.
fn failure(account: &Account, setting: SignInContext<'_>) -> Entry {
    let entry = Entry::new(setting.ctx, 0, account.practice_id, Event::SignInFailed, account.user_id);
    entry.detail(json!({ "by": FirstFactor::Passkey.name(), "ip": setting.place.ip }))
}

#[cfg(test)]
mod tests;
