//! The languages of the pages that patients see.

use crate::request::weighed::weighed;
use overturn_core::names;

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
        let known = weighed(accepted).filter_map(|(tag, weight)| {
            let primary = tag.split('-').next()?.to_ascii_lowercase();
            Some((Self::parse(&primary)?, weight))
        });
        // Of several maxima, `max_by_key` gives the last one.
        let known: Vec<_> = known.filter(|(_, weight)| *weight > 0).collect();
        let heaviest = known.into_iter().rev().max_by_key(|(_, weight)| *weight);
        heaviest.map_or(Self::English, |(language, _)| language)
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
