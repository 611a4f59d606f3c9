//! The credentials that a request presents: an API key, an API token or a session.

use super::from_call::FromCall;
use super::headers::{CSRF_TOKEN, PASSIVE_READ};
use super::path;
use crate::auth::key::Credential;
use crate::auth::person::{PageProof, StoredPerson};
use crate::call::Call;
use crate::cookies;
use crate::cookies::csrf;
use crate::error::AppError;
use crate::request::error::RequestError;
use crate::request::secret::SessionToken;
use http::header::{AUTHORIZATION, COOKIE};
use overturn_core::base::id::{PracticeId, UserId};
use overturn_core::base::token::{ApiKey, ApiToken, Realm};
use std::rc::Rc;

/// A well-formed key of this environment. From here on only its hash is used.
pub(crate) struct PresentedKey {
    hash: String,
    /// True in production for a test key, which is a sandbox's, and false for a live key. Elsewhere all keys are test keys.
    of_sandbox: Option<bool>,
}

impl PresentedKey {
    /// The hash, by which the store and the limiter identify the key.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// The stored facts about it, if its practice has such keys.
    pub(crate) fn checked(&self, found: Option<Credential>) -> Option<Credential> {
        let fits = |found: &Credential| self.of_sandbox.is_none_or(|sandbox| sandbox == found.clock_ms.is_some());
        found.filter(fits)
    }
}

impl FromCall for PresentedKey {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let text = bearer(call).unwrap_or_default();
        let key = text.parse().ok();
        let production = call.app.settings.realm == Realm::Live;
        let key = key.filter(|key: &ApiKey| production || key.realm() == Realm::Test);
        let of_sandbox = |key: &ApiKey| production.then_some(key.realm() == Realm::Test);
        key.map(|key| Self { hash: key.hash(), of_sandbox: of_sandbox(&key) }).ok_or(AppError::Request(
            if ApiToken::is_meant_by(text) { RequestError::TokenForKey } else { RequestError::NotAuthenticated },
        ))
    }
}

/// The token of an `Authorization: Bearer` header.
pub(crate) fn bearer(call: &Call) -> Option<&str> {
    let (scheme, token) = call.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A session or token that may exist, known only by its hash from here on, with the proof that goes with it.
#[derive(Clone)]
pub(crate) struct Presented {
    pub(crate) hash: String,
    pub(crate) kind: PresentedKind,
    /// The proof that the person's own page sent the request.
    pub(crate) proof: PageProof,
    /// The practice that a staff path names. Its records are shown and changed only while its patient data may be read.
    pub(crate) about: Option<PracticeId>,
    /// Another staff member whom the request names. A practice's cell needs a copy of the account.
    pub(crate) colleague: Option<UserId>,
    /// True for a read that its person did not ask for. It is no use of the session.
    pub(crate) passive: bool,
    /// In production: whether it must be of a sandbox.
    of_sandbox: Option<bool>,
}

impl Presented {
    /// The same credential, for records of this practice.
    pub(crate) fn about(&self, practice: PracticeId) -> Self {
        Self { about: Some(practice), ..self.clone() }
    }

    /// The stored facts about it, if its practice has such credentials.
    pub(crate) fn checked(&self, found: Option<StoredPerson>) -> Option<StoredPerson> {
        let is_of_sandbox = |found: &StoredPerson| found.practice.as_ref().is_some_and(|of| of.clock_ms.is_some());
        found.filter(|found| self.of_sandbox.is_none_or(|sandbox| sandbox == is_of_sandbox(found)))
    }

    /// True if the person's own page sent the request.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof != PageProof::Missing
    }
}

/// The kind of credential.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PresentedKind {
    Session,
    Token,
}

impl FromCall for Presented {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let about = path::practice(call.route());
        if call.headers.contains_key(AUTHORIZATION) {
            let text = bearer(call).unwrap_or_default();
            let token = text.parse().ok();
            let production = call.app.settings.realm == Realm::Live;
            let token = token.filter(|token: &ApiToken| production || token.realm() == Realm::Test);
            return token
                .map(|token| Self {
                    hash: token.hash(),
                    kind: PresentedKind::Token,
                    proof: PageProof::NotNeeded,
                    about,
                    colleague: None,
                    passive: false,
                    of_sandbox: production.then_some(token.realm() == Realm::Test),
                })
                .ok_or(AppError::Request(if ApiKey::is_meant_by(text) {
                    RequestError::KeyForToken
                } else {
                    RequestError::NotSignedIn
                }));
        }
        let session = cookie(call, cookies::SESSION).and_then(|text| text.parse().ok());
        let session: SessionToken = session.ok_or(RequestError::NotSignedIn)?;
        let reads = call.method.is_safe();
        let given = call.headers.get(CSRF_TOKEN);
        let given = given.and_then(|value| value.to_str().ok());
        let proof = match given.filter(|text| csrf::matches(&session, text)) {
            _ if reads => PageProof::NotNeeded,
            Some(_) => PageProof::Given,
            None => PageProof::Missing,
        };
        Ok(Self {
            hash: session.hash(),
            kind: PresentedKind::Session,
            proof,
            about,
            colleague: None,
            passive: reads && call.headers.get(PASSIVE_READ).is_some_and(|value| value == "true"),
            of_sandbox: None,
        })
    }
}

/// The value of a cookie. Other cookies may have any value: a neighboring host can set one that is not ASCII, which
/// must not sign a person out.
pub(crate) fn cookie<'c>(call: &'c Call, name: &str) -> Option<&'c str> {
    let header = str::from_utf8(call.headers.get(COOKIE)?.as_bytes()).ok()?;
    cookies::read(header, name)
}

/// The credential, if there is one.
pub(crate) struct MaybePresented(pub(crate) Option<Presented>);

impl FromCall for MaybePresented {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let presented = Presented::from_call(call).await;
        Ok(Self(presented.ok()))
    }
}

/// The cookie of a device that has completed a sign-in.
pub(crate) struct DeviceCookie(pub(crate) Option<String>);

impl FromCall for DeviceCookie {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        Ok(Self(cookie(call, cookies::DEVICE).map(Into::into)))
    }
}

/// The cookie of a passkey's ceremony.
pub(crate) struct PasskeyCookie(pub(crate) Option<String>);

impl FromCall for PasskeyCookie {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        Ok(Self(cookie(call, cookies::PASSKEY.0).map(Into::into)))
    }
}
