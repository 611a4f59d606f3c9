//! Emails.

use super::step::Step;

/// An email to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The address, which was checked when it came in.
    pub to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with `\n` at the end of a line.
    pub text: String,
}

/// Sends emails.
pub trait Mailer {
    /// Passes an email on. `from` is the sender's name and address.
    ///
    /// # Errors
    ///
    /// A short code that holds no address. The email may have been sent.
    fn send<'a>(&'a self, from: (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>>;
}
