//! The languages of the pages that patients see.

use crate::base::names::names;
use alloc::vec::Vec;

names! {
    /// A language, by its tag of BCP 47.
    Language {
        /// English, as in the United States. It is the default.
        English = "en",
        /// Spanish, as in the United States.
        Spanish = "es",
    }
}

impl Language {
    /// The language that a reader prefers, by the value of `Accept-Language` (RFC 9110, 12.5.4). Of languages with the
    /// same weight, the first one counts. English if we have none of them.
    ///
    /// A region or script of a tag does not matter: `es-MX` is Spanish.
    #[must_use]
    pub fn preferred(accepted: &str) -> Self {
        let known: Vec<(Self, u16)> = accepted.split(',').filter_map(Self::weighed).collect();
        let heaviest = known.iter().map(|(_, weight)| *weight).max().unwrap_or(0);
        known
            .into_iter()
            .find(|(_, weight)| *weight == heaviest && *weight > 0)
            .map_or(Self::English, |(language, _)| language)
    }

    /// One item of `Accept-Language` with its weight in thousandths; `None` for a language that we do not have.
    fn weighed(item: &str) -> Option<(Self, u16)> {
        let (tag, parameter) = item.split_once(';').unwrap_or((item, ""));
        let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
        let language = Self::parse(&primary)?;
        let weight = match parameter.trim().strip_prefix("q=") {
            Some(quality) => thousandths(quality)?,
            None => 1000,
        };
        Some((language, weight))
    }
}

/// A weight such as `0.75` in thousandths. `None` if it is not one.
fn thousandths(quality: &str) -> Option<u16> {
    let (whole, part) = quality.split_once('.').unwrap_or((quality, ""));
    let is_number = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: u16 = alloc::format!("{part:0<3}").parse().ok()?;
    match whole {
        "0" if is_number => Some(part),
        "1" if is_number && part == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_language_that_we_have_counts() {
        for (accepted, language) in [
            ("", Language::English),
            ("es", Language::Spanish),
            ("ES-mx, en;q=0.9", Language::Spanish),
            ("en-US,en;q=0.9,es;q=0.8", Language::English),
            ("fr, es;q=0.5, en;q=0.4", Language::Spanish),
            ("fr, en;q=0.5, es;q=0.55", Language::Spanish),
            ("es;q=0.5, en;q=0.5", Language::Spanish),
            ("en;q=0.5, es;q=0.5", Language::English),
            ("es;q=0, en;q=0", Language::English),
            ("es;q=0", Language::English),
            ("est", Language::English),
            ("*", Language::English),
            (" es-419 ; q=1.000 ", Language::Spanish),
            ("es;q=1.5, en;q=0.1", Language::English),
            ("es;q=0.1234, en;q=0.1", Language::English),
            ("es;q=-1, en;q=0.001", Language::English),
            ("es;q=, fr", Language::English),
            (",,;q=1,es", Language::Spanish),
            ("中文, es;q=0.3", Language::Spanish),
        ] {
            assert_eq!(Language::preferred(accepted), language, "{accepted}");
        }
    }
}
