//! `verify-trail`: checks that an audit trail is unchanged. It reads the database directly.

use std::env;
use std::error::Error;

use overturn_service::store::keyring;
use overturn_service::store::trail as store;
use overturn_service::trail::{ChainPlace, Trail, TrailKeys, Whole, verify_whole};

use crate::database::Database;
use crate::service;

const WITHOUT_KEYS: &str = "The end of the chain was not authenticated: somebody who can write to the database could have made \
     the whole chain anew. Set SEALING_KEYS to check that as well.";

/// Verifies a trail page by page. If the environment has the service's keys, it checks the MACs as well.
pub(crate) fn trail(database: &Database, of: &str) -> Result<String, Box<dyn Error>> {
    let trail = Trail::parse(of).ok_or("no such trail: name a practice's id, or staff")?;
    let keyring = env::var_os(keyring::SECRET).map(|_| service::keys());
    let keyring = keyring.transpose()?;
    let keys: Option<&TrailKeys> = keyring.as_ref().map(|keys| &keys.trails);
    let whole = verify_whole(
        trail,
        keys,
        || database.read(&store::head(trail)),
        |after, most| database.read(&store::rows(trail, after, most)),
    )?;
    let Whole { checked, behind } = whole;
    if let Some(broken) = checked.broken {
        let row = broken.id.map_or_else(String::new, |id| format!(" ({id})"));
        let why = serde_json::to_value(broken.reason)?;
        let why = why.as_str().unwrap_or_default();
        return Err(format!(
            "the trail {of} is not as it was written from row {} on{row}: {why}. Rows before it that are as they were: {}.",
            broken.sequence, checked.rows
        )
        .into());
    }
    let ChainPlace { sequence, digest } = checked.place;
    let rows = match checked.rows {
        1 => "row is as it was",
        _ => "rows are as they were",
    };
    let mut said = format!(
        "{} {rows} written, {} of them without a MAC. Row {sequence} has the digest {digest}",
        checked.rows, checked.without_mac
    );
    if behind > 0 {
        said.push_str(&format!("\n{behind} or more rows are not linked yet: the service links them within a minute"));
    }
    if keys.is_none() {
        said.push('\n');
        said.push_str(WITHOUT_KEYS);
    }
    Ok(said)
}
