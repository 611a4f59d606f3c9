//! What the pages of every context have in common.

mod document;
mod failed;
pub(crate) mod path;
mod respond;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use document::{Document, hidden};
pub(crate) use failed::{Failed, failed};
pub(crate) use respond::{content_security_policy_with_script, respond, respond_under};
