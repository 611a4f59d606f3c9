//! The inputs of pages: the token of a link, and the fields of a form.

use super::body::Body;
use super::query::values;
use super::sign_in::SignInRequest;
use crate::call::{Call, of_request};
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use overturn_core::accounts::link;
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

    /// The form as the JSON body of the same API request, so that one function parses both.
    pub(crate) fn json(&self) -> Vec<u8> {
        // Text always converts to JSON.
        serde_json::to_vec(&self.0).unwrap_or_default()
    }

    fn parse(body: &[u8]) -> Self {
        let mut fields = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(body) {
            let field = fields.entry(name.into_owned());
            field.or_insert_with(|| value.into_owned());
        }
        Self(fields)
    }
}

/// A form of a page of an account, and the same request as the API would get it.
pub(crate) struct FormRequest {
    pub(crate) form: Form,
    pub(crate) sign_in: SignInRequest,
}

impl<S: Sync> FromRequest<S> for FormRequest {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let mut sign_in = SignInRequest::from_request(request, state).await?;
        let form = Form::parse(&sign_in.body?);
        sign_in.body = Ok(form.json());
        Ok(Self { form, sign_in })
    }
}

/// A page of an account that a link leads to: the call, and the token in the query.
pub(crate) struct LinkRequest {
    pub(crate) call: Arc<Call>,
    pub(crate) token: LinkToken,
}

impl<S: Sync> FromRequestParts<S> for LinkRequest {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        let token = link::read(&token(parts))?;
        Ok(Self { call, token })
    }
}

/// The page on which a patient signs: the call, and the token in the query. `None` if no link has such a token.
pub(crate) struct PatientLink {
    pub(crate) call: Arc<Call>,
    pub(crate) token: Option<SigningToken>,
}

impl<S: Sync> FromRequestParts<S> for PatientLink {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        let token = token(parts).parse().ok();
        Ok(Self { call, token })
    }
}

/// A form of the page on which a patient signs.
pub(crate) struct PatientForm {
    pub(crate) call: Arc<Call>,
    pub(crate) form: Form,
}

impl<S: Sync> FromRequest<S> for PatientForm {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let call = Arc::clone(of_request(request.extensions())?);
        let Body(body) = Body::from_request(request, state).await?;
        let form = Form::parse(&body?);
        Ok(Self { call, form })
    }
}

fn token(parts: &Parts) -> Cow<'_, str> {
    values(&parts.uri, "token").next().unwrap_or_default()
}
