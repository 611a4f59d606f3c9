//! Adjustment and remark codes: CARC with its group code (`CO-45`), and RARC (`N130`, `MA01`, `M15`).

use alloc::string::String;

/// The code in its standard form, or `None` when the text has the form of none.
///
/// Recognised codes hold no free text, so they may be stored in the clear and searched. Spelling variants of one
/// code (`co45`, `CO 45`) come out alike. A CARC is one to three characters, letter or digits (`45`, `B7`, `P14`).
#[must_use]
pub fn recognise(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    group_code(&code).or_else(|| remark_code(&code))
}

fn group_code(code: &str) -> Option<String> {
    let group = ["CO", "CR", "OA", "PI", "PR"]
        .into_iter()
        .find(|group| code.starts_with(group))?;
    let reason = code.strip_prefix(group)?.trim_start_matches(['-', ' ']);
    let digits = reason
        .strip_prefix(['A', 'B', 'D', 'P', 'W', 'Y'])
        .unwrap_or(reason);
    let fits = (1..=3).contains(&reason.len()) && is_number(digits);
    fits.then(|| alloc::format!("{group}-{reason}"))
}

fn remark_code(code: &str) -> Option<String> {
    let digits = code
        .strip_prefix("MA")
        .or_else(|| code.strip_prefix(['M', 'N']))?;
    (digits.len() <= 4 && is_number(digits)).then(|| code.into())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn codes_of_the_two_lists_are_recognised_in_their_usual_spellings() {
        for (text, code) in [
            ("CO-45", "CO-45"),
            ("co45", "CO-45"),
            (" PR 1 ", "PR-1"),
            ("OA-B7", "OA-B7"),
            ("PI-P14", "PI-P14"),
            ("N130", "N130"),
            ("ma01", "MA01"),
            ("M15", "M15"),
        ] {
            assert_eq!(recognise(text).as_deref(), Some(code), "{text}");
        }
        for text in [
            "",
            "CO",
            "CO-",
            "XX-45",
            "CO-4567",
            "N",
            "N12345",
            "Jane Doe",
            "CO-45 Jane",
            "MN12",
            "CO-ABC",
        ] {
            assert_eq!(recognise(text), None, "{text}");
        }
    }
}
