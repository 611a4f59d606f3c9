//! Mail to the people with an account: [`letters`] is what it says, `mailer` sends it.

pub mod letters;
mod mailer;
mod settings;

pub(crate) use mailer::Mailer;
pub(crate) use settings::{origin, sender};
