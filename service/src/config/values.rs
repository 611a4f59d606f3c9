//! Reads variables of the environment.

use super::checks;
use crate::request::limit::RateLimit;
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

/// A limit per minute. A variable may set another number.
pub(super) fn per_minute(env: Variables<'_>, name: &'static str, default: u32) -> Result<RateLimit, ConfigError> {
    per(env, name, default, 60_000)
}

/// A limit in a window. A variable may set another number.
pub(super) fn per(
    env: Variables<'_>,
    name: &'static str,
    default: u32,
    window_ms: i64,
) -> Result<RateLimit, ConfigError> {
    let limit = at_most(env, name, default, checks::LIMIT_MAX)?;
    Ok(RateLimit { limit, window_ms })
}

/// A whole number from 1 on. A variable may set another one.
pub(super) fn at_most(env: Variables<'_>, name: &'static str, default: u32, max: u32) -> Result<u32, ConfigError> {
    within(env, name, default, &(1..=max))
}

/// A whole number. A variable may set another one within a range.
pub(super) fn within(
    env: Variables<'_>,
    name: &'static str,
    default: u32,
    allowed: &RangeInclusive<u32>,
) -> Result<u32, ConfigError> {
    let Some(text) = env(name) else {
        return Ok(default);
    };
    checks::limit(&text, allowed).ok_or_else(|| ConfigError {
        name,
        problem: format!("must be a whole number from {} to {}", allowed.start(), allowed.end()),
    })
}

/// The variables and secrets of the service, by name.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;
