//! `/api/v1/settings`: a practice's settings.

pub(crate) mod agreements;
pub(crate) mod api_keys;
pub(crate) mod api_tokens;
pub(crate) mod audit;
pub(crate) mod data_jobs;
mod details;
pub(crate) mod expiry;
pub(crate) mod members;
pub(crate) mod practice;
pub(crate) mod sso;
#[cfg(test)]
mod tests;
pub(crate) mod trail;
