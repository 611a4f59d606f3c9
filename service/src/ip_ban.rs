//! The IP ban: an address that sends too many requests in a minute is banned for five minutes.
//!
//! It runs before everything else, so that a flooding address costs no database call, and unknown keys leave no trace
//! in a limiter. The platform counts (`IP_LIMITER`), per location and cheaply, but not for free: each isolate gathers
//! ten requests of an address and counts them as one. A ban is kept in KV for the other isolates and remembered in this
//! one. An answer of KV is reused for thirty seconds, which is as fresh as KV promises to be.

use crate::app::App;
use crate::error::AppError;
use crate::kv::BAN_MS;
use crate::memory::Status;
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use futures_util::future::try_join;
use overturn_core::base::instant::Instant;
use std::net::IpAddr;

/// How long an answer of KV is reused.
const MEMO_MS: i64 = 30_000;

/// Counts a request, or refuses it. An unknown address is looked up in KV only if `early` does not already refuse the
/// request.
pub(crate) async fn pass(
    app: &App,
    address: &str,
    now: Instant,
    early: impl FnOnce() -> Result<(), AppError>,
) -> Result<(), AppError> {
    if !app.settings.enforces_limits {
        return Ok(());
    }
    let address = unit(address);
    let (status, counts) = app.memory.addresses.arrive(&address);
    let known = match status {
        Status::BannedUntil(until) if now < until => return Err(banned(app, until, now)),
        Status::ClearUntil(until) => now < until,
        Status::BannedUntil(_) | Status::Unknown => false,
    };
    let refused = early();
    let (stored, within) =
        try_join(async { if known || refused.is_err() { Ok(None) } else { look_up(app, &address).await } }, async {
            if counts { count(app, &address).await } else { Ok(true) }
        })
        .await?;
    if let Some(until) = stored.filter(|until| now < *until) {
        app.memory.addresses.remember(&address, Status::BannedUntil(until));
        return Err(banned(app, until, now));
    }
    if !within {
        let until = now.plus(BAN_MS);
        app.memory.addresses.remember(&address, Status::BannedUntil(until));
        // This isolate refuses the address from here on, even if the write fails: KV takes one write per second for a
        // key, and during a flood several isolates ban the same address.
        if app.bans.put(&address, until).await.is_err() {
            log::error!("{}", serde_json::json!({ "event": "ban_not_shared" }));
        }
        return Err(banned(app, until, now));
    }
    refused?;
    if !known {
        app.memory.addresses.remember(&address, Status::ClearUntil(now.plus(MEMO_MS)));
    }
    Ok(())
}

/// The end of a ban by another isolate.
async fn look_up(app: &App, address: &str) -> Result<Option<Instant>, AppError> {
    let until = app.bans.until(address).await;
    until.map_err(|_| AppError::Unavailable("bans"))
}

/// Counts an address's requests since the last count with the platform. True if they are within the limit.
async fn count(app: &App, address: &str) -> Result<bool, AppError> {
    let counted = app.host.address_limiter.count(address).await;
    counted.map_err(|_| AppError::Unavailable("ip_limiter"))
}

fn banned(app: &App, until: Instant, now: Instant) -> AppError {
    let seconds = |ms: i64| ms.saturating_add(999).div_euclid(1000);
    AppError::Request(RequestError::RateLimited(Verdict {
        allowed: false,
        limit: app.settings.ip_limit,
        remaining: 0,
        reset: seconds(until.0),
        retry_after: seconds(until.since(now)).max(1),
    }))
}

/// The unit that is counted: an IPv4 address, or an IPv6 /64, which belongs to one customer.
pub(crate) fn unit(address: &str) -> String {
    match address.parse().map(|address: IpAddr| address.to_canonical()) {
        Ok(IpAddr::V4(v4)) => v4.to_string(),
        Ok(IpAddr::V6(v6)) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Err(_) => "unknown".into(),
    }
}

/// The network of an address: an IPv4 /24, or an IPv6 /48, which belongs to one site.
pub(crate) fn network(address: &str) -> String {
    match address.parse().map(|address: IpAddr| address.to_canonical()) {
        Ok(IpAddr::V4(v4)) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        Ok(IpAddr::V6(v6)) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
        Err(_) => "unknown".into(),
    }
}
