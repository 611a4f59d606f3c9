//! Mail to the people with an account: [`letters`] is what it says, `mailer` sends it.

pub(crate) mod letters;
mod mailer;

pub(crate) use mailer::Mailer;
