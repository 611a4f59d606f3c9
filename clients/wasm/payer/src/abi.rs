//! The functions that a host calls, in the C ABI of WebAssembly: numbers in, numbers out.
//!
//! Bytes cross in one buffer, which the module owns. A host calls [`reserve`], gets the buffer's address, writes its
//! request into `memory` there, and calls [`play`] with the number of bytes. The answer is UTF-8 in the same buffer, which
//! may have moved: `reserve(0)` returns its address.

#![allow(
    unsafe_code,
    reason = "an exported name is `unsafe(no_mangle)`, for it could meet another of that name when linked; that is all, \
              the code is safe"
)]

use std::sync::{Mutex, PoisonError};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for this many bytes, and returns the address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    if buffer.len() < bytes {
        buffer.resize(bytes, 0);
    }
    buffer.as_mut_ptr()
}

/// Answers the request in the buffer. Returns the length of the files in JSON, or the negative length of an error text.
#[unsafe(no_mangle)]
extern "C" fn play(length: usize) -> isize {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = super::play(buffer.get(..length).unwrap_or(&buffer));
    let failed = answer.is_err();
    *buffer = answer.unwrap_or_else(String::into_bytes);
    let length = buffer.len().cast_signed();
    if failed { length.wrapping_neg() } else { length }
}
