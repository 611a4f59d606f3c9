//! What follows from an identity that a provider confirmed: a session, a second factor, an identity that waits, or a
//! refusal. Each leads to the console.

use super::decide::{Decision, decide};
use super::place;
use super::refusal::SsoRefusal;
use super::refused::{self, SignInBy};
use super::shown::{self, AddressUse, ShownIdentity, StoredSso};
use super::spent::spending;
use super::waiting::WaitingIdentity;
use crate::accounts::new_session::{PresentedSession, SignInContext, setting};
use crate::accounts::sign_in::{failure, proceed};
use crate::call::Call;
use crate::console;
use crate::cookies::ceremony::{self, CeremonyPurpose};
use crate::cookies::{self, Ceremony};
use crate::error::AppError;
use crate::extract::BeginningBrowser;
use crate::pipeline::{self, after_commit};
use crate::plan::{Actor, Write};
use crate::request::error::RequestError;
use crate::response::Response;
use crate::sign_in_limits::CountedAccount;
use crate::store::error::DatabaseError;
use http::HeaderValue;
use http::header::{LOCATION, SET_COOKIE};
use std::rc::Rc;

/// An answer that leads to the page of a provider.
pub(crate) enum ToProvider {}

/// An answer that leads to the console.
pub(crate) enum ToConsole {}

#[cfg(feature = "schema")]
overturn_core::described! {
    ToProvider = { "$ref": "#/components/responses/LedToProvider" }
    ToConsole = { "$ref": "#/components/responses/LedToConsole" }
}

/// How many times an identity is decided on if what is known about it keeps changing. Two sign-ins of a new member at
/// the same time need two.
const ROUNDS: usize = 3;

/// Decides on an identity, commits, and leads to the console. `began` is the cookie of the ceremony, which has ended.
pub(super) async fn conclude(
    call: &Rc<Call>,
    shown: &ShownIdentity,
    from: &BeginningBrowser,
    began: Ceremony,
) -> Result<Response, AppError> {
    let by = SignInBy::shown(shown);
    for _ in 0..ROUNDS {
        let home = from.session.as_ref().map(|session| call.at(session.clone(), from.cell));
        let session = PresentedSession::of(home.unwrap_or_else(|| Rc::clone(call)), from.session.clone());
        let call = &place::of(call, shown).await?;
        let load = (shown::stored(shown), session.beside(call));
        let (stored, standing) = call.db.read(&load).await?;
        let standing = session.standing(standing).await?;
        let account = stored.joined.as_ref().map(|joined| &joined.account);
        let email_key = account.map_or_else(|| shown.email_key(), |account| account.email_key());
        let counted = CountedAccount { email_key: &email_key, device: from.device.as_deref() };
        let is_known = counted.device(call).is_some();
        let setting = SignInContext { browser: session.browser(standing.as_ref(), is_known), ..setting(call)? };
        let mut decided = decide(shown, &stored, setting);
        if let (None, Ok(Decision::SignsIn { passed, .. })) = (account, &decided)
            && !place::reserve(call, shown, passed.user_id).await?
        {
            decided = decide(shown, &StoredSso { address: Some(AddressUse::Active), ..stored.clone() }, setting);
        }
        let (passed, is_complete) = match decided.map_err(|of| refused::by_rule(call, &by, of))? {
            Decision::Waits(waiting) => return wait(call, shown, &waiting, began).await,
            Decision::SignsIn { passed, is_complete } => (passed, is_complete),
        };
        let led = match proceed(call, passed).await {
            Ok(mut answer) => {
                if is_complete {
                    let before = from.device.as_deref();
                    after_commit::know_device(call, &email_key, before, &mut answer)?;
                }
                signed_in(&answer)
            }
            Err(AppError::Request(RequestError::TwoFactorRequired(Some(token)))) => {
                let fragment = format!("continue={}", token.expose());
                console::lead(&console::with_fragment(console::SIGN_IN, &fragment))
            }
            // What the decision was based on has changed.
            Err(AppError::Request(RequestError::Conflict(..))) => continue,
            Err(AppError::Request(RequestError::SignInFailed)) => {
                if let Some(account) = account {
                    let entry = failure(account, &call.place, &call.ctx);
                    let actor = Actor::User(account.user_id);
                    pipeline::record_in_background(call, actor, vec![Write::Audit(entry)]);
                }
                return Err(refused::by_rule(call, &by, SsoRefusal::Spent));
            }
            Err(failed) => return Err(failed),
        };
        return with_cookie(led, began.end());
    }
    Err(refused::by_rule(call, &by, SsoRefusal::Spent))
}

/// Leads to the page that connects an identity, with a cookie that holds it.
///
/// The proof is spent, too. No audit row shows that its batch ran, so if the database's answer is lost, the person has
/// to begin again.
async fn wait(
    call: &Call,
    shown: &ShownIdentity,
    waiting: &WaitingIdentity,
    began: Ceremony,
) -> Result<Response, AppError> {
    let (guards, writes) = spending(&shown.spent, call.ctx.now);
    let plan = pipeline::plan(&call.ctx, Actor::Service, guards, writes);
    match pipeline::run(&call.db, &call.app, &plan).await {
        Ok(_) => {}
        Err(DatabaseError::Conflict(_)) => {
            return Err(refused::by_rule(call, &SignInBy::shown(shown), SsoRefusal::Spent));
        }
        Err(fault) => return Err(fault.into()),
    }
    let at = (call.ctx.now, call.app.host.bytes()?);
    let keys = &call.app.keys;
    let cookie = ceremony::seal(&keys.ceremonies, CeremonyPurpose::Identity, waiting, at);
    let led = with_cookie(console::lead(console::CONNECT), began.end())?;
    with_cookie(led, cookies::IDENTITY.begin(&cookie))
}

/// Leads to the console with the cookies of a new session.
fn signed_in(answer: &Response) -> Response {
    let mut led = console::lead(console::HOME);
    for cookie in answer.headers().get_all(SET_COOKIE) {
        led.headers_mut().append(SET_COOKIE, cookie.clone());
    }
    led
}

/// Leads to a provider's page, with a cookie.
pub(super) fn redirect(to: &str, cookie: String) -> Result<Response, AppError> {
    let location = HeaderValue::try_from(to).map_err(|_| AppError::Unavailable("a provider's address is not one"))?;
    let mut led = console::lead("");
    led.headers_mut().insert(LOCATION, location);
    with_cookie(led, cookie)
}

/// The response with a further cookie.
pub(super) fn with_cookie(mut response: Response, cookie: String) -> Result<Response, AppError> {
    after_commit::set_cookies(&mut response, [cookie])?;
    Ok(response)
}
