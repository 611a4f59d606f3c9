//! Passkeys: ceremonies with the browser, and the questions about them to the identity Worker.

use super::context::{browser, setting};
use super::recovery_codes;
use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use crate::extract::{SignInRequest, WriteRequest};
use crate::pipeline::{self, after_commit, log_refused};
use crate::response::Response;
use crate::sign_in_limits;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::ceremony::{self, CeremonyPurpose, OpenedCeremony};
use overturn_core::accounts::new_session::SignInContext;
use overturn_core::accounts::passkeys::assertion::{
    self, AcceptedAssertion, AskedFactor, Assertion, AssertionUse, PasskeySignIn, StoredAssertion,
};
use overturn_core::accounts::passkeys::enrolment::{
    self, CheckedRegistration, Enrolling, Registration, RequestedPasskey,
};
use overturn_core::accounts::passkeys::{Credential, StoredPasskey};
use overturn_core::auth::person::Person;
use overturn_core::identity::passkeys::{BegunCeremony, RelyingParty};
use overturn_core::identity::{Question, Verdict};
use overturn_core::plan::{Actor, Write};
use overturn_core::request::error::RequestError;
use overturn_store::Query;
use overturn_store::accounts::queries;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

/// The name of the proof in the log.
const PROOF: &str = "passkey";

/// The relying party for the page of a request.
pub(crate) fn relying_party(call: &Call) -> RelyingParty {
    let settings = &call.app.settings;
    let passkeys = &settings.identity.passkeys;
    passkeys.relying_party(&settings.origin(&call.url))
}

/// Begins a ceremony: the answer has its options, and sets its cookie. `content` makes the content of the cookie from the state.
pub(crate) async fn begin<Q: Question<Answer = BegunCeremony>, C: Serialize>(
    call: &Call,
    question: &Q,
    purpose: CeremonyPurpose,
    content: impl FnOnce(String) -> C,
) -> Result<Response, AppError> {
    let begun = match call.app.identity.ask(question).await? {
        Verdict::Accepted(begun) => begun,
        Verdict::Refused(refusal) => {
            log_refused(call, PROOF, &refusal.reason, &refusal.detail);
            return Err(AppError::Internal("a ceremony did not begin"));
        }
    };
    let answer = assertion::options(&begun);
    let at = (call.ctx.now, call.app.host.bytes()?);
    let cookie = call.app.keys.seal_ceremony(purpose, &content(begun.state), at);
    if !ceremony::is_kept(cookies::PASSKEY.0, &cookie) {
        return Err(AppError::Internal("the cookie of a ceremony is too long"));
    }
    let mut response = after_commit::answer(answer.status, &answer.body);
    after_commit::set_cookies(&mut response, [cookies::PASSKEY.begin(&cookie)])?;
    Ok(response)
}

/// Removes the cookie of a ceremony that was used.
pub(super) fn end(response: &mut Response) -> Result<(), AppError> {
    after_commit::set_cookies(response, [cookies::PASSKEY.end()])
}

/// The ceremony in the browser's cookie, if it was begun for the purpose and has not ended.
fn open<T: DeserializeOwned>(call: &Call, purpose: CeremonyPurpose, cookie: Option<&str>) -> Option<OpenedCeremony<T>> {
    let keys = &call.app.keys;
    keys.open_ceremony(purpose, cookie?, call.ctx.now)
}

