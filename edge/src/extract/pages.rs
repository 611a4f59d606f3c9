//! The token of a link, and the fields of a form.

use super::body::Body;
use super::query::values;
use crate::call::{Call, of_request};
use crate::error::AppError;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;
use overturn_core::base::language::Language;
use overturn_core::base::secret::{LinkToken, SigningToken};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The fields of a form. Of a repeated field, the first one counts.
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// The value of a field, empty if it is missing.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
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

/// The token in the query of an older link. `None` if no link has such a token.
pub(crate) struct OldLink(pub(crate) Option<LinkToken>);

impl<S: Sync> FromRequestParts<S> for OldLink {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(token(parts).parse().ok()))
    }
}

/// The page on which a patient signs.
pub(crate) struct PatientLink {
    pub(crate) call: Arc<Call>,
    /// The token in the query. `None` if no link has such a token.
    pub(crate) token: Option<SigningToken>,
    /// The language that the patient chose, or else the one that the browser prefers.
    pub(crate) language: Language,
}

impl<S: Sync> FromRequestParts<S> for PatientLink {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        let token = token(parts).parse().ok();
        let chosen = values(&parts.uri, "language").next();
        let chosen = chosen.and_then(|name| Language::parse(&name));
        let accepted = parts.headers.get(ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok());
        let language = chosen.unwrap_or_else(|| Language::preferred(accepted.unwrap_or_default()));
        Ok(Self {
            call,
            token,
            language,
        })
    }
}

/// A form of the page on which a patient signs.
pub(crate) struct PatientForm {
    pub(crate) call: Arc<Call>,
    pub(crate) form: Form,
}

impl<S: Sync> FromRequest<S> for PatientForm {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        let call = Arc::clone(of_request(request.extensions())?);
        let Body(body) = Body::from_request(request, state).await?;
        let form = Form::parse(&body?);
        Ok(Self { call, form })
    }
}

fn token(parts: &Parts) -> Cow<'_, str> {
    values(&parts.uri, "token").next().unwrap_or_default()
}
