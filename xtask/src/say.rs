//! Words for the person at the terminal. A closed pipe is no reason to fail, and never one to panic.

use std::io::Write;

/// One line on standard output.
pub(crate) fn out(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// One line on standard error.
pub(crate) fn err(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
