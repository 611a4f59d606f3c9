//! The limits for people who are not signed in yet: by IP address, by account, and by device.
//!
//! An attacker who fails on purpose must not lock others out. So attempts are counted by account *and* client, and the
//! attempts of all unknown devices on an account are counted separately from its known devices
//! (`crate::cookies::device`).

mod unknown_devices;

pub(crate) use unknown_devices::UnknownDeviceAttempt;

use crate::app::App;
use crate::call::Call;
use crate::config::Limits;
use crate::cookies::{self as names, device};
use crate::error::AppError;
use crate::hashing::{self, For, Turn};
use crate::head::Head;
use crate::ip_ban;
use crate::rate_limiter::Group;
use crate::request::error::RequestError;
use crate::request::limit::{RateLimit, Verdict};
use data_encoding::HEXLOWER;
use http::{Uri, header};
use overturn_core::base::id::PracticeId;
use sha2::{Digest, Sha256};

/// The path of the sign-in by password.
pub(crate) const SIGN_IN: &str = "/api/v1/auth/session";

/// The facts that a sign-in is counted by besides its IP address.
pub(crate) struct CountedAccount<'a> {
    /// The key of the email address, known or not.
    pub(crate) email_key: &'a str,
    /// The cookie of the device, if it has one.
    pub(crate) device: Option<&'a str>,
}

impl CountedAccount<'_> {
    /// The identifier of the device, if it has completed a sign-in to the account.
    pub(crate) fn device(&self, call: &Call) -> Option<String> {
        let keys = &call.app.keys;
        device::recognise(&keys.devices, self.email_key, self.device?)
    }
}

/// Allows an attempt at a password and takes a turn for its hash, or returns the wait. A refusal comes before any load
/// or hash.
pub(crate) async fn sign_in(
    call: &Call,
    account: &CountedAccount<'_>,
) -> Result<(Option<UnknownDeviceAttempt>, Turn), AppError> {
    let who = if account.device(call).is_some() { For::Known } else { For::UnknownDevice };
    let mut attempt = match who {
        For::UnknownDevice => Some(unknown_devices::enter(call).await?),
        For::Known => {
            hashing::has_room(&call.app, who)?;
            None
        }
    };
    let limits = call.app.settings.limits;
    let counted = async {
        address(call, Group::Auth, limits.auth_address).await?;
        per_account(call, account, "sign_in", &limits, limits.auth_unknown_devices).await
    };
    counted.await.map_err(by_link)?;
    let turn = hashing::turn(call, 1, who)?;
    turn.come(call).await;
    if let Some(attempt) = &mut attempt {
        attempt.begin(&call.app)?;
    }
    Ok((attempt, turn))
}

/// Refuses a sign-in before any lookup, if its headers show that it comes from an unknown device and those must wait. A
/// flood then costs neither KV nor the reading of bodies.
pub(crate) fn early(app: &App, head: &Head, url: &Uri) -> Result<(), AppError> {
    let cookies = head.header(&header::COOKIE).unwrap_or_default();
    if head.method != "POST" || url.path() != SIGN_IN || cookies.contains(names::DEVICE) {
        return Ok(());
    }
    unknown_devices::may_enter(app, &ip_ban::network(&head.address))
}

/// A refusal that mentions the mailed link.
fn by_link(refusal: AppError) -> AppError {
    match refusal {
        AppError::Request(RequestError::RateLimited(verdict)) => RequestError::SignInLimited(verdict).into(),
        other => other,
    }
}

/// Allows an attempt at a second factor from an address, or returns the wait.
pub(crate) async fn second_factor(call: &Call) -> Result<(), AppError> {
    let principal = format!("code:{}", ip_ban::unit(&call.place.ip));
    ask(call, &principal, Group::Auth, call.app.settings.limits.auth_address).await
}

/// Allows an attempt at a code, or returns the wait.
pub(crate) async fn code(call: &Call, account: &CountedAccount<'_>) -> Result<(), AppError> {
    let limits = call.app.settings.limits;
    per_account(call, account, "code", &limits, limits.code_unknown_devices).await
}

/// Allows a request for an email to an address, known or not, or returns the wait.
pub(crate) async fn letter(call: &Call, email_key: &str) -> Result<(), AppError> {
    address(call, Group::Auth, call.app.settings.limits.auth_address).await?;
    let verdict = mail(call, email_key).await?;
    call.trace.facts().limit = Some(verdict);
    Ok(())
}

/// Counts an email to an address. The limiter does not learn the address.
pub(crate) async fn mail(call: &Call, email_key: &str) -> Result<Verdict, AppError> {
    let principal = format!("mail:{}", HEXLOWER.encode(&Sha256::digest(email_key)));
    count(call, &principal, Group::Mail, call.app.settings.limits.mail).await
}

