//! A payer that decides, without IO: from claims, a script and a seed it makes remittances that balance to the cent.
//!
//! **In scope:** what a payer does with a claim and with an appeal, on which day, and the 835 that says so; claims from
//! JSON, from an 837 or made up; the 837 that fits. **Out of scope:** whether a denial is right.
//!
//! ```text
//! claims (read, made up) ──► answers ──► remittances (money of a day) ──► 835
//!        script ─────────────┘   └──► expected denials
//! ```
//!
//! The same input always gives the same bytes. An amount that was paid is the charge less the adjustments, so nothing can
//! be out of balance unless a payer's habits say so.

#![no_std]
#![allow(
    clippy::arithmetic_side_effects,
    reason = "a line is at most ten million dollars and a claim has at most 999 lines, so no sum of what fits memory overflows"
)]
#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that meets the unexpected should panic"))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod answer;
mod appeal;
mod claim;
mod error;
mod expected;
mod generate;
mod habits;
mod json;
mod numbers;
mod remittance;
mod script;
mod submission;
mod suite;
#[cfg(test)]
mod tests;
mod trial;
mod x12;

pub use answer::{Adjustment, Answer, Kind};
pub use appeal::{Decision, appeal, decide, filing_days};
pub use claim::{Claim, LINES_MAX, Line, Patient};
pub use error::InputError;
pub use expected::{Expected, Played, expected, play};
pub use generate::{Generated, Mix, claims, generate, generate_as};
pub use habits::{HABITS, Habits};
pub use numbers::Numbers;
pub use remittance::{Remittance, era, remittances};
pub use script::{Act, Codes, Outcome, Reply, Script};
pub use submission::submission;
pub use suite::{Case, case};
pub use trial::Trial;

use alloc::vec::Vec;

/// The claims of a file: an 837, or JSON.
///
/// # Errors
///
/// [`InputError`] names the field.
pub fn read(bytes: &[u8]) -> Result<Vec<Claim>, InputError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let claims = if text.starts_with(b"ISA") { submission::read(text) } else { json::read(text) }?;
    if claims.is_empty() { Err(InputError::NoClaim) } else { Ok(claims) }
}
