//! The functions that a host calls, in the C ABI of WebAssembly: numbers in, numbers out.
//!
//! Bytes cross in one buffer, which the module owns. A host calls [`reserve`], gets the buffer's address, writes its
//! input into `memory` there, and calls a function with the number of bytes. An answer is UTF-8 in the same buffer, and
//! the function returns the number of bytes. The buffer may have moved by then: `reserve(0)` returns its address. The
//! host frees nothing. No length from the host makes the module read outside the buffer.
//!
//! The order is `begin`, then `open`, `push` and `close` for each file, `finish`, and then the lists.

#![allow(
    unsafe_code,
    reason = "an exported name is `unsafe(no_mangle)`, for it could meet another of that name when linked; that is all, \
              the code is safe"
)]

use crate::run::Run;
use overturn_core::base::instant::Instant;
use std::sync::{Mutex, MutexGuard, PoisonError};

static RUN: Mutex<Run> = Mutex::new(Run::new());

fn run() -> MutexGuard<'static, Run> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for this many bytes, and returns the address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    run().reserve(bytes)
}

/// Begins the run with the options in the buffer, at `now` in milliseconds since 1970. Returns 0, or the length of an
/// error text.
#[unsafe(no_mangle)]
extern "C" fn begin(length: usize, now: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "a fraction of a millisecond does not matter")]
    let now = Instant(now as i64);
    run().begin(length, now)
}

/// Begins the file whose name is in the buffer.
#[unsafe(no_mangle)]
extern "C" fn open(length: usize) {
    run().open(length);
}

/// Reads the next bytes of the file from the buffer. Returns 0 if the rest of the file cannot be read, else 1.
#[unsafe(no_mangle)]
extern "C" fn push(length: usize) -> u32 {
    run().push(length).into()
}

/// Ends the file.
#[unsafe(no_mangle)]
extern "C" fn close() {
    run().close();
}

/// The claim payments that were read.
#[unsafe(no_mangle)]
extern "C" fn claim_payments() -> u32 {
    run().claim_payments()
}

/// Decides on all claims. The answer is the report without the lists.
#[unsafe(no_mangle)]
extern "C" fn finish() -> usize {
    run().finish()
}

/// The next claims as a JSON array, about a mebibyte of them. Returns 0 after the last.
#[unsafe(no_mangle)]
extern "C" fn claims() -> usize {
    run().claims()
}

/// The next denials that are held, in the same way.
#[unsafe(no_mangle)]
extern "C" fn held() -> usize {
    run().held()
}

/// The next patients that lack a date of birth, in the same way.
#[unsafe(no_mangle)]
extern "C" fn missing_births() -> usize {
    run().missing_births()
}

/// The template for dates of birth: CSV, and not JSON. Returns 0 if none is missing.
#[unsafe(no_mangle)]
extern "C" fn births_template() -> usize {
    run().births_template()
}
