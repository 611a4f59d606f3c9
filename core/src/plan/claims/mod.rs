//! The claim in the form that every context reads.

pub(super) mod claim;
pub mod codes;
pub mod deadline;
pub(super) mod number;
pub(super) mod present;
pub(crate) mod status;

pub use claim::{
    CONFIDENTIAL, Claim, Confidential, Details, Item, OpenedIdentity, Patient, PlanType, same_name, same_patient,
};
pub use number::{ClaimNumber, NUMBER_MAX};
pub use present::{Part, Present};
pub use status::{ClaimStatus, read_statuses};