/// Enrolls a passkey.
///
/// 1. May the person enroll one? `401`, `402`, `403`, `429`.
/// 2. Ask the identity Worker about the response. It only knows what the cookie and the body say.
/// 3. Was the registration begun here, and is it unused? `409`. Is the response right? `422`.
/// 4. Write the passkey, and mark the registration as used in the same batch.
pub(crate) async fn enrol(
    request: WriteRequest<RequestedPasskey>,
    cookie: Option<&str>,
    device: Option<&str>,
) -> Result<Response, AppError> {
    let call = &request.call;
    let ceremony = open::<Registration>(call, CeremonyPurpose::Registration, cookie);
    let (person, ()) = request.load(()).await?;
    let checked = check_registration(&request, ceremony.as_ref(), &person).await;
    let spent = proof_is_spent(ceremony.as_ref());
    let load = (queries::account_of_caller(request.credential()), queries::passkeys(request.credential()), spent);
    let (codes, setting) = (recovery_codes(call)?, setting(call)?);
    let mut enrolled = None;
    let decide = |person: &Person, (account, passkeys, spent): EnrolmentRows, asked| {
        let account: Account = account.ok_or(RequestError::NotSignedIn)?;
        let of =
            Enrolling { account: &account, passkeys: &passkeys, is_spent: spent.unwrap_or_default(), codes: &codes };
        let change = enrolment::enrol(asked, checked.clone()?, of, person, setting)?;
        enrolled = Some(account.email_key());
        Ok::<_, AppError>(change)
    };
    let changed = request.change_counted_before(load, decide);
    let mut response = changed.await?;
    if let Some(email_key) = enrolled {
        after_commit::know_device(call, &email_key, device, &mut response)?;
        end(&mut response)?;
    }
    Ok(response)
}

/// The loaded account, its passkeys, and whether the registration was used.
type EnrolmentRows = (Option<Account>, Vec<StoredPasskey>, Option<bool>);

/// Asks the identity Worker about the response to a registration.
async fn check_registration(
    request: &WriteRequest<RequestedPasskey>,
    ceremony: Option<&OpenedCeremony<Registration>>,
    person: &Person,
) -> Result<CheckedRegistration, AppError> {
    let call = &request.call;
    let asked = request.body()?;
    let (question, spent) = enrolment::question(ceremony, &asked, person, relying_party(call))?;
    let credential = match call.app.identity.ask(&question).await? {
        Verdict::Accepted(credential) => Some(credential),
        Verdict::Refused(refusal) => {
            log_refused(call, PROOF, &refusal.reason, &refusal.detail);
            None
        }
    };
    Ok(CheckedRegistration { credential, spent })
}

/// Begins the second factor of a continuation token.
///
/// 1. Are there too many calls? `429`. Is the body valid? `400`, `413`, `422`.
/// 2. Can the token be used? `401`. Are there too many calls for the account? `429`. Has the account a passkey? `409`.
/// 3. `200` with the options. Nothing is written.
pub(crate) async fn begin_second_factor(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, device, body, .. } = request;
    sign_in_limits::passkey(&call).await?;
    let hash = call.parse::<AskedFactor>(&body?)?.continuation_token.hash();
    let queries = (queries::continuation(&hash), queries::passkeys_of_continuation(&hash));
    let (stored, passkeys) = call.db.read(&queries).await?;
    let rp = relying_party(&call);
    let now = call.ctx.now;
    let question = assertion::begin_second_factor(stored.as_ref(), &passkeys, rp, now);
    if let Some(stored) = stored.filter(|_| !matches!(question, Err(RequestError::SignInFailed))) {
        let counted =
            sign_in_limits::CountedAccount { email_key: &stored.account.email_key(), device: device.as_deref() };
        sign_in_limits::passkey_factor(&call, &counted).await?;
    }
    let question = question?;
    let content = |state| Assertion { state, continuation: Some(hash) };
    begin(&call, &question, CeremonyPurpose::Assertion, content).await
}

