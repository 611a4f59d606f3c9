//! What a handler may ask of a request. A handler that does not ask for a [`PresentedKey`] has nothing to load a caller
//! with, so one without authentication does not compile.

mod pages;

pub(crate) use pages::{Form, Linked, SignedBy};

use crate::app::Call;
use crate::cookies;
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, COOKIE, HeaderName, IF_MATCH, IF_NONE_MATCH,
};
use axum::http::request::Parts;
use axum::http::{Extensions, Method, Uri};
use overturn_core::accounts::csrf;
use overturn_core::auth::person::PageProof;
use overturn_core::base::id::PracticeId;
use overturn_core::base::secret::SessionToken;
use overturn_core::base::token::{ApiKey, ApiToken};
use overturn_core::request::denied::Denied;
use overturn_core::request::idempotency::{Key, Repeatable};
use overturn_core::request::if_match::Seen;
use overturn_core::request::page::{Asked, Page};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use uuid::Uuid;
use worker::send::SendFuture;

/// A key that may exist: well-formed, of this environment, and known only by its hash from here on.
pub(crate) struct PresentedKey {
    hash: String,
}

impl PresentedKey {
    /// What the store and the limiter know the key by.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }
}

impl<S: Sync> FromRequestParts<S> for PresentedKey {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let call = call(&parts.extensions)?;
        let text = bearer(parts).unwrap_or_default();
        let key = text.parse().ok();
        let key = key.filter(|key: &ApiKey| key.realm() == call.app.settings.realm);
        key.map(|key| Self { hash: key.hash() })
            .ok_or(Refusal::Denied(if ApiToken::is_meant_by(text) {
                Denied::TokenForKey
            } else {
                Denied::NotAuthenticated
            }))
    }
}

/// The request that is being answered.
fn call(extensions: &Extensions) -> Result<&Arc<Call>, Refusal> {
    extensions.get().ok_or(Refusal::Internal("call"))
}

/// The token of an `Authorization: Bearer` header.
fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts
        .headers
        .get(AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The operator, by the token in the secret `OPERATOR_TOKEN`.
pub(crate) struct Operator;

impl<S: Sync> FromRequestParts<S> for Operator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let expected = call(&parts.extensions)?
            .app
            .settings
            .operator_token
            .as_deref()
            .ok_or(Refusal::NoRoute)?;
        // Digests are compared, so that the time it takes says nothing of how much of a token was right.
        let same = |token: &str| Sha256::digest(token) == Sha256::digest(expected);
        bearer(parts)
            .filter(|token| same(token))
            .map(|_| Self)
            .ok_or(Refusal::NotOperator)
    }
}

/// A body, or that it is too large or too slow. Which it is, only a caller that may send is told.
pub(crate) struct Body(pub(crate) Result<Vec<u8>, Denied>);

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let call = call(request.extensions())?;
        let patience_ms = call.app.settings.body_patience_ms;
        let incoming = call.incoming.clone();
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        SendFuture::new(async move { incoming.read(length, patience_ms).await })
            .await
            .map(Self)
    }
}

/// The header that a session's own page proves itself with.
pub(crate) const CSRF_TOKEN: HeaderName = HeaderName::from_static("x-csrf-token");
/// What a browser says of where a request comes from.
pub(crate) const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// What a request is known by when it comes again.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What the paths of the staff's begin with that name a practice.
const OF_PRACTICES: &str = "/api/v1/staff/practices/";

/// A session or token that may exist, known only by its hash from here on, with the proof that goes with it.
pub(crate) struct Presented {
    /// What the store knows it by.
    pub(crate) hash: String,
    /// Which of the two it is.
    pub(crate) kind: PresentedKind,
    /// Whether the person's own page sent the request.
    pub(crate) proof: PageProof,
    /// The practice whose records a path of the staff's names. Nothing of it is shown or changed while its patient data may
    /// not be read.
    pub(crate) about: Option<PracticeId>,
}

impl Presented {
    /// Whether the person's own page sent the request.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof != PageProof::Missing
    }
}

/// What was presented.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PresentedKind {
    Session,
    Token,
}

impl<S: Sync> FromRequestParts<S> for Presented {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let call = call(&parts.extensions)?;
        let below = parts.uri.path().strip_prefix(OF_PRACTICES);
        let about = below.and_then(|below| below.split('/').next()?.parse().ok());
        let about = about.map(PracticeId);
        if parts.headers.contains_key(AUTHORIZATION) {
            let text = bearer(parts).unwrap_or_default();
            let token = text.parse().ok();
            let token = token.filter(|token: &ApiToken| token.realm() == call.app.settings.realm);
            return token
                .map(|token| Self {
                    hash: token.hash(),
                    kind: PresentedKind::Token,
                    proof: PageProof::NotNeeded,
                    about,
                })
                .ok_or(Refusal::Denied(if ApiKey::is_meant_by(text) {
                    Denied::KeyForToken
                } else {
                    Denied::NotSignedIn
                }));
        }
        let session = cookie(parts, cookies::SESSION).and_then(|text| text.parse().ok());
        let session: SessionToken = session.ok_or(Denied::NotSignedIn)?;
        let reads = parts.method.is_safe();
        let given = parts.headers.get(CSRF_TOKEN);
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
        })
    }
}

