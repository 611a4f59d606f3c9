//! Mail to people with an account: [`letters`] has the texts, `mailer` sends them.

pub(crate) mod letters;
mod mailer;

pub(crate) use mailer::Mailer;
