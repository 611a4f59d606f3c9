//! Emails to people with an account: [`letters`] and [`notices`] write them, `mailer` sends them.

mod device;
mod letter;
pub(crate) mod letters;
mod mailer;
pub(crate) mod notices;

pub(crate) use mailer::Mailer;

use overturn_core::base::instant::DAY_MS;

/// The life of a sign-in or password reset link: 10 minutes.
pub(crate) const LINK_MS: i64 = 10 * 60_000;
/// The life of an invitation: 7 days.
pub const INVITATION_MS: i64 = 7 * DAY_MS;
