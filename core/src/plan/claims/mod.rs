//! The claim parts of a plan, and the claim in the form that every context reads.

pub(super) mod claim;
pub mod codes;
pub mod deadline;
pub(super) mod fills;
pub(super) mod mismatches;
pub(super) mod number;
pub(super) mod present;
pub(crate) mod status;
pub(super) mod writes;

pub use claim::{
    CONFIDENTIAL, Claim, Confidential, Details, Item, OpenedIdentity, Patient, PlanType, same_name, same_patient,
};
pub use fills::{Fill, Fills};
pub use mismatches::{Alarm, Bound, Bounds, Mismatches};
pub use number::{ClaimNumber, NUMBER_MAX};
pub use present::{Part, Present};
pub use status::ClaimStatus;
pub use writes::{Correction, Corrections, NewClaim, NewClaims, Tags};
