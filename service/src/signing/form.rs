//! The form that a patient signs with.

use super::drawing::Drawing;
use super::signature::Relation;
use overturn_core::base::text::is_printable;
use std::fmt;

/// Most characters of a name.
pub(super) const NAME_MAX: usize = 200;

/// The fields of the form, as sent.
#[derive(Clone, Copy)]
pub struct FormFields<'a> {
    /// The name of a [`Relation`].
    pub relation: &'a str,
    /// The typed name.
    pub name: &'a str,
    /// The drawing as JSON.
    pub drawing: &'a str,
    /// Whether the box was checked.
    pub consents: bool,
}

impl fmt::Debug for FormFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FormFields(…)")
    }
}

/// The signature from the form: a typed name, a drawing, or both. `Debug` prints neither.
#[derive(Clone, PartialEq, Eq)]
pub struct SignatureInput {
    /// Who signs.
    pub relation: Relation,
    /// The name as typed.
    pub name: Option<String>,
    pub drawing: Option<Drawing>,
}

impl fmt::Debug for SignatureInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignatureInput(…)")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormProblem {
    /// The form does not say who signs.
    Relation,
    /// A person who signs for the patient has not typed a name.
    RepresentativeUnnamed,
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
    /// Reads the fields of the form. A person who signs for the patient has to type a name, because a drawing does not say who
    /// they are.
    ///
    /// # Errors
    ///
    /// Every problem, in the order of the fields.
    pub fn read(fields: FormFields<'_>) -> Result<Self, Vec<FormProblem>> {
        let FormFields { relation, name, drawing, consents } = fields;
        let name = name.trim();
        let mut problems = Vec::new();
        let relation = Relation::parse(relation);
        if relation.is_none() {
            problems.push(FormProblem::Relation);
        }
        if name.chars().count() > NAME_MAX {
            problems.push(FormProblem::NameTooLong);
        } else if !name.chars().all(is_printable) {
            problems.push(FormProblem::NameUnprintable);
        }
        let drawing = Drawing::parse(drawing);
        match &drawing {
            Err(_) => problems.push(FormProblem::Drawing),
            Ok(None) if name.is_empty() => problems.push(FormProblem::Missing),
            Ok(Some(_)) if name.is_empty() && relation.is_some_and(|by| by != Relation::Patient) => {
                problems.push(FormProblem::RepresentativeUnnamed);
            }
            Ok(_) => {}
        }
        if !consents {
            problems.push(FormProblem::Consent);
        }
        match (drawing, relation) {
            (Ok(drawing), Some(relation)) if problems.is_empty() => {
                Ok(Self { relation, name: (!name.is_empty()).then(|| name.into()), drawing })
            }
            _ => Err(problems),
        }
    }
}

#[cfg(test)]
mod tests;
