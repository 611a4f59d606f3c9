//! Denied claims from X12 remittances, without IO.
//!
//! **In scope:** reading 835 remittances and 837 claims from bytes, deciding what was denied, joining it with the claims
//! that were sent, and writing it as the claims that the service takes. **Out of scope:** files, printing, sending.
//!
//! ```text
//! bytes ──► tokenizer ──► envelope ──► remittance (835) ──► decide ──► record ─┐
//!                                  └─► submission (837) ──► index ─────────────┴─► history ──► join ──► claim
//! ```
//!
//! Bytes come in chunks of any size. Memory holds the submitted claims and one record for each claim payment, small unless
//! something was denied. The order of the files does not matter. Every claim that comes out passes the service's validation.

#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::string_slice,
        clippy::type_complexity,
        reason = "a test that meets the unexpected should panic, and its tables are types of their own"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod amount;
mod births;
mod carc;
mod case;
mod claim;
mod claims;
mod code;
mod copies;
mod coverage;
mod csv;
mod day;
mod decide;
mod envelope;
mod explain;
mod fate;
mod finish;
#[cfg(any(test, feature = "generator"))]
pub mod generator;
mod history;
mod join;
mod json;
mod later;
mod lines;
mod number;
mod one_payer;
mod parts;
mod plan;
mod read;
mod record;
mod remit;
mod remittance;
mod report;
mod segment;
mod submission;
#[cfg(test)]
mod tests;
mod text;
mod tokenizer;
mod transaction;

pub use amount::Amount;
pub use births::{Births, MissingBirth, template};
pub use carc::{CarcClasses, Class};
pub use code::Code;
pub use csv::{CsvError, CsvReader, CsvRecord, CsvRow, csv_rows};
pub use day::Day;
pub use explain::skip_text;
pub use plan::{MissingPlan, MissingPlans, PayerPlans};
pub use remit::{HeldClaim, Options, Outcome, Remit, WrittenClaim};
pub use report::{Counts, FileReport, FileState, Hold, Skip, Tally, Warning};
pub use text::decode;
pub use tokenizer::FileError;
