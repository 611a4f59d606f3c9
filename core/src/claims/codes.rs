//! Adjustment and remark codes: CARC with its group code (`CO-45`), and RARC (`N130`, `MA01`, `M15`).

use alloc::string::String;

/// The code in its standard form, or `None` if the text does not have the form of a code.
///
/// A recognized code holds no free text, so it may be stored unencrypted and searched. Spelling variants of one code
/// (`co45`, `CO 45`) give the same result. A CARC is one to three characters, a letter or digits (`45`, `B7`, `P14`).
#[must_use]
pub fn recognise(text: &str) -> Option<String> {
    parse(text).map(|code| match code {
        ParsedCode::Adjustment { group, reason } => {
            alloc::format!("{group}-{}", reason.to_ascii_uppercase())
        }
        ParsedCode::Remark(code) => code.to_ascii_uppercase(),
    })
}

/// True if the text has the form of a code.
#[must_use]
pub fn is_code(text: &str) -> bool {
    parse(text).is_some()
}

/// True if the text is this adjustment code, in any spelling.
#[must_use]
pub fn is_adjustment(text: &str, group: &str, reason: &str) -> bool {
    matches!(
        parse(text),
        Some(ParsedCode::Adjustment { group: g, reason: r }) if g == group && r.eq_ignore_ascii_case(reason)
    )
}

/// A code as it was spelled, without its group.
enum ParsedCode<'a> {
    Adjustment { group: &'static str, reason: &'a str },
    Remark(&'a str),
}

fn parse(text: &str) -> Option<ParsedCode<'_>> {
    let code = text.trim();
    group_code(code).or_else(|| remark_code(code))
}

fn group_code(code: &str) -> Option<ParsedCode<'_>> {
    let (start, rest) = code.split_at_checked(2)?;
    let group = ["CO", "CR", "OA", "PI", "PR"].into_iter().find(|group| start.eq_ignore_ascii_case(group))?;
    let reason = rest.trim_start_matches(['-', ' ']);
    let digits = without(reason, b"ABDPWY");
    let fits = (1..=3).contains(&reason.len()) && is_number(digits);
    fits.then_some(ParsedCode::Adjustment { group, reason })
}

fn remark_code(code: &str) -> Option<ParsedCode<'_>> {
    let digits = without(code, b"MN");
    let starts = digits.len() < code.len();
    let is_ma = code.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("MA"));
    let digits = if is_ma { without(digits, b"A") } else { digits };
    (starts && digits.len() <= 4 && is_number(digits)).then_some(ParsedCode::Remark(code))
}

/// The text without its first letter, if that is one of these in either case.
fn without<'a>(text: &'a str, letters: &[u8]) -> &'a str {
    match text.split_at_checked(1) {
        Some((first, rest)) if first.bytes().all(|b| letters.contains(&b.to_ascii_uppercase())) => rest,
        _ => text,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for text in ["", "CO", "CO-", "XX-45", "CO-4567", "N", "N12345", "Jane Doe", "CO-45 Jane", "MN12", "CO-ABC"] {
            assert_eq!(recognise(text), None, "{text}");
        }
    }
}