/// The value of a cookie. Other cookies may hold anything: a neighboring host can set one that is not ASCII, and must not sign anybody
/// out by it.
pub(crate) fn cookie<'p>(parts: &'p Parts, name: &str) -> Option<&'p str> {
    let header = str::from_utf8(parts.headers.get(COOKIE)?.as_bytes()).ok()?;
    cookies::read(header, name)
}

/// What makes a write one that can come again: its place, and its key where it has one.
pub(crate) struct Once {
    method: Method,
    path: String,
    key: Result<Option<Key>, Denied>,
}

impl Once {
    /// The request as one that can be told from others.
    pub(crate) fn of(&self, body: &[u8]) -> Result<Option<Repeatable>, Denied> {
        let key = self.key.clone()?;
        Ok(key.map(|key| key.of(self.method.as_str(), &self.path, body)))
    }
}

impl<S: Sync> FromRequestParts<S> for Once {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let key = parts.headers.get(IDEMPOTENCY_KEY);
        let key = key.map(|value| Key::parse(value.to_str().unwrap_or_default()));
        Ok(Self {
            method: parts.method.clone(),
            path: parts.uri.path().into(),
            key: key.transpose(),
        })
    }
}

/// What the caller has of a resource already.
pub(crate) struct IfNoneMatch(pub(crate) Option<String>);

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let value = parts.headers.get(IF_NONE_MATCH);
        Ok(Self(
            value.and_then(|value| value.to_str().ok().map(Into::into)),
        ))
    }
}

/// Which page of a list is asked for, or what is wrong with the question. Which it is, only a caller that may read the list
/// is told.
pub(crate) struct PageOf<P = Page> {
    pub(crate) page: Result<P, Denied>,
    uri: Uri,
}

impl<P> PageOf<P> {
    /// Where the next page is, as a `Link` header says it: the same question from there on.
    pub(crate) fn next(&self, cursor: &str) -> String {
        let asked = form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(asked.filter(|(name, _)| name != "cursor"));
        query.append_pair("cursor", cursor);
        format!("<{}?{}>; rel=\"next\"", self.uri.path(), query.finish())
    }
}

impl<P: Asked, S: Sync> FromRequestParts<S> for PageOf<P> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let query = parts.uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes());
        Ok(Self {
            page: P::parse(query).map_err(Denied::Invalid),
            uri: parts.uri.clone(),
        })
    }
}

/// The id in a path. What is none has no record.
pub(crate) struct PathId(pub(crate) Uuid);

impl<S: Sync> FromRequestParts<S> for PathId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let [id] = path_ids(parts);
        Ok(Self(id))
    }
}

/// The ids in a path of a record and of another that belongs to it.
pub(crate) struct PathPair(pub(crate) Uuid, pub(crate) Uuid);

impl<S: Sync> FromRequestParts<S> for PathPair {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let [record, part] = path_ids(parts);
        Ok(Self(record, part))
    }
}

/// The ids in a path of the staff's: the practice, and the record in it.
pub(crate) struct PathIds(pub(crate) PracticeId, pub(crate) Uuid);

impl<S: Sync> FromRequestParts<S> for PathIds {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let [practice, id] = path_ids(parts);
        Ok(Self(PracticeId(practice), id))
    }
}

/// The ids of a path in their order. No record has the id that is nobody's, and only a caller that may ask is told so.
fn path_ids<const N: usize>(parts: &Parts) -> [Uuid; N] {
    // Where one is none, another stands in its place: an id of something else, which names no record either.
    let segments = parts.uri.path().split('/');
    let mut ids = segments.filter_map(|segment| segment.parse().ok());
    [(); N].map(|()| ids.next().unwrap_or(Uuid::nil()))
}

/// The number at the end of a path of a case's level. No level has the number that is none.
pub(crate) struct PathLevel(pub(crate) i64);

impl<S: Sync> FromRequestParts<S> for PathLevel {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let last = parts.uri.path().rsplit('/').next();
        let number = last.and_then(|last| last.parse().ok());
        Ok(Self(number.unwrap_or(0)))
    }
}

/// The version of a record that the caller has seen, out of its `ETag`.
pub(crate) struct IfMatch(pub(crate) Seen);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let value = parts.headers.get(IF_MATCH);
        let value = value.map(|value| value.to_str().unwrap_or_default());
        Ok(Self(Seen::parse(value)))
    }
}

/// What was presented, where anything was.
pub(crate) struct MaybePresented(pub(crate) Option<Presented>);

impl<S: Sync> FromRequestParts<S> for MaybePresented {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let presented = Presented::from_request_parts(parts, state).await;
        Ok(Self(presented.ok()))
    }
}

/// The cookie of a device that completed a sign-in before.
pub(crate) struct DeviceCookie(pub(crate) Option<String>);

impl<S: Sync> FromRequestParts<S> for DeviceCookie {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Ok(Self(cookie(parts, cookies::DEVICE).map(Into::into)))
    }
}
