//! The settings of a practice (interface: the practice settings).

pub mod agreements;
pub mod api_keys;
pub mod data_jobs;
pub mod trail;
