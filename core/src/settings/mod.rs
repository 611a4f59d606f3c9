//! The settings of a practice (interface: the practice settings).

pub mod agreements;
pub mod api_keys;
pub mod api_tokens;
pub mod data_jobs;
pub mod details;
pub mod practice;
pub mod trail;
