//! What a handler asks of a request of the operator, or of any caller.

use super::credential::bearer;
use crate::call::{Call, of_request};
use crate::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A call without a credential.
pub(crate) struct PublicRequest {
    pub(crate) call: Arc<Call>,
}

impl<S: Sync> FromRequestParts<S> for PublicRequest {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        Ok(Self { call })
    }
}

/// A call of the operator, by the token in the secret `OPERATOR_TOKEN`.
pub(crate) struct OperatorRequest {
    pub(crate) call: Arc<Call>,
}

impl<S: Sync> FromRequestParts<S> for OperatorRequest {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let call = of_request(&parts.extensions)?;
        let expected = call.app.settings.operator_token.as_deref();
        let expected = expected.ok_or(AppError::NoRoute)?;
        // Digests are compared, so the time of the comparison does not reveal how much of a token was right.
        let same = |token: &str| Sha256::digest(token) == Sha256::digest(expected);
        bearer(parts)
            .filter(|token| same(token))
            .map(|_| Self {
                call: Arc::clone(call),
            })
            .ok_or(AppError::NotOperator)
    }
}
