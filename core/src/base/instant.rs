//! An instant: UTC milliseconds since 1970.

/// The milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;

/// An instant in UTC milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Instant(pub i64);

impl Instant {
    /// The instant `ms` milliseconds later, or the last instant instead of an overflow.
    #[must_use]
    pub const fn plus(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this instant, negative if this one is earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}
