//! The functions of the npm package, made with wasm-bindgen. serde-wasm-bindgen turns answers into JavaScript values.
//!
//! A request comes as bytes in the buffer of `abi.rs`: the body itself, or the text of a packed object.

use crate::{abi, packed};
use overturn_core::base::instant::Instant;
use overturn_core::claims::advice::AdviceCode;
use overturn_core::claims::check::{CheckReport, check};
use serde::{Serialize, Serializer as _};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

type Answer = Result<JsValue, serde_wasm_bindgen::Error>;

/// The report on a body, which is the first `length` bytes of the buffer: `undefined` when there is nothing to report,
/// bytes when there is only advice.
///
/// # Errors
///
/// None in practice: every value of a report exists in JavaScript.
#[wasm_bindgen]
pub fn check_body(length: usize, now: f64) -> Answer {
    report(&abi::read(length, |body| check(body, instant(now))))
}

/// The same for an object that `pack.js` packed. Returns `null` if the strings have to be packed one by one.
///
/// # Errors
///
/// Those of [`check_body`].
#[wasm_bindgen]
pub fn check_packed(length: usize, words: &[u32], now: f64) -> Answer {
    let answer = abi::read(length, |bytes| {
        // TextEncoder always writes UTF-8.
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        packed::check(text, words, instant(now))
    });
    answer.map_or(Ok(JsValue::NULL), |answer| report(&answer))
}

/// Checks a text as an API key: the first `length` bytes of the buffer.
///
/// # Errors
///
/// Those of [`check_body`].
#[wasm_bindgen]
pub fn check_key(length: usize) -> Answer {
    value(&abi::read(length, crate::check_key))
}

/// The same as an API token.
///
/// # Errors
///
/// Those of [`check_body`].
#[wasm_bindgen]
pub fn check_token(length: usize) -> Answer {
    value(&abi::read(length, crate::check_token))
}

/// The names of the interface, and `objects`: the keys of each kind of object, in the order of a packed object.
///
/// # Errors
///
/// Those of [`check_body`].
#[wasm_bindgen]
pub fn constants() -> Answer {
    value(&crate::constants())
}

/// The errors as a full report. Advice has few texts, and the constants list them all. So each piece of advice crosses
/// as two bytes: the item, and the position of the code in [`AdviceCode::ALL`].
fn report(report: &CheckReport) -> Answer {
    if report.is_empty() {
        return Ok(JsValue::UNDEFINED);
    }
    if !report.errors.is_empty() {
        return value(report);
    }
    let pairs = report.advice.iter().flat_map(|advice| {
        let code = AdviceCode::ALL.iter().position(|code| *code == advice.code);
        [advice.index, code.unwrap_or_default()]
    });
    // A request has at most 100 items.
    let bytes: Vec<u8> = pairs.map(|number| u8::try_from(number).unwrap_or(u8::MAX)).collect();
    Serializer::new().serialize_bytes(&bytes)
}

fn value(of: &impl Serialize) -> Answer {
    of.serialize(&Serializer::json_compatible())
}

#[expect(clippy::cast_possible_truncation, reason = "a fraction of a millisecond does not matter")]
const fn instant(now: f64) -> Instant {
    Instant(now as i64)
}
