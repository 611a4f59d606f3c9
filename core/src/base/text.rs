//! Comparing and displaying text.

use alloc::string::String;
use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// Text for identity: Unicode NFKC, trimmed, white space collapsed, case folded.
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    if text.is_ascii() {
        push_words(&mut normal, text);
        normal.make_ascii_lowercase();
    } else {
        push_words(&mut normal, &fold(text));
    }
    normal
}

/// Unicode NFKC, case folded.
#[must_use]
pub fn fold(text: &str) -> String {
    // Folding may denormalize, so the text is normalized again.
    text.nfkc().default_case_fold().nfkc().collect()
}

fn push_words(normal: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
}

/// True if a text is empty or all white space. For nearly every text, the first byte decides.
pub fn is_blank(text: &str) -> bool {
    !text.bytes().next().is_some_and(|b| b.is_ascii_graphic()) && text.trim().is_empty()
}

/// True if a character is visible or a space: no control character, and no invisible character that changes the text
/// around it. Otherwise two numbers that look alike could be two claims.
#[must_use]
pub fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// True if a reader sees a character.
pub(crate) fn is_visible(c: char) -> bool {
    !c.is_whitespace() && is_printable(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::testing::config())]
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }

        #[test]
        fn the_short_way_for_ascii_is_the_long_way(text in "[ -~\\t]{0,40}") {
            let folded: String = text.nfkc().default_case_fold().nfkc().collect();
            let mut long = String::new();
            push_words(&mut long, &folded);
            prop_assert_eq!(normalise(&text), long);
        }
    }
}
