//! A practice's claims: what a claim is, its validation, identity, status and deadlines, and the decision on a send.

pub mod advice;
pub mod appeal;
pub mod check;
mod claim;
pub mod codes;
pub mod deadline;
mod envelope;
pub mod identity;
pub mod intake;
pub mod moves;
mod number;
mod present;
pub mod query;
mod signing;
mod status;
mod validate;

pub use claim::{CONFIDENTIAL, Claim, Confidential, Details, Item, OpenedIdentity, Patient, PlanType, same_name};
pub use number::{ClaimNumber, NUMBER_MAX};
pub use present::{Part, Present};
pub use signing::SigningStatus;
pub use status::ClaimStatus;
