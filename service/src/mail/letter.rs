//! An email to one person, and how it writes names.

use crate::host::Letter;
use overturn_core::base::text::is_printable;

/// The longest name that is written out, in characters. Longer ones are cut.
pub(super) const NAME_MAX: usize = 100;

/// An email with the last line that every email has.
pub(super) fn letter(to: &str, subject: &str, text: &str) -> Letter {
    Letter {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text: format!("{text}\nOverturn. Nobody reads replies to this address.\n"),
    }
}

/// A name as an email writes it. Mail programs turn text that looks like an address into a link. So this separates the
/// parts of such a text: `evil.example/x` becomes `"evil. example x"`.
pub(super) fn quoted(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            '.' | '。' | '．' | '｡' => plain.push_str(". "),
            '"' => plain.push('\''),
            ':' | '/' | '\\' | '@' | '＠' | '<' | '>' => plain.push(' '),
            c if c.is_whitespace() || !is_printable(c) => plain.push(' '),
            c => plain.push(c),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let words = words.join(" ");
    let cut: String = words.chars().take(NAME_MAX).collect();
    let more = if cut == words { "" } else { "…" };
    format!("\"{cut}{more}\"")
}

/// An address of the web as an email writes it. It can be read, and is no link in a mail program.
pub(super) fn unlinked(url: &str) -> String {
    url.replace("://", ": //").replace('.', ". ")
}
