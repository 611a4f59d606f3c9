//! The limits of those who are not signed in yet: per address they come from, per account, and per device.
//!
//! Whoever fails on purpose must not keep anybody else out. So attempts are counted per account *and* place, and what all
//! strangers together may try on an account is counted away from the devices it was signed in on before
//! (`overturn_core::accounts::device`).

mod strangers;

pub(crate) use strangers::Tries;

use crate::app::App;
use crate::call::Call;
use crate::config::Limits;
use crate::cookies as names;
use crate::error::Refusal;
use crate::hashing::{self, For, Turn};
use crate::head::Head;
use crate::ip_ban;
use crate::rate_limiter::Group;
use axum::http::{Uri, header};
use data_encoding::HEXLOWER;
use overturn_core::base::id::PracticeId;
use overturn_core::request::denied::Denied;
use overturn_core::request::limit::{Rule, Verdict};
use sha2::{Digest, Sha256};

/// Where a password is tried.
pub(crate) const SIGN_IN: &str = "/api/v1/auth/session";

/// What a sign-in is counted by beside its address.
pub(crate) struct Account<'a> {
    /// The key of the e-mail address that it is for, known or not.
    pub(crate) email_key: &'a str,
    /// The cookie of the device, where it has one.
    pub(crate) device: Option<&'a str>,
}

impl Account<'_> {
    /// What the device is counted by, where it completed a sign-in to the account before.
    pub(crate) fn device(&self, call: &Call) -> Option<String> {
        let keys = &call.app.keys;
        keys.recognise(self.email_key, self.device?)
    }
}

/// Lets an attempt at a password pass, with a turn to hash it, or says how long to wait. Nothing was loaded or hashed then.
pub(crate) async fn sign_in(
    call: &Call,
    account: &Account<'_>,
) -> Result<(Option<Tries>, Turn), Refusal> {
    let who = if account.device(call).is_some() {
        For::Known
    } else {
        For::Stranger
    };
    let mut tries = match who {
        For::Stranger => Some(strangers::enter(call).await?),
        For::Known => {
            hashing::has_room(&call.app, who)?;
            None
        }
    };
    let limits = call.app.settings.limits;
    let counted = async {
        address(call, Group::Auth, limits.auth_address).await?;
        per_account(call, account, "sign_in", &limits, limits.auth_strangers).await
    };
    counted.await.map_err(by_link)?;
    let turn = hashing::turn(call, 1, who)?;
    turn.come(call).await;
    if let Some(tries) = &mut tries {
        tries.begin(&call.app)?;
    }
    Ok((tries, turn))
}

/// Refuses a sign-in before anything is looked up for it, where its headers alone say that it comes from a stranger and strangers
/// have to wait. A flood then costs neither KV nor the body's time.
pub(crate) fn early(app: &App, head: &Head, url: &Uri) -> Result<(), Refusal> {
    let cookies = head.header(&header::COOKIE).unwrap_or_default();
    if head.method != "POST" || url.path() != SIGN_IN || cookies.contains(names::DEVICE) {
        return Ok(());
    }
    strangers::may_enter(app)
}

/// A refusal that says what else there is than a password.
fn by_link(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Denied(Denied::RateLimited(verdict)) => Denied::SignInLimited(verdict).into(),
        other => other,
    }
}

/// Lets an attempt at a code pass, or says how long to wait.
pub(crate) async fn code(call: &Call, account: &Account<'_>) -> Result<(), Refusal> {
    let limits = call.app.settings.limits;
    per_account(call, account, "code", &limits, limits.code_strangers).await
}

/// Lets a letter to an address be asked for, known or not, or says how long to wait.
pub(crate) async fn letter(call: &Call, email_key: &str) -> Result<(), Refusal> {
    address(call, Group::Auth, call.app.settings.limits.auth_address).await?;
    let verdict = mail(call, email_key).await?;
    call.trace.facts().limit = Some(verdict);
    Ok(())
}

/// Counts a letter to an address. The limiter does not learn the address.
pub(crate) async fn mail(call: &Call, email_key: &str) -> Result<Verdict, Refusal> {
    let principal = format!("mail:{}", HEXLOWER.encode(&Sha256::digest(email_key)));
    count(call, &principal, Group::Mail, call.app.settings.limits.mail).await
}

/// Counts an invitation of a practice, also one that is sent again, or says how long to wait.
pub(crate) async fn invitation(call: &Call, practice: PracticeId) -> Result<(), Refusal> {
    let rule = call.app.settings.limits.invitations;
    let principal = format!("practice:{practice}");
    count(call, &principal, Group::Invitations, rule).await?;
    Ok(())
}

/// Counts a letter that tells of a sign-in, apart from those that somebody asks for: who signs in again and again must not use up
/// what brings a link.
pub(crate) async fn notice(call: &Call, email_key: &str) -> Result<(), Refusal> {
    let principal = format!("notice:{}", HEXLOWER.encode(&Sha256::digest(email_key)));
    count(call, &principal, Group::Mail, call.app.settings.limits.mail).await?;
    Ok(())
}

/// Lets an attempt at a link pass, or says how long to wait.
pub(crate) async fn link(call: &Call) -> Result<(), Refusal> {
    address(call, Group::Links, call.app.settings.limits.links).await
}

async fn per_account(
    call: &Call,
    account: &Account<'_>,
    what: &str,
    limits: &Limits,
    strangers: Rule,
) -> Result<(), Refusal> {
    let of = HEXLOWER.encode(&Sha256::digest(account.email_key));
    let device = account.device(call);
    let known = device.is_some();
    let place = device.unwrap_or_else(|| ip_ban::unit(&call.place.ip));
    ask(
        call,
        &format!("{what}:{of}:{place}"),
        Group::Auth,
        limits.auth,
    )
    .await?;
    // Five in 20 s are 900 an hour: in a few days as good as a six-digit code, and at once all that strangers may try.
    let principal = format!("{what}:{of}:{place}:hour");
    count(call, &principal, Group::Auth, limits.auth_hour).await?;
    if !known {
        count(call, &format!("{what}:{of}"), Group::Auth, strangers).await?;
    }
    Ok(())
}

/// Counts a call of the address that the request comes from.
pub(crate) async fn address(call: &Call, group: Group, rule: Rule) -> Result<(), Refusal> {
    ask(
        call,
        &format!("ip:{}", ip_ban::unit(&call.place.ip)),
        group,
        rule,
    )
    .await
}

/// Counts a call, which then says in its headers how many are left.
pub(crate) async fn ask(
    call: &Call,
    principal: &str,
    group: Group,
    rule: Rule,
) -> Result<(), Refusal> {
    let verdict = count(call, principal, group, rule).await?;
    call.trace.facts().limit = Some(verdict);
    Ok(())
}

/// Counts a call, or says how long to wait.
async fn count(call: &Call, principal: &str, group: Group, rule: Rule) -> Result<Verdict, Refusal> {
    let verdict = call.app.limiters.ask(principal, group, rule).await?;
    if verdict.allowed {
        Ok(verdict)
    } else {
        Err(Denied::RateLimited(verdict).into())
    }
}
