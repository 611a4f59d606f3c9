//! The queries of how a practice's people sign in.

use super::sql::sso as sql;
use crate::query::Query;
use crate::statement::{Param, count, text};
use overturn_core::base::instant::Instant;
use overturn_core::settings::sso::SsoSettings;
use overturn_core::settings::sso::ending::EndingProvider;

/// How many providers one read of [`ending`] gives at most.
pub const ENDING_MAX: usize = 20;

/// How the people of the caller's practice sign in. `caller` is the hash of the credential.
#[must_use]
pub fn settings(caller: &str) -> Query<SsoSettings> {
    Query::or_default("settings.sso", sql::SETTINGS, [text(caller)])
}

/// Some of the providers about whose certificates a practice is due to be warned.
#[must_use]
pub fn ending(now: Instant) -> Query<Vec<EndingProvider>> {
    let params = [Param::Int(now.0), count(ENDING_MAX)];
    Query::or_default("settings.sso_ending", sql::ENDING, params)
}
