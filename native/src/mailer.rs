//! Emails: by SMTP, or as files during development and tests.

mod printed;
mod smtp;

pub(crate) use printed::Printed;
pub(crate) use smtp::Smtp;
