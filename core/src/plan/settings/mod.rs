//! The writes about a practice and its settings.

pub mod data_jobs;
pub(super) mod practice;
pub mod trail;

pub use practice::{Address, Agreement, ApiKeyRecord, Practice, PracticeDetails, PracticeName, TaxId};
