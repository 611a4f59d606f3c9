//! `/api/v1/settings`: what a practice decides about itself.

pub(crate) mod api_keys;
