//! `If-Match`: a change must apply to the version that its person has seen, so that two people do not overwrite each
//! other.
//!
//! The `ETag` of such a record begins with its version: `"12-<digest>"`. Only the version is compared. The digest
//! covers other shown values, such as a name.

use crate::request::error::RequestError;
use crate::request::reason::Reason;
use overturn_core::request::problem::Rule;

/// The content of an `If-Match` header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The header is missing.
    Missing,
    /// It is not the tag of a record.
    Unreadable,
    /// This version was seen.
    Version(i64),
}

impl Seen {
    /// Parses the header. A weak tag is accepted as well, because a proxy may have weakened it.
    #[must_use]
    pub fn parse(header: Option<&str>) -> Self {
        let Some(text) = header.map(str::trim) else {
            return Self::Missing;
        };
        let tag = text.strip_prefix("W/").unwrap_or(text);
        let tag = tag
            .strip_prefix('"')
            .and_then(|tag| tag.strip_suffix('"'))
            .map(|tag| tag.split_once('-').map_or(tag, |(version, _)| version));
        let version = tag.and_then(|version| version.parse().ok());
        version.map_or(Self::Unreadable, Self::Version)
    }

    /// Checks that it is this version.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] if the header is missing or unreadable, [`RequestError::Conflict`] for another version.
    pub fn is(self, version: i64) -> Result<(), RequestError> {
        let wrong = |rule| Err(RequestError::invalid("If-Match", rule));
        match self {
            Self::Missing => wrong(Rule::TagRequired),
            Self::Unreadable => wrong(Rule::MustBe("the ETag of what you change".into())),
            Self::Version(seen) if seen == version => Ok(()),
            Self::Version(_) => Err(CHANGED),
        }
    }
}

/// The refusal if another change came first.
pub const CHANGED: RequestError =
    RequestError::Conflict(Reason::VersionConflict, "the record has changed, read it again");

/// The part before the digest in the `ETag` of a version.
#[must_use]
pub fn tag(version: i64, digest: &str) -> String {
    format!("\"{version}-{digest}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_reads_back_as_its_version_and_nothing_else_does() {
        let read = |text: &str| Seen::parse(Some(text));
        assert_eq!(read(&tag(12, "0a1b")), Seen::Version(12));
        assert_eq!(read(" W/\"12-0a1b\" "), Seen::Version(12));
        assert_eq!(read("\"12\""), Seen::Version(12));
        for bad in ["", "*", "12", "\"\"", "\"x-0a\"", "\"12", "\"1\", \"2\"", "\"-1\""] {
            assert_eq!(read(bad), Seen::Unreadable, "{bad}");
        }
        assert_eq!(Seen::parse(None), Seen::Missing);
        assert_eq!(Seen::Version(12).is(12), Ok(()));
        assert_eq!(Seen::Version(11).is(12), Err(CHANGED));
        for unseen in [Seen::Missing, Seen::Unreadable] {
            assert!(matches!(unseen.is(12), Err(RequestError::Invalid(_))));
        }
    }
}
