//! Emails to people with an account: [`letters`] and [`notices`] write them, `mailer` sends them.

mod device;
mod letter;
pub(crate) mod letters;
mod mailer;
pub(crate) mod notices;

pub(crate) use mailer::Mailer;
