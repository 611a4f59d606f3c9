//! Passwords made of public facts about a person: their address, their name, their practice, this service.
//!
//! NIST SP 800-63B asks for a check against such words and their derivatives. So the password is reduced to lowercase
//! letters and digits, and all such words are removed. The rest must still be long enough.

use overturn_core::base::text::fold;

/// The name of the service, an obvious guess.
const SERVICE: &str = "overturn";
/// Shorter words occur by chance and are skipped.
const LEAST_WORD: usize = 4;
/// How many letters and digits must be left at least: one more than a date has.
const LEAST_LEFT: usize = 9;

/// True if a password has too little besides these texts and their words.
pub(super) fn is_personal(password: &str, texts: &[&str]) -> bool {
    let mut words: Vec<String> = Vec::new();
    for text in texts.iter().chain(&[SERVICE]) {
        words.push(squeeze(text));
        words.extend(text.split(|c: char| !c.is_alphanumeric()).map(squeeze));
    }
    words.retain(|word| word.chars().count() >= LEAST_WORD);
    // The longest first, so that a full name is removed before its parts.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let whole = squeeze(password);
    let mut left = whole.clone();
    for word in &words {
        left = left.replace(word.as_str(), "");
    }
    left != whole && left.chars().count() < LEAST_LEFT
}

/// The letters and digits of a text, in lower case.
fn squeeze(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 3] = ["Dana.Whitfield@lakeside-dental.example", "Dana Whitfield", "Lakeside Dental, P.C."];

    #[test]
    fn public_facts_about_a_person_are_not_a_password() {
        for password in [
            "dana.whitfield@lakeside-dental.example",
            "DANA.WHITFIELD@LAKESIDE-DENTAL.EXAMPLE",
            "Dana.Whitfield",
            "danawhitfield1",
            "Whitfield2026!!",
            "whitfield-1980-02-29",
            "WhitfieldWhitfield",
            "Lakeside Dental",
            "lakeside dental pc 2026",
            "LakesideDental#1",
            "Lakeside-Whitfield-99",
            "dana dana dana dana",
            "Overturn2026!!",
            "overturn overturn",
            "\u{ff37}hitfield 123456",
        ] {
            assert!(is_personal(password, &TEXTS), "{password:?}");
        }
    }

    #[test]
    fn a_password_may_have_such_words_beside_enough_of_its_own() {
        for password in [
            "correct horse battery",
            "whitfield correct horse",
            "lakeside violet kettle",
            "0123456789-98765",
            "aaaaaaaaaaaaaaaa",
        ] {
            assert!(!is_personal(password, &TEXTS), "{password:?}");
        }
        assert!(!is_personal("correct horse", &["", "a", "@"]));
        assert!(!is_personal("\u{1f9b7}\u{1f9b7}\u{1f9b7}", &TEXTS));
    }

    #[test]
    fn words_of_other_scripts_count_as_well() {
        assert!(is_personal(
            "\u{41f}\u{435}\u{442}\u{440}\u{43e}\u{432}\u{430}2026",
            &["\u{41f}\u{415}\u{422}\u{420}\u{41e}\u{412}\u{410}"]
        ));
    }
}
