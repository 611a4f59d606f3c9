//! The input of a handler for a person who is not signed in yet.

use super::body::{Body, ParseBody};
use super::credential::{DeviceCookie, MaybePresented, Presented};
use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::Takes;
use crate::call::Call;
use crate::error::AppError;
use crate::request::error::RequestError;
use overturn_core::base::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;

/// A body that the handler parses, because it counts the request first.
pub(crate) struct Received<B>(Result<Vec<u8>, RequestError>, PhantomData<B>);

impl<B: ParseBody> Received<B> {
    pub(crate) fn parse(self, call: &Call) -> Result<B, RequestError> {
        B::parse(&self.0?, call)
    }
}

/// A body with a token or an id that a cell handed out, which names that cell.
pub(crate) trait NamesCell {
    /// The id, or the hash of the token, and the cell. `None` for one that nothing has.
    fn handed_out(&self) -> Option<(String, Cell)>;
}

impl<B: ParseBody + NamesCell> Received<B> {
    /// The body, and the call in the cell that it names.
    pub(crate) fn parse_in_cell(self, call: &Rc<Call>) -> Result<(B, Rc<Call>), RequestError> {
        let body = self.parse(call)?;
        let call = body.handed_out().map_or_else(|| Rc::clone(call), |(what, cell)| call.at(what, cell));
        Ok((body, call))
    }
}

/// The call, the browser's session and device, and the body.
pub(crate) struct SignInRequest<B> {
    /// In the cell of the session.
    pub(crate) call: Rc<Call>,
    pub(crate) presented: Option<Presented>,
    /// The cookie of a device that has completed a sign-in.
    pub(crate) device: Option<String>,
    pub(crate) body: Received<B>,
}

impl<B: ParseBody> FromCall for SignInRequest<B> {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.signs_in = true;
        takes.body = B::taken();
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        let MaybePresented(presented) = MaybePresented::from_call(&call).await?;
        let DeviceCookie(device) = DeviceCookie::from_call(&call).await?;
        let Body(body) = Body::from_call(&call).await?;
        Ok(Self { call, presented, device, body: Received(body, PhantomData) })
    }
}
