//! The address of the service and the API key. Both are checked before anything is sent.

use crate::error::Error;
use crate::text::shown;
use overturn_core::base::token::{ApiKey, ApiToken, TokenError};
use std::net::IpAddr;
use std::time::Duration;
use ureq::http::Uri;

/// A service address that passed the checks.
#[derive(Clone, Debug)]
pub struct Address {
    pub base: String,
    /// True if the address is on this machine.
    pub local: bool,
    /// How long one call may take.
    pub timeout: Duration,
}

impl Address {
    /// # Errors
    ///
    /// [`Error::Usage`], which says what is wrong with the address.
    pub fn parse(url: &str, timeout: Duration) -> Result<Self, Error> {
        let (base, local) = address(url.trim())?;
        Ok(Self { base, local, timeout })
    }
}

fn usage(message: &str) -> Error {
    Error::Usage(message.into())
}

/// Reads a key. `from` says in the error where it came from.
///
/// # Errors
///
/// [`Error::Usage`], which repeats nothing of the key.
pub fn read_key(text: &str, from: &str) -> Result<ApiKey, Error> {
    text.parse().map_err(|why| malformed(why, text, from))
}

fn malformed(why: TokenError, text: &str, from: &str) -> Error {
    let what = match why {
        _ if text.contains(char::is_whitespace) => "there is a space or a line break in it",
        TokenError::Prefix if ApiToken::is_meant_by(text) => {
            "it is an API token, which the claims interface does not take; a key starts with ovt_live_ or ovt_test_"
        }
        TokenError::Prefix => "a key starts with ovt_live_ or ovt_test_",
        TokenError::Form => "it has not the length or the characters of one",
        TokenError::Checksum => "its checksum is wrong, so it was mistyped or cut",
    };
    Error::Usage(format!("{from} holds no API key: {what}. Copy the whole key again; nothing was sent"))
}

/// The address without the slash at its end, and whether it is on this machine.
fn address(url: &str) -> Result<(String, bool), Error> {
    let wrong = |why: &str| {
        let form = "the address must look like https://host or https://host:port, without a path";
        Error::Usage(format!("{form}, and {} {why}", shown(url)))
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
    if !uri.path().chars().all(|c| c == '/') || uri.query().is_some() || url.contains('#') {
        return Err(wrong("has more behind the host"));
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
