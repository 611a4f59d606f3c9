//! Makes text from other systems safe to print.

use overturn_core::base::text::is_printable;

/// The longest message that is shown, in characters.
const SHOWN_MAX: usize = 300;

/// The text, cut to the limit and without characters that could move the cursor or reverse the line.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN_MAX).map(|c| if is_printable(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    if text.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_text_cannot_steer_the_terminal() {
        assert_eq!(shown("CH-1 é漢"), "CH-1 é漢");
        assert_eq!(shown("a\x1b[2Jb\r\n\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}\u{fffd}c");
        assert_eq!(shown(&"x".repeat(400)), "x".repeat(300) + "…");
        assert_eq!(shown(&"x".repeat(300)), "x".repeat(300));
    }
}
