//! Why input cannot be used. No text repeats a value.

use overturn_remit::FileError;

/// Why claims or a script cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InputError {
    #[error("{0} {1}")]
    Field(&'static str, &'static str),
    /// A claim of a list, counted from 0.
    #[error("claims[{0}]: {1} {2}")]
    Item(usize, &'static str, &'static str),
    #[error("there is no claim in it: neither JSON nor an 837")]
    NoClaim,
    #[error("it is no JSON: line {0}, column {1}")]
    Json(usize, usize),
    #[error(transparent)]
    X12(#[from] FileError),
}

impl InputError {
    /// The same error of a claim of a list.
    pub(crate) fn of_item(self, at: usize) -> Self {
        match self {
            Self::Field(field, what) => Self::Item(at, field, what),
            other => other,
        }
    }
}
