//! The log of the service, kept for each thread: a thread runs one world at a time.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::cell::RefCell;
use std::sync::Once;

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Kept;

impl Log for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("overturn")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let line = record.args().to_string();
        if record.level() == Level::Error {
            ERRORS.with_borrow_mut(|errors| errors.push(line.clone()));
        }
        LINES.with_borrow_mut(|lines| lines.push(line));
    }

    fn flush(&self) {}
}

/// Begins the log of a world on this thread.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Kept).expect("no other logger is set");
        log::set_max_level(LevelFilter::Info);
    });
    LINES.with_borrow_mut(Vec::clear);
    ERRORS.with_borrow_mut(Vec::clear);
}

/// All lines.
pub(crate) fn lines() -> Vec<String> {
    LINES.with_borrow(Clone::clone)
}

/// The lines that say that something went wrong.
pub(crate) fn errors() -> Vec<String> {
    ERRORS.with_borrow(Clone::clone)
}
