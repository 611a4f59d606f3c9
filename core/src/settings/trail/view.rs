//! `GET /api/v1/settings/audit/verify`: verifies a trail.

use super::chain::{Broken, Checked};
use crate::plan::settings::trail::ChainHead;
use crate::request::problem::Problem;
use crate::request::query::{ListQuery, QueryReader};
use crate::settings::trail::row::ChainPlace;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// The start: after the place of a cursor, or at the first row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start(pub ChainPlace);

impl ListQuery for Start {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::tolerant(query, &["cursor"]);
        let place = query.cursor(parse);
        query.settle(Self(place.unwrap_or_else(ChainPlace::start)))
    }
}

/// `<sequence>_<digest>`.
fn parse(text: &str) -> Option<ChainPlace> {
    let (sequence, digest) = text.split_once('_')?;
    let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let sequence: i64 = sequence.parse().ok()?;
    let known = sequence > 0 && digest.len() == 64 && digest.chars().all(is_hex);
    known.then(|| ChainPlace { sequence, digest: digest.into() })
}

/// A place, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlaceView {
    /// The row's number.
    pub sequence: i64,
    /// Its digest, as 64 hexadecimal digits.
    pub digest: String,
}

/// The result of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifyView {
    /// How many rows were checked.
    pub rows_checked: usize,
    /// How many of them have no MAC.
    pub rows_without_mac: usize,
    /// The last verified row.
    pub checked_to: Option<PlaceView>,
    /// The last row of the chain, as the service recorded it.
    pub head: Option<PlaceView>,
    /// True if everything that was checked is unchanged.
    pub intact: bool,
    /// The first row that fails.
    pub broken: Option<Broken>,
    /// The cursor to continue with, if there is more to check.
    pub next_cursor: Option<String>,
}

/// The answer. `more` says whether there are more rows to check.
#[must_use]
pub fn view(checked: Checked, head: Option<ChainHead>, more: bool) -> VerifyView {
    let ChainPlace { sequence, digest } = checked.place;
    let next = (more && sequence > 0 && checked.broken.is_none()).then(|| format!("{sequence}_{digest}"));
    VerifyView {
        rows_checked: checked.rows,
        rows_without_mac: checked.without_mac,
        checked_to: (sequence > 0).then_some(PlaceView { sequence, digest }),
        head: head.map(|head| PlaceView { sequence: head.sequence, digest: head.digest }),
        intact: checked.broken.is_none(),
        broken: checked.broken,
        next_cursor: next,
    }
}
