//! The range that a download asks for (RFC 9110, 14).

use crate::call::Call;
use crate::error::AppError;
use crate::extract::FromCall;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::Takes;
use http::Method;
use http::header::{IF_RANGE, RANGE};
use std::rc::Rc;

/// What to send of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// All of it: `200`.
    Whole,
    /// `length` bytes from `start`: `206`.
    Range { start: u64, length: u64 },
    /// The document has none of the bytes: `416`.
    Unsatisfiable,
}

/// The range that a download asks for.
pub(crate) struct Ranged {
    range: Option<String>,
    if_range: Option<String>,
    /// True for a `HEAD`, which gets no body.
    pub(super) is_head: bool,
}

impl Ranged {
    /// What to send of a document of `size` bytes with this `ETag`.
    pub(super) fn wanted(&self, etag: &str, size: u64) -> Wanted {
        wanted(self.range.as_deref(), self.if_range.as_deref(), etag, size)
    }
}

impl FromCall for Ranged {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.range = true;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let text = |name| call.headers.get(name)?.to_str().ok().map(str::to_owned);
        Ok(Self { range: text(RANGE), if_range: text(IF_RANGE), is_head: call.method == Method::HEAD })
    }
}

/// Reads `Range` for a document of `total` bytes with this `ETag`. Several ranges, another unit and a form that cannot
/// be read get the whole document, as the standard allows. So does an `If-Range` that names another version.
fn wanted(range: Option<&str>, if_range: Option<&str>, etag: &str, total: u64) -> Wanted {
    if if_range.is_some_and(|known| known.trim() != etag) {
        return Wanted::Whole;
    }
    range.and_then(|range| read(range, total)).unwrap_or(Wanted::Whole)
}

fn read(range: &str, total: u64) -> Option<Wanted> {
    let (unit, range) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let (start, end) = match (first, last) {
        ("", suffix) => (total.saturating_sub(number(suffix)?), total),
        (first, "") => (number(first)?, total),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return None;
            }
            (first, last.saturating_add(1).min(total))
        }
    };
    Some(match end.checked_sub(start) {
        None | Some(0) => Wanted::Unsatisfiable,
        Some(length) => Wanted::Range { start, length },
    })
}

/// Digits. A number that is too large is behind the end of any document.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: &str) -> Wanted {
        wanted(Some(range), None, "\"e\"", 1000)
    }

    const fn part(start: u64, length: u64) -> Wanted {
        Wanted::Range { start, length }
    }

    #[test]
    fn single_ranges_are_cut_to_the_document() {
        assert_eq!(of("bytes=0-0"), part(0, 1));
        assert_eq!(of("bytes=0-499"), part(0, 500));
        assert_eq!(of("Bytes = 500-999"), part(500, 500));
        assert_eq!(of("bytes=500-5000"), part(500, 500));
        assert_eq!(of("bytes=999-"), part(999, 1));
        assert_eq!(of("bytes=-1"), part(999, 1));
        assert_eq!(of("bytes=-5000"), part(0, 1000));
        assert_eq!(of("bytes=0-99999999999999999999999"), part(0, 1000));
    }

    #[test]
    fn a_range_behind_the_end_is_unsatisfiable() {
        for range in ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(of(range), Wanted::Unsatisfiable, "{range}");
        }
        assert_eq!(wanted(Some("bytes=0-"), None, "", 0), Wanted::Unsatisfiable);
    }

    #[test]
    fn what_is_no_single_range_gets_everything() {
        for range in [
            "bytes=0-1,5-6",
            "bytes=5-1",
            "bytes=-",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1-2-3",
            "lines=0-1",
            "bytes",
            "",
        ] {
            assert_eq!(of(range), Wanted::Whole, "{range}");
        }
        assert_eq!(wanted(None, None, "\"e\"", 1000), Wanted::Whole);
    }

    #[test]
    fn a_range_of_another_version_gets_everything() {
        let of = |if_range| wanted(Some("bytes=0-0"), Some(if_range), "\"e\"", 1000);
        assert_eq!(of("\"e\""), part(0, 1));
        assert_eq!(of("\"d\""), Wanted::Whole);
        assert_eq!(of("W/\"e\""), Wanted::Whole);
    }
}
