//! Leaked keys. GitHub and anybody else report them, and the service revokes them.

pub(crate) mod github;
mod message;
pub(crate) mod report;
mod revocation;
#[cfg(test)]
mod tests;
