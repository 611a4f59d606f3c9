//! What a run depends on beside the files.

use crate::births::Births;
use crate::carc::CarcClasses;
use crate::plan::PayerPlans;
use alloc::string::String;
use overturn_core::base::instant::Instant;

#[derive(Clone, Debug)]
pub struct Options {
    /// The instant of the run. No denial date is taken from after its UTC day.
    pub now: Instant,
    /// The classes of adjustment reason codes.
    pub classes: CarcClasses,
    pub plans: PayerPlans,
    /// Dates of birth that people filled in.
    pub births: Births,
    /// Appends the day of service to every claim number, for practices that use a patient's number for all visits.
    pub append_day: bool,
    /// The claim number to explain.
    pub explain: Option<String>,
}

impl Options {
    /// The defaults at an instant.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            now,
            classes: CarcClasses::default(),
            plans: PayerPlans::default(),
            births: Births::default(),
            append_day: false,
            explain: None,
        }
    }
}
