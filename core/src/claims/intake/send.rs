//! The body of a send: parsing, and the valid form.

use crate::base::ctx::Ctx;
use crate::claims::Item;
use crate::claims::validate;
use crate::request::body;
use crate::request::problem::{Problem, Rule};
use alloc::vec::Vec;
use serde::Deserializer;

/// The largest body of a send request, in bytes. Hosts stop reading and refuse larger ones.
pub const BODY_MAX: usize = 2 * 1024 * 1024;

/// The problem of a larger body.
pub const BODY_TOO_LARGE: Problem = Problem::of_body(Rule::BodySize);

/// A valid send request: 1 to 100 items whose claim numbers differ.
#[derive(Debug)]
pub struct ValidSend<'a> {
    /// The items in the order sent.
    pub items: Vec<Item<'a>>,
}

impl ValidSend<'_> {
    /// The claim numbers, for loading existing claims.
    pub fn claim_numbers(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| &*item.claim.claim_number)
    }
}

/// Reads and validates the body of a send request.
///
/// # Errors
///
/// Every problem of the request, in the order of items and fields.
pub fn parse<'a>(bytes: &'a [u8], ctx: &Ctx) -> Result<ValidSend<'a>, Vec<Problem>> {
    let envelope = body::read(bytes).map_err(|problem| [problem].to_vec())?;
    validate::items(envelope, ctx).map(|items| ValidSend { items })
}

/// Reads and validates a send request that a host has as values instead of text.
///
/// # Errors
///
/// Those of [`parse`].
pub fn parse_value<'a, D: Deserializer<'a>>(from: D, ctx: &Ctx) -> Result<ValidSend<'a>, Vec<Problem>> {
    let envelope = body::read_value(from).map_err(|problem| [problem].to_vec())?;
    validate::items(envelope, ctx).map(|items| ValidSend { items })
}
