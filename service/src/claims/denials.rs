//! `/api/v1/denials`: a practice's own claims, without any patient data.
//!
//! A list runs from the newest claim to the oldest. With a `changes_cursor`, the claims come in the order of their last
//! change instead, each once and in its current state. To follow changes, read the list once, keep the `changes_cursor`
//! of its first page, and continue from there. No change is missed, because the cursor was read together with the page.

mod link;
mod list;
mod one;
mod page;
mod query;
mod stored;
#[cfg(test)]
mod tests;

pub(crate) use link::signing_link;
pub(crate) use list::list;
pub(crate) use one::show;
pub use one::{By, DenialAction};
pub use query::ListOrder;
