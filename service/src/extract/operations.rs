//! What a handler asks of a request of the operator, or of any caller.

use super::body::{Body, ParseBody};
use super::credential::bearer;
use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::{Caller, Takes};
use crate::call::Call;
use crate::error::AppError;
use sha2::{Digest, Sha256};
use std::marker::PhantomData;
use std::rc::Rc;

/// A call without a credential.
pub(crate) struct PublicRequest {
    pub(crate) call: Rc<Call>,
}

impl FromCall for PublicRequest {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        Ok(Self { call })
    }
}

/// A write without a credential. Its handler counts the call before it has the body read.
pub(crate) struct PublicWrite<B> {
    pub(crate) call: Rc<Call>,
    body: PhantomData<fn() -> B>,
}

impl<B: ParseBody> PublicWrite<B> {
    pub(crate) async fn bytes(&self) -> Result<Vec<u8>, AppError> {
        let Body(bytes) = Body::from_call(&self.call).await?;
        Ok(bytes?)
    }

    pub(crate) async fn body(&self) -> Result<B, AppError> {
        Ok(B::parse(&self.bytes().await?, &self.call)?)
    }
}

impl<B: ParseBody> FromCall for PublicWrite<B> {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.body = B::taken();
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        Ok(Self { call: Rc::clone(call), body: PhantomData })
    }
}

/// A call of the operator, by the token in the secret `OPERATOR_TOKEN`.
pub(crate) struct OperatorRequest {
    pub(crate) call: Rc<Call>,
}

impl FromCall for OperatorRequest {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.caller = Some(Caller::Operator);
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let expected = call.app.settings.operator_token.as_deref();
        let expected = expected.ok_or(AppError::NoRoute)?;
        // Digests are compared, so the time of the comparison does not reveal how much of a token was right.
        let same = |token: &str| Sha256::digest(token) == Sha256::digest(expected);
        bearer(call).filter(|token| same(token)).map(|_| Self { call: Rc::clone(call) }).ok_or(AppError::NotOperator)
    }
}
