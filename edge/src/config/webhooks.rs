//! The variables of webhooks, which only dev has.

use overturn_core::webhooks::address::Reach;
use overturn_core::webhooks::attempt::Schedule;

/// Lets endpoints be on this machine.
pub(crate) const LOCAL: &str = "WEBHOOKS_LOCAL";
/// The waits between attempts, in seconds with commas between.
pub(crate) const WAITS: &str = "WEBHOOKS_WAITS";

/// How far endpoints may be, and how often they are tried.
pub(crate) struct Settings {
    pub(crate) reach: Reach,
    pub(crate) schedule: Schedule,
}

impl Settings {
    /// The settings of the two variables.
    ///
    /// # Errors
    ///
    /// The name of a variable and what is wrong with it, without its value.
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
            Some(waits) => Schedule::parse(&waits).filter(|_| is_dev).ok_or((
                WAITS,
                "must be seconds with commas between, and only in dev",
            ))?,
        };
        Ok(Self { reach, schedule })
    }
}
