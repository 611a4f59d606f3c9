//! The help texts of `cargo xtask`: the overview, and the page that `--help` prints for each command.

use std::ffi::OsString;

/// A page for each command: its line, what it does in one sentence, and its options.
const PAGES: &str = include_str!("help.txt");

fn pages() -> impl Iterator<Item = &'static str> {
    PAGES.trim_end().split("\n\n")
}

/// The first lines of all pages.
pub(crate) fn overview() -> String {
    let first = |page: &'static str| page.lines().take(2).map(|line| format!("{line}\n")).collect::<String>();
    pages().map(first).collect::<String>() + "cargo xtask COMMAND --help describes the arguments of a command"
}

/// The page of a command.
pub(crate) fn page(name: &str) -> Option<&'static str> {
    pages().find(|page| page.split_whitespace().nth(2) == Some(name))
}

/// True if the words after a command ask for help.
pub(crate) fn is_asked(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--help" || word == "-h")
}
