//! `overturn-server health`, for containers without a program that asks by HTTP.

use crate::error::{Context as _, Result};
use std::net::SocketAddr;
use std::time::Duration;
use ureq::Agent;

/// A server that answers later is not healthy.
const TIME_OUT: Duration = Duration::from_secs(5);

/// Asks the server at an address for its health.
///
/// # Errors
///
/// It does not answer in time, or not with `200`.
pub(crate) fn ask(address: SocketAddr) -> Result<()> {
    // The server is near, so no proxy of the environment is.
    let config = Agent::config_builder().timeout_global(Some(TIME_OUT)).proxy(None).build();
    let url = format!("http://{address}/health");
    let asked = Agent::new_with_config(config).get(&url).call();
    asked.map(drop).context(|| format!("{url} is not well"))
}
