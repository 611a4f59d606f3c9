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
mod error;
mod explain;
mod fate;
mod finish;
mod history;
mod join;
mod later;
mod lines;
mod number;
mod one_payer;
mod options;
mod outcome;
mod parts;
mod plan;
mod read;
mod reasons;
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
pub use csv::{CsvReader, CsvRecord, CsvRow, csv_rows};
pub use day::Day;
pub use error::{CsvError, FileError};
pub use options::Options;
pub use outcome::{HeldClaim, Outcome, WrittenClaim};
pub use plan::{MissingPlan, MissingPlans, PayerPlans};
pub use reasons::{Hold, Skip};
pub use remit::Remit;
pub use report::{Counts, FileReport, FileState, Tally, Warning};
pub use segment::Segment;
pub use text::decode;
pub use tokenizer::segments;
