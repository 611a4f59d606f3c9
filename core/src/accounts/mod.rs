//! Accounts: what an account and its session are, what follows from a first factor, passwords, recovery codes, and what
//! browsers keep. The service has the rest beside its SQL.

pub mod account;
pub mod ceremony;
pub mod csrf;
pub mod device;
pub mod failure_budget;
pub mod new_session;
pub mod password;
pub mod recovery;
pub mod sign_in;
