//! The address of the service and the API key, from the command line and the environment.

use crate::args;
use crate::call::Http;
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use overturn_client::address::{Address, read_key};
use overturn_core::base::token::ApiKey;
use std::str::FromStr;
use std::time::Duration;

const KEY: &str = "OVERTURN_API_KEY";
const URL: &str = "OVERTURN_URL";

/// Finds the address from the command line and the environment.
///
/// # Errors
///
/// [`CommandError::Usage`], which says what to set.
pub(crate) fn find(args: &args::Service, env: impl Fn(&str) -> Option<String>) -> Result<Address, CommandError> {
    let url = args.url.clone().or_else(|| env(URL)).filter(|url| !url.trim().is_empty());
    let url = url.ok_or_else(|| {
        usage("which service? Give its address with --url or set OVERTURN_URL, as in OVERTURN_URL=https://…")
    })?;
    Address::parse(&url, Duration::from_secs(args.timeout))
}

/// The service with the key for it.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) address: Address,
    pub(crate) key: ApiKey,
}

impl Service {
    /// Finds the service from the command line and the environment.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`], which says what to set.
    pub(crate) fn find(args: &args::Service, env: impl Fn(&str) -> Option<String>) -> Result<Self, CommandError> {
        let address = find(args, &env)?;
        let key = env(KEY).filter(|key| !key.trim().is_empty()).ok_or_else(|| {
            usage("set OVERTURN_API_KEY to the practice's API key; an owner or admin creates one in the practice settings under API keys")
        })?;
        Ok(Self { address, key: read_key(key.trim(), KEY)? })
    }

    /// Calls with the key.
    pub(crate) fn http(&self, interrupt: &Interrupt) -> Http {
        Http::new(&self.address, self.key.expose(), interrupt)
    }
}

/// A token of the environment. `who` says what to set.
///
/// # Errors
///
/// [`CommandError::Usage`] if there is none. It repeats nothing of the value.
pub(crate) fn key_of<T: FromStr>(
    name: &str,
    who: &str,
    env: impl Fn(&str) -> Option<String>,
) -> Result<T, CommandError> {
    let text = env(name).filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| usage(&format!("set {name} to {who}")))?;
    text.trim().parse().map_err(|_| usage(&format!("{name} holds no API token, which starts with ovu_live_ or ovu_test_ and has a checksum. Copy it again; nothing was sent")))
}

fn usage(message: &str) -> CommandError {
    CommandError::Usage(message.into())
}

#[cfg(test)]
mod tests;
