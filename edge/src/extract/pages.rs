//! The inputs of pages: the token of a link, and the fields of a form.

use super::body::Body;
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use overturn_core::accounts::link;
use overturn_core::base::secret::{LinkToken, SigningToken};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The fields of a form. Of a repeated field, the first one counts.
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// The value of a field, empty if it is missing.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The form as the JSON body of the same API request, so that one function parses both.
    pub(crate) fn json(&self) -> Vec<u8> {
        // Text always converts to JSON.
        serde_json::to_vec(&self.0).unwrap_or_default()
    }

    pub(super) fn parse(body: &[u8]) -> Self {
        let mut fields = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(body) {
            let field = fields.entry(name.into_owned());
            field.or_insert_with(|| value.into_owned());
        }
        Self(fields)
    }
}

impl<S: Sync> FromRequest<S> for Form {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let Body(body) = Body::from_request(request, state).await?;
        Ok(Self::parse(&body?))
    }
}

/// The token in the query of a link.
pub(crate) struct Linked(pub(crate) LinkToken);

impl<S: Sync> FromRequestParts<S> for Linked {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Ok(Self(link::read(&token(parts))?))
    }
}

/// The token in the query of a signing link, `None` if the text cannot be one.
pub(crate) struct SignedBy(pub(crate) Option<SigningToken>);

impl<S: Sync> FromRequestParts<S> for SignedBy {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Ok(Self(token(parts).parse().ok()))
    }
}

fn token(parts: &Parts) -> Cow<'_, str> {
    let query = parts.uri.query().unwrap_or_default();
    let mut query = form_urlencoded::parse(query.as_bytes());
    let token = query.find(|(name, _)| name == "token");
    token.map(|(_, value)| value).unwrap_or_default()
}
