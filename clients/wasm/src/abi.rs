//! The functions that a host calls, in the C ABI of WebAssembly: numbers in, numbers out.
//!
//! Bytes cross in one buffer, which the module owns. A host calls [`reserve`], gets the buffer's address, writes its
//! input into `memory` there, and calls a function with the number of bytes. The function replaces the input with its
//! answer in UTF-8, and returns the number of bytes. The buffer may have moved by then: `reserve(0)` returns its
//! address. The host frees nothing. No length from the host makes the module read outside the buffer.
//!
//! With the feature `js`, `js.rs` has the functions, and only the buffer is shared.

#![allow(
    unsafe_code,
    reason = "an exported name is `unsafe(no_mangle)`, for it could meet another of that name when linked; that is all, \
              the code is safe"
)]

#[cfg(not(feature = "js"))]
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::BODY_MAX;
use std::sync::{Mutex, MutexGuard, PoisonError};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for this many bytes, and returns the address of the buffer. The buffer never exceeds the largest body
/// plus one byte, which is enough to detect a body that is too large.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut buffer = buffer();
    let bytes = bytes.min(BODY_MAX.saturating_add(1));
    if buffer.len() < bytes {
        buffer.resize(bytes, 0);
    }
    buffer.as_mut_ptr()
}

/// Calls `answer` with the first `length` bytes of the buffer, or with all that it has.
#[cfg(feature = "js")]
pub(crate) fn read<T>(length: usize, answer: impl FnOnce(&[u8]) -> T) -> T {
    let buffer = buffer();
    answer(buffer.get(..length).unwrap_or(&buffer))
}

#[cfg(not(feature = "js"))]
mod functions {
    use super::{Instant, buffer};

    /// [`crate::validate`] on the first `length` bytes of the buffer, at `now` in milliseconds since 1970. Returns 0
    /// when there is nothing to report.
    #[unsafe(no_mangle)]
    extern "C" fn validate(length: usize, now: f64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "a fraction of a millisecond does not matter")]
        let now = Instant(now as i64);
        exchange(length, |body| crate::validate(body, now))
    }

    /// [`crate::check_key`] on the first `length` bytes of the buffer.
    #[unsafe(no_mangle)]
    extern "C" fn check_key(length: usize) -> usize {
        exchange(length, |text| Some(crate::check_key(text).to_string()))
    }

    /// [`crate::check_token`] on the first `length` bytes of the buffer.
    #[unsafe(no_mangle)]
    extern "C" fn check_token(length: usize) -> usize {
        exchange(length, |text| Some(crate::check_token(text).to_string()))
    }

    /// [`crate::constants`].
    #[unsafe(no_mangle)]
    extern "C" fn constants() -> usize {
        exchange(0, |_| Some(crate::constants().to_string()))
    }

    /// Replaces the first `length` bytes of the buffer with the answer to them, and returns its length.
    fn exchange(length: usize, answer: impl FnOnce(&[u8]) -> Option<String>) -> usize {
        let mut buffer = buffer();
        let question = buffer.get(..length).unwrap_or(&buffer);
        let Some(answer) = answer(question) else {
            return 0;
        };
        let length = answer.len();
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        if let Some(place) = buffer.get_mut(..length) {
            place.copy_from_slice(answer.as_bytes());
        }
        length
    }
}
