//! What must hold for any bytes: no panic, sums that agree, and no more memory than is stated.

use overturn_core::base::instant::Instant;
use overturn_remit::{Counts, Options, Outcome, Remit};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

#[path = "../../src/tests/balance.rs"]
mod balance;
use balance::balance;

/// The most bytes of memory for each byte of a file. The worst file is a list of the shortest denials: nine bytes each, and
/// each has a record, a held claim, and a row of the template.
pub const FACTOR: usize = 100;
/// The memory that any run may take, in bytes: buffers, and the table of codes.
pub const BASE: usize = 1 << 20;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Counts the memory of the process.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grow(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call goes to the allocator of the system as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(place, layout, size) }
    }
}

/// Reads files in chunks of a size.
fn run(files: &[&[u8]], size: usize) -> Outcome {
    // 2026-03-01.
    let mut remit = Remit::new(Options::new(Instant(1_772_323_200_000)));
    for file in files {
        remit.open("file");
        for chunk in file.chunks(size.max(1)) {
            if remit.push(chunk).is_err() {
                break;
            }
        }
    }
    remit.finish()
}

/// Runs files, and again in the other order and in other chunks. The peak of the memory of the first run for each byte.
///
/// # Panics
///
/// If something does not hold.
pub fn check(files: &[&[u8]], size: usize) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let outcome = run(files, size);
    let taken = MOST.load(Ordering::Relaxed).saturating_sub(before);
    let length: usize = files.iter().map(|file| file.len()).sum();
    assert!(taken <= BASE + FACTOR * length, "{taken} bytes of memory for {length} bytes");
    balance(&outcome);
    let turned: Vec<&[u8]> = files.iter().rev().copied().collect();
    let other = run(&turned, usize::MAX);
    balance(&other);
    assert!(outcome.claims == other.claims && outcome.held == other.held, "the order or the chunks matter");
    taken.saturating_sub(BASE) / length.max(1)
}
