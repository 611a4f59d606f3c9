//! What every parameter of a handler is.

use crate::call::Call;
use crate::error::AppError;
use std::rc::Rc;

/// What the parameters of a handler take together.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Takes {
    /// The parts of the path.
    pub(crate) parts: Vec<&'static str>,
    /// True if it takes `If-Match`.
    pub(crate) version: bool,
    /// Who calls it, if it takes the credential of one kind of caller.
    pub(crate) caller: Option<Caller>,
}

/// A kind of caller.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    Person,
    Key,
    Operator,
}

/// What a handler takes of a request.
pub(crate) trait FromCall: Sized {
    /// Says what it takes.
    #[cfg(test)]
    fn describe(_: &mut Takes) {}

    /// Reads it from the call.
    ///
    /// # Errors
    ///
    /// Why the request is refused before its handler runs.
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError>;
}
