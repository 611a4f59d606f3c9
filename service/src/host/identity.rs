//! The checks of foreign signatures.

use super::step::Step;

/// The program that checks what authenticators and identity providers sign (`overturn_core::identity`).
pub trait IdentityChecks {
    /// The answer to a question, as JSON.
    ///
    /// # Errors
    ///
    /// Why it has no answer.
    fn ask<'a>(&'a self, path: &'a str, question: String) -> Step<'a, Result<String, AskError>>;
}

/// Why a question to the identity checks has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskError {
    /// The program is not there.
    Away,
    /// It refused the question.
    Failed,
}
