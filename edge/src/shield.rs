//! The per-IP shield: more than so many requests a minute from one address, and it is banned for five minutes.
//!
//! It stands before everything else, so that an address that floods costs no database, and so that keys nobody knows
//! leave no trace in a limiter. Counting is the platform's (`IP_SHIELD`), per location and cheap. A ban is kept in KV
//! for every other isolate and remembered in this one; what KV said of an address holds for thirty seconds, which is
//! as fresh as KV promises to be.

use crate::app::App;
use crate::error::Refusal;
use crate::kv::BAN_MS;
use futures_util::future::try_join;
use overturn_core::ctx::Instant;
use overturn_core::denied::Denied;
use overturn_core::limit::Verdict;
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;

/// How long an answer of KV is good for.
const MEMO_MS: i64 = 30_000;
/// Addresses remembered before the memory is cleared.
const MEMO_MAX: usize = 10_000;

#[derive(Clone, Copy)]
enum Memo {
    BannedUntil(Instant),
    ClearUntil(Instant),
}

thread_local! {
    static MEMORY: RefCell<HashMap<String, Memo>> = RefCell::new(HashMap::new());
}

/// Lets a request pass, or says why not.
pub(crate) async fn pass(app: &App, address: &str, now: Instant) -> Result<(), Refusal> {
    if app.settings.limits.is_none() {
        return Ok(());
    }
    let address = unit(address);
    let known = match recall(&address) {
        Some(Memo::BannedUntil(until)) if now < until => return Err(banned(app, until, now)),
        Some(Memo::ClearUntil(until)) if now < until => true,
        _ => false,
    };
    let look_up = async {
        if known {
            Ok(None)
        } else {
            app.bans
                .until(&address)
                .await
                .map_err(|_| Refusal::Unavailable("bans"))
        }
    };
    let count = async {
        app.shield
            .limit(address.clone())
            .await
            .map_err(|_| Refusal::Unavailable("ip_shield"))
    };
    let (stored, counted) = try_join(look_up, count).await?;
    if let Some(until) = stored.filter(|until| now < *until) {
        remember(&address, Memo::BannedUntil(until));
        return Err(banned(app, until, now));
    }
    if !counted.success {
        let until = now.plus(BAN_MS);
        remember(&address, Memo::BannedUntil(until));
        // This isolate refuses from here on whether or not the others come to know of it: KV takes one write a second
        // of an address, and a flood has several isolates ban it at once.
        if app.bans.put(&address, until).await.is_err() {
            worker::console_error!("{}", serde_json::json!({ "event": "ban_not_shared" }));
        }
        return Err(banned(app, until, now));
    }
    if !known {
        remember(&address, Memo::ClearUntil(now.plus(MEMO_MS)));
    }
    Ok(())
}

fn banned(app: &App, until: Instant, now: Instant) -> Refusal {
    let seconds = |ms: i64| ms.saturating_add(999).div_euclid(1000);
    Refusal::Denied(Denied::RateLimited(Verdict {
        allowed: false,
        limit: app.settings.ip_limit,
        remaining: 0,
        reset: seconds(until.0),
        retry_after: seconds(until.since(now)).max(1),
    }))
}

/// What is counted as one: an IPv4 address, or the /64 that an IPv6 customer has to itself.
fn unit(address: &str) -> String {
    match address
        .parse()
        .map(|address: IpAddr| address.to_canonical())
    {
        Ok(IpAddr::V4(v4)) => v4.to_string(),
        Ok(IpAddr::V6(v6)) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Err(_) => "unknown".into(),
    }
}

fn recall(address: &str) -> Option<Memo> {
    MEMORY.with_borrow(|memory| memory.get(address).copied())
}

fn remember(address: &str, memo: Memo) {
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() >= MEMO_MAX {
            memory.clear();
        }
        memory.insert(address.into(), memo);
    });
}
