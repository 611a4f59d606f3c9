//! The variables of webhooks, which are allowed only in dev.

use crate::request::declare::Reach;

/// Allows endpoints on this machine.
pub(crate) const LOCAL: &str = "WEBHOOKS_LOCAL";
/// The waits between attempts, in seconds, separated by commas.
pub(crate) const WAITS: &str = "WEBHOOKS_WAITS";

/// The waits between the attempts, in seconds: 10 attempts in a little over three days.
const DEFAULT_WAITS: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// The waits between the attempts at one message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Schedule(Vec<i64>);

impl Default for Schedule {
    fn default() -> Self {
        Self(DEFAULT_WAITS.into())
    }
}

impl Schedule {
    /// A schedule of whole seconds, separated by commas; `None` if the text is invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let waits = text.split(',').map(|wait| wait.trim().parse::<u32>());
        let waits: Result<Vec<_>, _> = waits.map(|wait| wait.map(i64::from)).collect();
        waits.ok().map(Self)
    }

    /// How many attempts there are.
    pub(crate) fn attempts(&self) -> usize {
        self.0.len().saturating_add(1)
    }

    /// Milliseconds to wait after the nth attempt, counted from 1; `None` if it was the last.
    pub(crate) fn wait_ms(&self, attempt: usize) -> Option<i64> {
        let wait = self.0.get(attempt.checked_sub(1)?)?;
        Some(wait.saturating_mul(1000))
    }

    /// Milliseconds from the first attempt to the last, if each fails at once.
    pub(crate) fn total_ms(&self) -> i64 {
        let all = self.0.iter().fold(0_i64, |all, wait| all.saturating_add(*wait));
        all.saturating_mul(1000)
    }
}

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
