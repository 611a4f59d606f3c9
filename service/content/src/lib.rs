//! What the file of a document is (interface: Documents): its type by content, and its name.
//!
//! The inspector reads every byte of a file. So it is a crate of its own: the Worker compiles it for speed, and the service for
//! size.

#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::string_slice,
        clippy::type_complexity,
        reason = "a test that meets the unexpected should panic, and its tables are types of their own"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod content;
pub mod name;

/// Most bytes of a file (interface: Limits).
pub const FILE_MAX: u64 = 50 * 1024 * 1024;
