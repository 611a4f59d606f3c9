//! The drill's own claims. The drill sends them before the backup, and the copy must recognize them.

use std::env;
use std::fmt;
use std::fs;

use serde_json::{Value, json};

use crate::backup::Source;
use crate::error::Result;
use crate::paths::Paths;
use crate::run;
use crate::state::State;

use super::checks::{node, parse, serve};

/// The drill's own claims, with the service's answers from before the backup.
#[derive(Debug)]
pub(crate) struct Sent {
    /// `[{"claim_number", "id"}, …]`, empty if none were sent.
    pub(crate) claims: Value,
    why: &'static str,
}

impl Sent {
    /// No claims, for a service that could not be reached.
    pub(crate) fn none(why: &'static str) -> Self {
        Self { claims: json!([]), why }
    }
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.claims.as_array().map_or(0, Vec::len) {
            0 => f.write_str(self.why),
            count => write!(f, "claims: {count}"),
        }
    }
}

/// Sends the drill's claims to the service that is backed up. A local service is started for that. A remote one is
/// called with the key of its drill practice.
pub(crate) fn send(paths: &Paths, source: &Source) -> Result<Sent> {
    let printed = match source {
        Source::Local(folder) => {
            let state = State::open(folder, false)?;
            let _alone = state.lock()?;
            let demo = fs::read_to_string(state.demo()).unwrap_or_default();
            let demo: Value = serde_json::from_str(&demo).unwrap_or_default();
            let key = demo.pointer("/practices/active/keys/full");
            let Some(key) = key.and_then(Value::as_str) else {
                return Ok(Sent::none("skipped: the state has no demo.json with a key"));
            };
            state.migrate(paths)?;
            let (server, url) = serve(paths, &state, &json!({ "LIMITS": "unlimited" }))?;
            let printed = run::output(node(paths, "send", &url).env("DRILL_KEY", key))?;
            server.stop()?;
            printed
        }
        Source::Remote(_) => {
            let (Ok(url), Ok(key)) = (env::var("OVERTURN_URL"), env::var("OVERTURN_API_KEY")) else {
                return Ok(Sent::none(
                    "skipped: OVERTURN_URL and OVERTURN_API_KEY of a practice for drills are not set",
                ));
            };
            run::output(node(paths, "send", &url).env("DRILL_KEY", key))?
        }
    };
    let claims = parse(&printed, "the answer to the drill's claims")?;
    Ok(Sent { claims, why: "" })
}
