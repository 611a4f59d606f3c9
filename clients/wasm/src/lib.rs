//! The core for other runtimes: conversions between its types and JSON, and the few functions that a host calls.
//!
//! The crate makes two modules. One imports nothing, so every WebAssembly runtime can run it; `python/overturn_core.py`
//! does so in Python, and `abi.rs` says how a host calls it. The other is for the npm package in `js/`: with the
//! feature `js`, wasm-bindgen makes it, and it reads JavaScript objects without JSON text (`packed.rs`).

#[cfg(target_arch = "wasm32")]
mod abi;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;
pub mod packed;

use overturn_core::base::instant::Instant;
use overturn_core::base::token::{Kind, OfPerson, OfPractice, Realm, Token, TokenError};
use overturn_core::claims::advice;
use overturn_core::claims::check::{OBJECTS, check};
use overturn_core::claims::intake::BODY_MAX;
use overturn_core::claims::moves;
use overturn_core::claims::{ClaimStatus, PlanType};
use serde_json::{Value, json};

/// The errors and advice that the service would give for a body at `now`, as JSON `{"errors": […], "advice": […]}`;
/// `None` when there is nothing to report.
#[must_use]
pub fn validate(body: &[u8], now: Instant) -> Option<String> {
    let report = check(body, now);
    if report.is_empty() {
        return None;
    }
    // Text and numbers always convert to JSON.
    serde_json::to_string(&report).ok()
}

/// Whether a text can be an API key, as JSON: `{"valid": true, "environment": "live" | "test"}` or
/// `{"valid": false, "problem": "prefix" | "form" | "checksum"}`.
#[must_use]
pub fn check_key(text: &[u8]) -> Value {
    checked::<OfPractice>(text)
}

/// The same for an API token.
#[must_use]
pub fn check_token(text: &[u8]) -> Value {
    checked::<OfPerson>(text)
}

fn checked<K: Kind>(text: &[u8]) -> Value {
    // Text that is not UTF-8 is not a key, so it does not matter which character replaces the bad bytes.
    let problem = match String::from_utf8_lossy(text).parse::<Token<K>>() {
        Ok(key) => {
            let environment = match key.realm() {
                Realm::Live => "live",
                Realm::Test => "test",
            };
            return json!({ "valid": true, "environment": environment });
        }
        Err(TokenError::Prefix) => "prefix",
        Err(TokenError::Form) => "form",
        Err(TokenError::Checksum) => "checksum",
    };
    json!({ "valid": false, "problem": problem })
}

/// The constants that a host needs, as JSON: the names of the interface, the moves between statuses, and the largest
/// size of a body in bytes.
#[must_use]
pub fn constants() -> Value {
    let moves = ClaimStatus::ALL.map(|from| {
        let next: Vec<_> = moves::next(from).map(ClaimStatus::name).collect();
        (from.name().to_owned(), json!(next))
    });
    json!({
        "bodyMax": BODY_MAX,
        "objects": OBJECTS,
        "statuses": ClaimStatus::ALL,
        "moves": Value::Object(moves.into_iter().collect()),
        "planTypes": PlanType::ALL.map(PlanType::name),
        "adviceCodes": advice::AdviceCode::ALL,
        "advice": advice::AdviceCode::ALL.map(|code| {
            let (field, message) = code.text();
            json!({ "code": code, "field": field, "message": message })
        }),
    })
}