/// Counts an invitation of a practice, also a repeated one, or returns the wait.
pub(crate) async fn invitation(call: &Call, practice: PracticeId) -> Result<(), AppError> {
    let rule = call.app.settings.limits.invitations;
    let principal = format!("practice:{practice}");
    count(call, &principal, Group::Invitations, rule).await?;
    Ok(())
}

/// Counts a notice about a sign-in, separately from requested emails: repeated sign-ins must not use up the limit for
/// links.
pub(crate) async fn notice(call: &Call, email_key: &str) -> Result<(), AppError> {
    let principal = format!("notice:{}", HEXLOWER.encode(&Sha256::digest(email_key)));
    count(call, &principal, Group::Mail, call.app.settings.limits.mail).await?;
    Ok(())
}

/// Allows a call about passkeys without a session, or returns the wait.
pub(crate) async fn passkey(call: &Call) -> Result<(), AppError> {
    let limits = call.app.settings.limits;
    address(call, Group::Passkeys, limits.passkeys_address).await
}

/// Allows a call for the options of a second factor, or returns the wait.
pub(crate) async fn passkey_factor(call: &Call, account: &CountedAccount<'_>) -> Result<(), AppError> {
    let limits = call.app.settings.limits;
    let place = Place::of(call, account);
    ask(call, &place.principal("passkey"), Group::Passkeys, limits.passkeys).await
}

/// Allows an attempt at a link, or returns the wait.
pub(crate) async fn link(call: &Call) -> Result<(), AppError> {
    address(call, Group::Links, call.app.settings.limits.links).await
}

/// Allows a step of a sign-in by a provider, or returns the wait.
pub(crate) async fn provider(call: &Call) -> Result<(), AppError> {
    address(call, Group::Providers, call.app.settings.limits.providers).await
}

/// Allows a read of what everybody may see about providers, or returns the wait.
pub(crate) async fn public_read(call: &Call) -> Result<(), AppError> {
    address(call, Group::Reads, call.app.settings.limits.person_reads).await
}

/// Allows a report of a leaked key, or returns the wait.
pub(crate) async fn leak(call: &Call) -> Result<(), AppError> {
    address(call, Group::Leaks, call.app.settings.limits.leaks).await
}

/// Allows a message about leaked keys, or returns the wait.
pub(crate) async fn leak_message(call: &Call) -> Result<(), AppError> {
    address(call, Group::LeakMessages, call.app.settings.limits.leak_messages).await
}

async fn per_account(
    call: &Call,
    account: &CountedAccount<'_>,
    what: &str,
    limits: &Limits,
    unknown_devices: RateLimit,
) -> Result<(), AppError> {
    let place = Place::of(call, account);
    let principal = place.principal(what);
    ask(call, &principal, Group::Auth, limits.auth).await?;
    // Five in 20 s are 900 an hour: enough to guess a six-digit code within days, and enough to use up the limit of
    // unknown devices at once.
    let principal = format!("{principal}:hour");
    count(call, &principal, Group::Auth, limits.auth_hour).await?;
    if !place.is_known {
        let principal = format!("{what}:{}", place.account);
        count(call, &principal, Group::Auth, unknown_devices).await?;
    }
    Ok(())
}

/// An account and where it is signed in to from. The limiter does not learn the email address.
struct Place {
    account: String,
    /// The device if it is known, else the network of the address.
    client: String,
    is_known: bool,
}

impl Place {
    fn of(call: &Call, account: &CountedAccount<'_>) -> Self {
        let device = account.device(call);
        Self {
            account: HEXLOWER.encode(&Sha256::digest(account.email_key)),
            is_known: device.is_some(),
            client: device.unwrap_or_else(|| ip_ban::unit(&call.place.ip)),
        }
    }

    fn principal(&self, what: &str) -> String {
        format!("{what}:{}:{}", self.account, self.client)
    }
}

/// Counts a call of the request's IP address.
pub(crate) async fn address(call: &Call, group: Group, rule: RateLimit) -> Result<(), AppError> {
    ask(call, &format!("ip:{}", ip_ban::unit(&call.place.ip)), group, rule).await
}

/// Counts a call. Its headers show how many are left.
pub(crate) async fn ask(call: &Call, principal: &str, group: Group, rule: RateLimit) -> Result<(), AppError> {
    let verdict = count(call, principal, group, rule).await?;
    call.trace.facts().limit = Some(verdict);
    Ok(())
}

/// Counts a call, or returns the wait.
async fn count(call: &Call, principal: &str, group: Group, rule: RateLimit) -> Result<Verdict, AppError> {
    let verdict = call.app.limiters.ask(&call.counted, principal, group, rule).await?;
    if verdict.allowed { Ok(verdict) } else { Err(RequestError::RateLimited(verdict).into()) }
}
