//! The 835: what a payer says about claims (005010X221A1).

mod model;
mod parse;

pub(crate) use model::{Adjustment, ClaimPayment, Header, Level};
pub(crate) use parse::{Events, Reader, is_member_id};
