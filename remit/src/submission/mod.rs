//! The 837: the claims as the practice sent them (005010X222A1, X223A2). They have the dates of birth.

mod index;
mod model;
mod parse;

pub(crate) use index::{BirthDate, Index, Query, match_quality};
pub(crate) use model::SubmittedClaim;
pub(crate) use parse::Reader;
