//! One letter, and how names stand in it.

use overturn_core::base::text::is_printable;

/// The longest name that is written out, in characters. Longer ones are cut.
pub(super) const NAME_MAX: usize = 100;

/// One letter to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Letter {
    /// The address, which was checked when it came in.
    pub(crate) to: String,
    /// One line.
    pub(crate) subject: String,
    /// Plain text, with `\n` at the end of a line.
    pub(crate) text: String,
}

/// A letter with the last line that every letter has.
pub(super) fn letter(to: &str, subject: &str, text: &str) -> Letter {
    Letter {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text: format!("{text}\nOverturn. Nobody reads replies to this address.\n"),
    }
}

/// A name as it stands in a letter. Mail programs make links of whatever looks like an address, so what addresses are
/// made of is taken apart: `evil.example/x` becomes `"evil. example x"`.
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
