//! What every parameter of a handler is.

#[cfg(any(test, feature = "schema"))]
use super::takes::Takes;
use crate::call::Call;
use crate::error::AppError;
use std::rc::Rc;

/// What a handler takes of a request.
pub(crate) trait FromCall: Sized {
    /// Says what it takes.
    #[cfg(any(test, feature = "schema"))]
    fn describe(_: &mut Takes) {}

    /// Reads it from the call.
    ///
    /// # Errors
    ///
    /// Why the request is refused before its handler runs.
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError>;
}
