//! The variables of webhooks, which are allowed only in dev.

use crate::request::declare::Reach;
pub(crate) use overturn_core::webhooks::schedule::Schedule;

/// Allows endpoints on this machine.
pub(crate) const LOCAL: &str = "WEBHOOKS_LOCAL";
/// The waits between attempts, in seconds, separated by commas.
pub(crate) const WAITS: &str = "WEBHOOKS_WAITS";

/// The allowed endpoints, and the schedule of attempts.
pub(crate) struct Settings {
    pub(crate) reach: Reach,
    pub(crate) schedule: Schedule,
}

impl Settings {
    /// The settings of the two variables.
    ///
    /// # Errors
    ///
    /// The name of a variable and its problem, without its value.
    pub(crate) fn read(
        variable: impl Fn(&str) -> Option<String>,
        is_dev: bool,
    ) -> Result<Self, (&'static str, &'static str)> {
        let reach = match variable(LOCAL).as_deref() {
            None => Reach::Internet,
            Some("yes") if is_dev => Reach::ThisMachine,
            Some(_) => return Err((LOCAL, "may only be yes, and only in dev")),
        };
        let schedule = match variable(WAITS) {
            None => Schedule::default(),
            Some(waits) => Schedule::parse(&waits)
                .filter(|_| is_dev)
                .ok_or((WAITS, "must be seconds with commas between, and only in dev"))?,
        };
        Ok(Self { reach, schedule })
    }
}
