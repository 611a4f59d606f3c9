//! The log: one line of text for each record. Errors and warnings go to standard error, the rest to standard output.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::io::{self, Write as _};

struct Lines;

impl Log for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Lines of libraries are not wanted, and could repeat an address.
        metadata.target().starts_with("overturn")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let text = format!("{}\n", record.args());
        // There is no other place to say that a line could not be written.
        let _written = match record.level() {
            Level::Error | Level::Warn => io::stderr().lock().write_all(text.as_bytes()),
            _ => io::stdout().lock().write_all(text.as_bytes()),
        };
    }

    fn flush(&self) {}
}

/// Begins the log. A panic says only where it was: its text could repeat a value.
pub(crate) fn begin() {
    if log::set_logger(&Lines).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
    std::panic::set_hook(Box::new(|panicked| {
        let place = panicked.location().map(ToString::to_string);
        let said = serde_json::json!({ "event": "panicked", "at": place });
        tell(&said.to_string());
    }));
}

/// Tells the person who started the program.
pub(crate) fn tell(text: &str) {
    let _written = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}
