//! What this instance remembers of sign-ins from unknown devices (`crate::sign_in_limits`).

use super::failure_budget::FailureBudget;
use crate::request::limit::{SlidingLog, Verdict};
use overturn_core::base::instant::Instant;
use std::cell::RefCell;
use std::collections::HashMap;

/// Refusals, failures and attempts.
#[derive(Default)]
pub(crate) struct UnknownDevices {
    /// The limiters that refused a moment ago.
    pub(crate) refused: RefCell<HashMap<String, (Instant, Verdict)>>,
    pub(crate) budget: RefCell<FailureBudget>,
    /// Attempts in progress in this isolate. One that the platform ended silently leaves after a while.
    pub(crate) under_way: RefCell<SlidingLog>,
}
