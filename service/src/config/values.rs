//! Reads variables of the environment.

use super::checks;
use crate::request::limit::RateLimit;
use core::cell::Cell;
use core::ops::RangeInclusive;

/// A missing or unusable binding, variable or secret, by name. It holds no value.
#[derive(Debug, thiserror::Error)]
#[error("{name} {problem}")]
pub struct ConfigError {
    /// The name of the setting.
    pub name: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

impl ConfigError {
    /// Logs the start-up error, with the name of the setting.
    pub fn log(&self) {
        log::error!("{}", serde_json::json!({ "event": "misconfigured", "name": self.name, "problem": self.problem }));
    }
}

/// Reads whole numbers that variables may set, and notes the first that is wrong.
pub(super) struct Numbers<'v> {
    env: Variables<'v>,
    wrong: Cell<Option<ConfigError>>,
}

impl<'v> Numbers<'v> {
    pub(super) const fn of(env: Variables<'v>) -> Self {
        Self { env, wrong: Cell::new(None) }
    }

    /// A limit per minute.
    pub(super) fn per_minute(&self, name: &'static str, default: u32) -> RateLimit {
        self.per(name, default, 60_000)
    }

    /// A limit in a window.
    pub(super) fn per(&self, name: &'static str, default: u32, window_ms: i64) -> RateLimit {
        RateLimit { limit: self.at_most(name, default, checks::LIMIT_MAX), window_ms }
    }

    /// A number from 1 on.
    pub(super) fn at_most(&self, name: &'static str, default: u32, max: u32) -> u32 {
        self.within(name, default, &(1..=max))
    }

    /// A number in a range.
    #[inline(never)]
    pub(super) fn within(&self, name: &'static str, default: u32, allowed: &RangeInclusive<u32>) -> u32 {
        let Some(text) = (self.env)(name) else {
            return default;
        };
        checks::limit(&text, allowed).unwrap_or_else(|| {
            let problem = format!("must be a whole number from {} to {}", allowed.start(), allowed.end());
            let first = self.wrong.take().unwrap_or(ConfigError { name, problem });
            self.wrong.set(Some(first));
            default
        })
    }

    /// All of them were right.
    pub(super) fn right(self) -> Result<(), ConfigError> {
        self.wrong.into_inner().map_or(Ok(()), Err)
    }
}

/// The variables and secrets of the service, by name.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;
