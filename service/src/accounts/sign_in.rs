//! Signing in: the first factor, whichever it was, and the steps after it (interface: Session endpoints).

use crate::accounts::account::{Account, in_use};
use crate::accounts::new_session::{self, SessionToBegin, SignInContext};
use crate::accounts::password_attempts;
use crate::auth::session::SessionKind;
use crate::call::{Call, ClientOrigin};
use crate::pipeline::{self, CONTINUATION_MS, Continuation};
use crate::plan::Actor;
use crate::prelude::*;
use crate::request::secret::ContinuationToken;
use overturn_core::base::id::SsoProviderId;
use serde_json::Value;
use std::rc::Rc;

names! {
    /// The kind of the first factor.
    FirstFactor {
        Password = "password",
        /// A mailed link.
        MagicLink = "magic_link",
        /// A passkey, which is both factors.
        Passkey = "passkey",
        /// An OpenID Connect provider.
        Oidc = "oidc",
        /// A SAML provider.
        Saml = "saml",
    }
}

/// A first factor that was shown, and what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ShownFactor<'a> {
    /// Its kind.
    pub(crate) by: FirstFactor,
    /// The passkey or the provider, for the audit trail.
    pub(crate) source: Option<&'a str>,
    /// The provider that it came from, if the practice trusts it.
    pub(crate) sso: Option<SsoProviderId>,
    /// Whether it proves a second factor as well.
    pub(crate) proves_second_factor: bool,
    /// When a second factor was shown with it, as far as that is known.
    pub(crate) verified_at: Option<Instant>,
}

impl From<FirstFactor> for ShownFactor<'_> {
    fn from(by: FirstFactor) -> Self {
        Self { by, source: None, sso: None, proves_second_factor: false, verified_at: None }
    }
}

impl ShownFactor<'_> {
    /// What the audit trail says of it.
    fn detail(&self, place: &ClientOrigin) -> Value {
        let by = self.by.name();
        match self.source {
            None => json!({ "by": by, "ip": place.ip }),
            Some(passkey) if self.by == FirstFactor::Passkey => {
                json!({ "by": by, "ip": place.ip, "passkey": passkey })
            }
            Some(provider) => json!({
                "by": by, "ip": place.ip, "provider": provider,
                "second_factor": self.proves_second_factor.then_some("provider"),
            }),
        }
    }
}

/// A correct first factor.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) user_id: UserId,
    /// The writes, and the answer if no second factor is needed.
    pub(crate) change: Change,
    /// The token for the second factor. The answer is then a `402` with it.
    pub(crate) ask: Option<ContinuationToken>,
}

/// The steps after a correct first factor. After a password or a mailed link, the count of attempts at the password
/// restarts: nothing else opens a closed one. The second factor is requested unless the first one proves it as well; if
/// the account has none, a session begins that can only enroll one.
pub(crate) fn passed<'a>(account: &Account, first: impl Into<ShownFactor<'a>>, setting: SignInContext<'_>) -> Passed {
    let first = first.into();
    let SignInContext { place, random, ctx, .. } = setting;
    let entry = |event| {
        let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
        entry.detail(first.detail(place))
    };
    let guard = in_use(account.user_id, account.epoch);
    let opens = matches!(first.by, FirstFactor::Password | FirstFactor::MagicLink);
    let opened = opens.then(|| password_attempts::restart(account.user_id));
    if first.proves_second_factor || !account.enrolled {
        let session = SessionToBegin {
            kind: if first.proves_second_factor { SessionKind::Full } else { SessionKind::Enrolment },
            sso: first.sso,
            verified_at: first.verified_at,
        };
        let change = new_session::begin(account, session, entry(Event::SignedIn), setting);
        return Passed { user_id: account.user_id, change: change.guard(guard).write_all(opened), ask: None };
    }
    let token = ContinuationToken::mint(random);
    let waits = Continuation {
        user_id: account.user_id,
        epoch: account.epoch,
        session_id: None,
        sso: first.sso,
        expires_at: ctx.now.plus(CONTINUATION_MS),
    };
    let change = Change::new(entry(Event::SignInBegun), Answer::empty());
    Passed {
        user_id: account.user_id,
        change: change.guard(guard).write_all(waits.begin(&token, ctx.now)).write_all(opened),
        ask: Some(token),
    }
}

/// The audit row of a failed sign-in, for an account whose first factor was wrong.
pub(crate) fn failure(account: &Account, place: &ClientOrigin, ctx: &Ctx) -> Entry {
    let event = Event::SignInFailed;
    let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "ip": place.ip }))
}

/// Commits what a right first factor leads to. `402` with a continuation token if there is a second one.
pub(crate) async fn proceed(call: &Rc<Call>, passed: Passed) -> Result<Response, AppError> {
    let actor = Actor::User(passed.user_id);
    let response = pipeline::commit_signing_in(call, actor, passed.change).await?;
    match passed.ask {
        Some(token) => Err(RequestError::TwoFactorRequired(Some(token)).into()),
        None => Ok(response),
    }
}

/// Adds a wrong first factor to the account's trail, after the answer.
pub(super) fn record_failure(call: &Rc<Call>, account: &Account) {
    let entry = failure(account, &call.place, &call.ctx);
    pipeline::record_in_background(call, Actor::User(account.user_id), vec![Write::Audit(entry)]);
}
