//! `/api/v1/denials`: a practice's own claims, without any patient data.
//!
//! A list runs from the newest claim to the oldest. With a `changes_cursor`, the claims come in the order of their last
//! change instead, each once and in its current state. To follow changes, read the list once, keep the `changes_cursor`
//! of its first page, and continue from there. No change is missed, because the cursor was read together with the page.

mod history;
mod link;
mod list;
mod query;

pub use history::{By, DenialAction, EVENTS_MAX, One, OneView, one};
pub use link::{ClaimLink, LinkView, hand_out};
pub use list::{DenialDeadline, DenialView, Denials, FoundDenials, Scanned, StoredDenial, list};
pub use query::{ChangesCursor, DenialsQuery, Filter, ListOrder, PageStart, SCAN_MAX};
