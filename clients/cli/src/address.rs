//! The address of the service and the API key. Both are checked before anything is sent.

use crate::args;
use crate::call::Http;
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::text::shown;
use overturn_core::base::token::{ApiKey, ApiToken, TokenError};
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;
use ureq::http::Uri;

const KEY: &str = "OVERTURN_API_KEY";
const URL: &str = "OVERTURN_URL";

/// A service address that passed the checks.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) base: String,
    /// True if the address is on this machine.
    pub(crate) local: bool,
    /// How long one call may take.
    pub(crate) timeout: Duration,
}

impl Address {
    /// Finds the address from the command line and the environment.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`], which says what to set.
    pub(crate) fn find(args: &args::Service, env: impl Fn(&str) -> Option<String>) -> Result<Self, CommandError> {
        let url = args.url.clone().or_else(|| env(URL)).filter(|url| !url.trim().is_empty());
        let url = url.ok_or_else(|| {
            usage("which service? Give its address with --url or set OVERTURN_URL, as in OVERTURN_URL=https://…")
        })?;
        let (base, local) = address(url.trim())?;
        Ok(Self { base, local, timeout: Duration::from_secs(args.timeout) })
    }
}

/// A service address that passed the checks, with the key for it.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) base: String,
    /// True if the address is on this machine.
    pub(crate) local: bool,
    pub(crate) key: ApiKey,
    /// How long one call may take.
    pub(crate) timeout: Duration,
}

impl Service {
    /// Finds the service from the command line and the environment.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`], which says what to set.
    pub(crate) fn find(args: &args::Service, env: impl Fn(&str) -> Option<String>) -> Result<Self, CommandError> {
        let Address { base, local, timeout } = Address::find(args, &env)?;
        let key = env(KEY).filter(|key| !key.trim().is_empty()).ok_or_else(|| {
            usage("set OVERTURN_API_KEY to the practice's API key; an owner or admin creates one in the practice settings under API keys")
        })?;
        Ok(Self { base, local, key: read_key(key.trim())?, timeout })
    }
}

impl Service {
    /// Calls with the key.
    pub(crate) fn http(&self, interrupt: &Interrupt) -> Http {
        let address = Address { base: self.base.clone(), local: self.local, timeout: self.timeout };
        Http::new(&address, self.key.expose(), interrupt)
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

fn read_key(text: &str) -> Result<ApiKey, CommandError> {
    text.parse().map_err(|why| malformed(why, text))
}

fn malformed(why: TokenError, text: &str) -> CommandError {
    let what = match why {
        TokenError::Prefix if ApiToken::is_meant_by(text) => {
            "it is an API token, which the claims interface does not take; a key starts with ovt_live_ or ovt_test_"
        }
        TokenError::Prefix => "a key starts with ovt_live_ or ovt_test_",
        TokenError::Form => "it has not the length or the characters of one",
        TokenError::Checksum => "its checksum is wrong, so it was mistyped or cut",
    };
    CommandError::Usage(format!("{KEY} holds no API key: {what}. Copy the whole key again; nothing was sent"))
}

/// The address up to its base path, and whether it is on this machine.
fn address(url: &str) -> Result<(String, bool), CommandError> {
    let wrong = |why: &str| {
        let form = "the address must look like https://host or https://host:port";
        CommandError::Usage(format!("{form}, and {} {why}", shown(url)))
    };
    if url.contains('@') {
        // The message does not repeat the address: it may hold a password, and in a mistyped address the password may
        // be in any place.
        return Err(usage(
            "the address must have no user name or password, and no @; the key goes into OVERTURN_API_KEY",
        ));
    }
    // The message says which form it must have; the words of the parser add nothing to that.
    let uri: Uri = url.parse().map_err(|_| wrong("does not"))?;
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong("has no host"))?;
    if uri.authority().is_some_and(|authority| !has_sound_port(authority.as_str(), host)) {
        return Err(wrong("has a port that is not a number from 1 to 65535"));
    }
    if uri.query().is_some() || url.contains('#') {
        return Err(wrong("has more behind the path"));
    }
    let local = is_loopback(host);
    match uri.scheme_str() {
        Some("https") => {}
        Some("http") if local => {}
        Some("http") => {
            return Err(wrong("would send the key and patients' data in the clear; use https://"));
        }
        _ => return Err(wrong("has another scheme")),
    }
    Ok((url.trim_end_matches('/').to_owned(), local))
}

/// True if nothing or a valid port follows the host. The URL parser would drop an invalid port without a word, and the
/// key would go to the default port of the scheme.
fn has_sound_port(authority: &str, host: &str) -> bool {
    match authority.strip_prefix(host) {
        Some("") => true,
        Some(behind) => behind
            .strip_prefix(':')
            .filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|port| port.parse::<u16>().ok())
            .is_some_and(|port| port > 0),
        None => false,
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests;
