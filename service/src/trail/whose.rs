//! Whose trail it is, and the end of its chain.

use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::KeyVersion;
use serde::Deserialize;
use std::fmt;

/// The text of the staff's own trail, which also covers the whole service.
const STAFF: &str = "staff";

/// Whose trail it is. Its text is the practice's id, or `staff` for the staff and the whole service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail(pub Option<PracticeId>);

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(practice) => practice.fmt(f),
            None => f.write_str(STAFF),
        }
    }
}

impl Trail {
    /// The trail of this text. `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == STAFF {
            return Some(Self(None));
        }
        text.parse().ok().map(|id| Self(Some(PracticeId(id))))
    }
}

/// The last row that is linked, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ChainHead {
    /// The row's number.
    pub sequence: i64,
    pub digest: String,
    /// The key that the MAC is under.
    pub key_version: KeyVersion,
    /// What authenticates it.
    pub mac: String,
}
