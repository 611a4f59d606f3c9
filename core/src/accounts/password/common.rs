//! Passwords that many people have thought of. Where they are from: `README.md` beside this file.

use crate::base::text::normalise;
use core::cmp::Ordering;

/// Sorted, one a line, each in the form of [`normalise`].
const LIST: &str = include_str!("common.txt");

/// Whether a password is on the list, in whatever case.
pub(super) fn is_common(password: &str) -> bool {
    let wanted = normalise(password);
    // The list is searched as it lies there, so it costs a starting isolate nothing.
    let mut rest = LIST;
    while let Some((before, line, after)) = middle(rest) {
        match wanted.as_str().cmp(line) {
            Ordering::Less => rest = before,
            Ordering::Equal => return true,
            Ordering::Greater => rest = after,
        }
    }
    false
}

/// The line in the middle of some lines, and the lines before and behind it. `None` when there are none.
fn middle(lines: &str) -> Option<(&str, &str, &str)> {
    let half = lines.get(..lines.len() / 2)?;
    let start = half.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let (before, rest) = lines.split_at_checked(start)?;
    let (line, after) = rest.split_once('\n')?;
    Some((before, line, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::password::LEAST;
    use crate::testing::test;
    use alloc::format;

    #[test]
    fn the_list_is_sorted_and_has_no_line_that_could_never_be_found() {
        assert!(LIST.is_ascii() && LIST.ends_with('\n'));
        assert!(LIST.lines().is_sorted_by(|one, next| one < next));
        for line in LIST.lines() {
            assert!(line.len() >= LEAST, "{line:?}");
            assert_eq!(normalise(line), line);
        }
    }

    #[test]
    fn every_line_is_found_and_nothing_between_two_lines() {
        for line in LIST.lines() {
            assert!(is_common(line), "{line:?}");
            assert!(!is_common(&format!("{line}\u{7f}")), "{line:?}");
        }
        assert!(!is_common(""));
        assert!(!is_common("\n"));
        assert!(!is_common("password12345\npasswordpassword"));
        assert!(!is_common(&"~".repeat(12)));
    }
}
