//! What every parameter of a handler is.

use crate::call::Call;
use crate::error::AppError;
use std::rc::Rc;

/// What a handler takes of a request.
pub(crate) trait FromCall: Sized {
    /// The parts of the path that it takes.
    #[cfg(test)]
    const PARTS: &'static [&'static str] = &[];
    /// True for the version of `If-Match`.
    #[cfg(test)]
    const IS_VERSION: bool = false;

    /// Reads it from the call.
    ///
    /// # Errors
    ///
    /// Why the request is refused before its handler runs.
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError>;
}