/// Signs in without a password.
///
/// 1. Are there too many calls? `429`. Is the body valid? `400`, `413`, `422`.
/// 2. Load the passkey with its account, and the session of the request. An unknown passkey: `401`.
/// 3. Are there too many attempts on the account? `429`. Is anything wrong? `401`, with an audit row after the answer.
/// 4. Write the session, and mark the challenge as used in the same batch.
pub(crate) async fn sign_in(request: SignInRequest, cookie: Option<&str>) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    sign_in_limits::passkey(&call).await?;
    let credential = call.parse::<PasskeySignIn>(&body?)?.credential;
    let ceremony = open_assertion(&call, cookie);
    let queries = (
        queries::passkey_of_credential(credential.id()),
        presented.map(|presented| queries::session(&presented.hash)),
        proof_is_spent(ceremony.as_ref()),
    );
    let (stored, standing, is_spent) = call.db.read(&queries).await?;
    let Some(stored) = stored else {
        log_refused(&call, PROOF, "unknown_passkey", "");
        return Err(RequestError::SignInFailed.into());
    };
    let email_key = stored.account.email_key();
    let counted = sign_in_limits::CountedAccount { email_key: &email_key, device: device.as_deref() };
    sign_in_limits::code(&call, &counted).await?;
    let is_known = counted.device(&call).is_some();
    let setting = SignInContext { browser: browser(&call, standing.flatten().as_ref(), is_known), ..setting(&call)? };
    let presented = PresentedAssertion {
        ceremony,
        used_for: AssertionUse::SignIn,
        response: &credential,
        stored: StoredAssertion { passkey: Some(&stored), is_spent: is_spent.unwrap_or_default() },
    };
    let actor = Actor::User(stored.account.user_id);
    let fail = || {
        let entry = assertion::failure(&stored.account, setting);
        pipeline::record_in_background(&call, actor, vec![Write::Audit(entry)]);
    };
    let Some(accepted) = accept(&call, presented, setting).await? else {
        fail();
        return Err(RequestError::SignInFailed.into());
    };
    let change = assertion::sign_in(&stored.account, accepted, setting);
    let done = pipeline::commit_signing_in(&call, actor, change).await;
    if is_overtaken(&done) {
        log_overtaken(&call);
        fail();
    }
    let mut response = done?;
    after_commit::know_device(&call, &email_key, device.as_deref(), &mut response)?;
    end(&mut response)?;
    Ok(response)
}

/// The ceremony of an assertion in the browser's cookie.
pub(super) fn open_assertion(call: &Call, cookie: Option<&str>) -> Option<OpenedCeremony<Assertion>> {
    open(call, CeremonyPurpose::Assertion, cookie)
}

/// Whether the challenge of a ceremony was used.
pub(super) fn proof_is_spent<T>(ceremony: Option<&OpenedCeremony<T>>) -> Option<Query<bool>> {
    ceremony.map(|ceremony| queries::proof_is_spent(&ceremony.spent.hash))
}

/// True if the batch of an accepted sign-in failed because something changed after it was loaded: another request used the
/// challenge or the passkey, or the account changed.
pub(super) const fn is_overtaken(done: &Result<Response, AppError>) -> bool {
    matches!(done, Err(AppError::Request(RequestError::SignInFailed)))
}

/// Logs the reason of such a failure.
pub(super) fn log_overtaken(call: &Call) {
    log_refused(call, PROOF, "overtaken", "");
}

/// An assertion as a request presents it.
pub(super) struct PresentedAssertion<'a> {
    pub(super) ceremony: Option<OpenedCeremony<Assertion>>,
    pub(super) used_for: AssertionUse<'a>,
    /// The browser's response.
    pub(super) response: &'a Credential,
    pub(super) stored: StoredAssertion<'a>,
}

/// The assertion if it is accepted, otherwise nothing, and the reason is in the log. After the answer, a repeated counter gets a row
/// in the account's trail, and an email.
pub(super) async fn accept(
    call: &Rc<Call>,
    presented: PresentedAssertion<'_>,
    setting: SignInContext<'_>,
) -> Result<Option<AcceptedAssertion>, AppError> {
    let PresentedAssertion { ceremony, used_for, response, stored } = presented;
    let rp = relying_party(call);
    let question = assertion::question(ceremony, used_for, stored, response, rp);
    let (question, pending) = match question {
        Ok(question) => question,
        Err(reason) => {
            log_refused(call, PROOF, reason, "");
            return Ok(None);
        }
    };
    let asserted = match call.app.identity.ask(&question).await? {
        Verdict::Accepted(asserted) => asserted,
        Verdict::Refused(refusal) => {
            log_refused(call, PROOF, &refusal.reason, &refusal.detail);
            return Ok(None);
        }
    };
    Ok(match pending.judge(asserted) {
        Ok(accepted) => Some(accepted),
        Err(repeated) => {
            log_refused(call, PROOF, "counter_repeated", "");
            let actor = Actor::User(repeated.user_id());
            let change = repeated.recorded(setting);
            pipeline::commit_in_background(call, actor, change);
            None
        }
    })
}
