//! The input of a writing handler.

use super::body::{Body, NoBody, ParseBody};
use super::credential::{Presented, PresentedKind};
use super::from_call::FromCall;
use super::headers::IDEMPOTENCY_KEY;
#[cfg(any(test, feature = "schema"))]
use super::takes::{Caller, Takes};
use crate::auth::rights::Action;
use crate::call::Call;
use crate::error::AppError;
use crate::request::error::RequestError;
use crate::request::idempotency::{IdempotencyKey, Repeatable};
use http::Method;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::UserId;
use std::marker::PhantomData;
use std::rc::Rc;

/// A write: the call, its credential, its idempotency key, and the body.
pub(crate) struct WriteRequest<B = NoBody> {
    pub(crate) call: Rc<Call>,
    pub(crate) presented: Presented,
    /// What the route lets its callers do.
    pub(crate) action: Action,
    pub(crate) once: Once,
    /// The body, or the problem that it is too large or too slow.
    pub(crate) bytes: Result<Vec<u8>, RequestError>,
    body: PhantomData<fn() -> B>,
}

impl<B: ParseBody> WriteRequest<B> {
    /// The hash of the credential, by which queries find the practice.
    pub(crate) fn credential(&self) -> &str {
        &self.presented.hash
    }

    pub(crate) fn ctx(&self) -> &Ctx {
        &self.call.ctx
    }

    /// The same request, which names another staff member.
    pub(crate) fn naming(mut self, colleague: Option<UserId>) -> Self {
        self.presented.colleague = colleague;
        self
    }

    /// The same request, which needs the rights of another action.
    pub(crate) fn needing(self, action: Action) -> Self {
        Self { action, ..self }
    }

    /// The parsed body. Only a caller that may make the change learns its problems.
    ///
    /// # Errors
    ///
    /// The problems of the body.
    pub(crate) fn body(&self) -> Result<B, RequestError> {
        let bytes = self.bytes.as_ref().map_err(RequestError::clone)?;
        B::parse(bytes, &self.call)
    }
}

impl<B: ParseBody> FromCall for WriteRequest<B> {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.caller = Some(Caller::Person);
        takes.once = true;
        // Another parameter may take the body.
        if B::IS_READ {
            takes.body = B::taken();
        }
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        let action = call.action()?;
        let presented = Presented::from_call(&call).await?;
        let once = Once::of_call(&call);
        let Body(bytes) = if B::IS_READ { Body::from_call(&call).await? } else { Body(Ok(Vec::new())) };
        let is_token = presented.kind == PresentedKind::Token && call.clock.is_none();
        let may_move = presented.about.is_some() && call.app.host.cells.are_several();
        if let (true, Ok(bytes)) = (is_token || may_move, &bytes) {
            call.body.keep(bytes);
        }
        Ok(Self { call, presented, action, once, bytes, body: PhantomData })
    }
}

/// The identity of a repeated write: its route and its idempotency key.
pub(crate) struct Once {
    method: Method,
    path: String,
    key: Result<Option<IdempotencyKey>, RequestError>,
}

impl Once {
    /// The same for records that its first answer is not about.
    pub(crate) fn of_rest(&self) -> Self {
        Self { path: format!("rest:{}", self.path), method: self.method.clone(), key: self.key.clone() }
    }

    fn of_call(call: &Call) -> Self {
        let key = call.headers.get(IDEMPOTENCY_KEY);
        let key = key.map(|value| IdempotencyKey::parse(value.to_str().unwrap_or_default()));
        Self { method: call.method.clone(), path: place(call), key: key.transpose() }
    }

    /// The request as a repeatable one; `None` if it has no key.
    ///
    /// # Errors
    ///
    /// The key is malformed.
    pub(crate) fn of(&self, body: &[u8]) -> Result<Option<Repeatable>, RequestError> {
        self.at(&self.path, body)
    }

    /// The same for what the directory notes of it, beside the answer of the first cell.
    ///
    /// # Errors
    ///
    /// The key is malformed.
    pub(crate) fn in_all_cells(&self, body: &[u8]) -> Result<Option<Repeatable>, RequestError> {
        self.at(&format!("cells:{}", self.path), body)
    }

    fn at(&self, path: &str, body: &[u8]) -> Result<Option<Repeatable>, RequestError> {
        let key = self.key.clone()?;
        Ok(key.map(|key| key.of(self.method.as_str(), path, body)))
    }
}

/// The path. A sandbox has places of its own, because its calls are by people of the live practice.
fn place(call: &Call) -> String {
    let path = call.url.path();
    if call.clock.is_some() { format!("sandbox:{path}") } else { path.into() }
}
