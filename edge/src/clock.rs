//! The clock, entropy and timer of the platform. Only this module may use them.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use overturn_core::base::instant::Instant;
use overturn_service::host::{Clock, Entropy, EntropyError, Step, Timer};
use std::time::Duration;
use worker::Delay;
use worker::js_sys::{ArrayBuffer, Date, WebAssembly::Memory};
use worker::wasm_bindgen::{self, JsCast};

/// The platform's clock. Within a request it only moves at IO.
pub(crate) struct PlatformClock;

impl Clock for PlatformClock {
    fn now(&self) -> Instant {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        Instant(Date::now() as i64)
    }
}

/// The platform's source of random bytes.
pub(crate) struct PlatformEntropy;

impl Entropy for PlatformEntropy {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError> {
        // The cause says no more.
        getrandom::fill(buffer).map_err(|_| EntropyError)
    }
}

/// The platform's timers.
pub(crate) struct PlatformTimer;

impl Timer for PlatformTimer {
    fn sleep(&self, time: Duration) -> Step<'static, ()> {
        Box::pin(Delay::from(time))
    }
}

/// How large the memory of the isolate's wasm is. It never shrinks.
pub(crate) fn memory_kb() -> Option<u32> {
    let memory: Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: ArrayBuffer = memory.buffer().unchecked_into();
    Some(buffer.byte_length().div_euclid(1024))
}
