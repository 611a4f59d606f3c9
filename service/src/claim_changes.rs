//! Changes of claims by staff and patients: what is read before, and the guard and the writes.

mod change;
mod read;
mod several;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use change::{ClaimAnswer, ClaimChange, ClaimEdit, LinkChange};
pub(crate) use read::STORED;
pub use read::{claim, claims, found};
pub use several::{ClaimResultStatus, SEVERAL_MAX, SeenClaim};
pub(crate) use several::{ClaimResults, Claims, FoundClaim, OfClaim, Version, decide_each, only, records};
pub(crate) use write::{audit, changes, settle, unchanged};
