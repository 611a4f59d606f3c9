//! The form that a patient signs with.

use crate::base::text::is_printable;
use crate::plan::signing::drawing::Drawing;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Most characters of a name.
pub const NAME_MAX: usize = 200;

/// The signature from the form: a typed name, a drawing, or both. `Debug` prints neither.
#[derive(Clone, PartialEq, Eq)]
pub struct SignatureInput {
    /// The name as typed.
    pub name: Option<String>,
    /// The drawing.
    pub drawing: Option<Drawing>,
}

impl fmt::Debug for SignatureInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignatureInput(…)")
    }
}

/// A problem of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormProblem {
    /// There is neither a name nor a drawing.
    Missing,
    /// The name is longer than [`NAME_MAX`] characters.
    NameTooLong,
    /// The name has characters that are not printable.
    NameUnprintable,
    /// The drawing is invalid, or too large.
    Drawing,
    /// The box was not checked.
    Consent,
}

impl SignatureInput {
    /// Reads the fields of the form.
    ///
    /// # Errors
    ///
    /// Every [`FormProblem`], in the order of the fields.
    pub fn read(name: &str, drawing: &str, consents: bool) -> Result<Self, Vec<FormProblem>> {
        let name = name.trim();
        let mut problems = Vec::new();
        if name.chars().count() > NAME_MAX {
            problems.push(FormProblem::NameTooLong);
        } else if !name.chars().all(is_printable) {
            problems.push(FormProblem::NameUnprintable);
        }
        let drawing = Drawing::parse(drawing);
        match &drawing {
            Err(_) => problems.push(FormProblem::Drawing),
            Ok(None) if name.is_empty() => problems.push(FormProblem::Missing),
            Ok(_) => {}
        }
        if !consents {
            problems.push(FormProblem::Consent);
        }
        match drawing {
            Ok(drawing) if problems.is_empty() => Ok(Self {
                name: (!name.is_empty()).then(|| name.into()),
                drawing,
            }),
            _ => Err(problems),
        }
    }
}

#[cfg(test)]
mod tests;
