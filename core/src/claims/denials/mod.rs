//! `/api/v1/denials`: a practice's own claims, as it may see them. Nothing of a patient is in it.
//!
//! A list runs from the newest claim to the oldest. Whoever goes on from a `changes_cursor` gets the claims in the order of
//! their last change instead, each once and as it is now: read the list once, keep the `changes_cursor` of its first page,
//! and follow from there; nothing is missed, since the cursor was read together with the page.

mod history;
mod list;
mod query;

pub use history::{EVENTS_MAX, One, OneView, one};
pub use list::{DenialDeadline, DenialView, Denials, Found, Scanned, StoredDenial, list};
pub use query::{ChangesCursor, Filter, Position, Query, SCAN_MAX};
