//! What a plan writes of claims, and the claim as every context reads it.

mod claim;
pub mod codes;
pub mod deadline;
mod fills;
mod mismatches;
mod number;
mod present;
pub(crate) mod status;
mod writes;

pub use claim::{
    CONFIDENTIAL, Claim, Confidential, Details, Item, Opened, Patient, PlanType, same_name,
    same_patient,
};
pub use fills::{Fill, Fills, Resealed};
pub use mismatches::{Alarm, Bound, Bounds, Mismatches};
pub use number::ClaimNumber;
pub use present::{Part, Present};
pub use status::ClaimStatus;
pub use writes::{Correction, Corrections, NewClaim, NewClaims, Tags};
