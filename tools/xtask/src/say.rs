//! Prints text for the person at the terminal. A closed pipe is neither an error nor a reason to panic.

use std::io::Write;

/// Prints a line to standard output.
pub(crate) fn out(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Prints a line to standard error.
pub(crate) fn err(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
