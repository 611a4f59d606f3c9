//! What `host.mjs` calls: memory for a question, and its answer.

#![allow(unsafe_code, reason = "the host passes addresses in the module's memory")]

use crate::{Unanswered, answer};
use std::ptr::slice_from_raw_parts_mut;

unsafe extern "C" {
    /// What the linker makes of everything that runs before the first call.
    safe fn __wasm_call_ctors();
}

/// Prepares a new instance, once. Without this function the linker would do it again before each call.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _initialize() {
    __wasm_call_ctors();
}

/// Reserves memory for `size` bytes of a path and a body.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(size: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; size].into_boxed_slice()).cast()
}

/// Answers the question in memory of [`reserve`]: `path` bytes of its path, and its body up to `size`. It frees that memory.
///
/// The result is the address of a reply: the answer's length (4 bytes) and an HTTP status (2 bytes), both in little-endian
/// order, and the answer. [`release`] frees it.
///
/// # Safety
///
/// `question` must come from [`reserve`] of this `size`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ask(question: *mut u8, path: usize, size: usize) -> *mut u8 {
    let question = unsafe { Box::from_raw(slice_from_raw_parts_mut(question, size)) };
    let (status, answer) = match split(&question, path).and_then(|(path, body)| answer(path, body)) {
        Ok(answer) => (200_u16, answer),
        Err(Unanswered::UnknownPath) => (404, Vec::new()),
        Err(Unanswered::Unreadable) => (400, Vec::new()),
    };
    // An address has 32 bits here, so the length fits.
    let length = u32::try_from(answer.len()).unwrap_or(u32::MAX);
    let reply = [&length.to_le_bytes()[..], &status.to_le_bytes(), &answer].concat();
    Box::into_raw(reply.into_boxed_slice()).cast()
}

fn split(question: &[u8], path: usize) -> Result<(&str, &[u8]), Unanswered> {
    let (path, body) = question.split_at_checked(path).ok_or(Unanswered::Unreadable)?;
    let path = std::str::from_utf8(path).map_err(|_| Unanswered::UnknownPath)?;
    Ok((path, body))
}

/// Frees a reply of `size` bytes, with the 6 bytes before its answer.
///
/// # Safety
///
/// `reply` must come from [`ask`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn release(reply: *mut u8, size: usize) {
    drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(reply, size)) });
}
