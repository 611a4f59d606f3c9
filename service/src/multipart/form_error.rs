//! Why a form cannot be read, and what the caller is told.

use crate::error::AppError;
use crate::request::error::RequestError;
use crate::request::file_limits::TOO_LARGE;
use overturn_core::request::problem::{Problem, Rule};

/// How many parts a form may have.
pub(crate) const PARTS_MAX: usize = 100;

/// Why a form cannot be read. A part is known by its number, counted from 1, because its name is the caller's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormError {
    /// The request's `Content-Type` is another, or has no boundary.
    NotForm,
    /// The form is broken off, or does not have the form of one, behind this many parts.
    Malformed {
        parts: usize,
    },
    /// A part has no `Content-Disposition` with a name, or has it in a wrong form.
    Unnamed {
        part: usize,
    },
    /// The headers of a part are too long.
    HeadersTooLarge {
        part: usize,
    },
    /// There are more than [`PARTS_MAX`] parts.
    TooManyParts,
    TextTooLong {
        part: usize,
    },
    /// The text of a part is not UTF-8.
    NotText {
        part: usize,
    },
    /// The parts have more bytes than the form may have. What follows is not read.
    TooLarge,
    /// The client disconnected.
    Disconnected,
    /// The body did not arrive in time.
    TooSlow,
}

impl From<FormError> for AppError {
    fn from(error: FormError) -> Self {
        let malformed = |field: String, text| {
            let problem = Problem::new(field, Rule::Form(text));
            RequestError::Malformed(problem).into()
        };
        let invalid = |field: String, rule| {
            let problem = Problem::new(field, rule);
            RequestError::Invalid([problem].into()).into()
        };
        let name = |part: usize| format!("part {part}");
        match error {
            FormError::NotForm => malformed("Content-Type".into(), "must be multipart/form-data with a boundary"),
            FormError::Malformed { parts } => {
                malformed(name(parts.saturating_add(1)), "cannot be read, or the body ends before it")
            }
            FormError::Unnamed { part } => {
                malformed(name(part), "must have one Content-Disposition: form-data with one name")
            }
            FormError::HeadersTooLarge { part } => malformed(name(part), "must have headers of at most 64 KB"),
            FormError::TooManyParts => invalid("form".into(), Rule::Items(PARTS_MAX)),
            FormError::TextTooLong { part } => invalid(name(part), Rule::Form("is longer than its text may be")),
            FormError::NotText { part } => invalid(name(part), Rule::Text),
            FormError::TooLarge => TOO_LARGE.into(),
            FormError::Disconnected => Self::Malformed,
            FormError::TooSlow => RequestError::BodyTooSlow.into(),
        }
    }
}
