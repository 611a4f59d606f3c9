//! A claim as the payer gets it.

use crate::error::InputError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use overturn_core::base::date::Date;

/// The most lines of a claim, as in the standard.
pub const LINES_MAX: usize = 999;
/// The largest charge of a line in cents: ten million dollars.
const CHARGE_MAX: i64 = 1_000_000_000;

/// A claim with its lines. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim {
    /// The practice's number (CLM01, CLP01).
    pub number: String,
    pub payer: String,
    /// The claim filing indicator (SBR09, CLP06), such as `MB`. May be empty.
    pub filing: String,
    pub patient: Patient,
    /// Not empty.
    pub lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq, Default)]
pub struct Patient {
    pub first_name: String,
    pub last_name: String,
    /// May be empty.
    pub member_id: String,
    pub date_of_birth: Option<Date>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    /// CPT or HCPCS code with its modifiers, such as `99213-25`.
    pub procedure: String,
    /// In cents.
    pub charge: i64,
    pub day: Date,
    /// The practice's number of the line (REF*6R). May be empty.
    pub control: String,
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claim(…)")
    }
}

impl Claim {
    /// The total charge in cents.
    #[must_use]
    pub fn charge(&self) -> i64 {
        self.lines.iter().map(|line| line.charge).sum()
    }

    /// The first day of service.
    #[must_use]
    pub fn day(&self) -> Option<Date> {
        self.lines.iter().map(|line| line.day).min()
    }

    /// The last day of service. The payer's clock begins with it.
    pub(crate) fn received(&self) -> Option<Date> {
        self.lines.iter().map(|line| line.day).max()
    }

    /// Checks what this crate relies on. The fields have the names that the input gives them.
    pub(crate) fn checked(self, number: &'static str, lines: &'static str) -> Result<Self, InputError> {
        let separates = |c: char| c.is_control() || matches!(c, '*' | '~' | ':' | '^' | '|' | '>');
        if self.number.trim().is_empty() || self.number.contains(separates) {
            return Err(InputError::Field(number, "must be a number that X12 can carry"));
        }
        if self.lines.is_empty() || self.lines.len() > LINES_MAX {
            return Err(InputError::Field(lines, "must be 1 to 999 lines"));
        }
        if !self.lines.iter().all(|line| (1..=CHARGE_MAX).contains(&line.charge)) {
            return Err(InputError::Field(lines, "must have charges above 0 and up to 10000000.00"));
        }
        Ok(self)
    }
}
