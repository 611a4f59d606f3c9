//! Mail to the people with an account: [`letters`] and [`notices`] are what it says, `mailer` sends it.

mod letter;
pub(crate) mod letters;
mod mailer;
pub(crate) mod notices;

pub(crate) use letter::Letter;
pub(crate) use mailer::Mailer;
