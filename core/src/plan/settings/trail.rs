//! The chain of an audit trail, as it is written.

use crate::base::id::PracticeId;
use crate::base::sealed::KeyVersion;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserialize;

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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrailHead {
    pub trail: Trail,
    pub head: ChainHead,
}

/// Rows of a trail that are linked, at least one. Two processes that link the same rows at once write the same values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrailLinks {
    /// The ids of the rows, each with the digest of the row before it.
    pub rows: Vec<(String, String)>,
    /// The trail and its head from now on. A head that has moved further stays.
    pub to: TrailHead,
}
