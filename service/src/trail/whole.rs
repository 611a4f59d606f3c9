//! Verifies a whole trail, page by page.

use super::chain::{Checked, finish, verify};
use super::key::TrailKeys;
use super::row::{ChainPlace, TrailRow};
use super::whose::{ChainHead, Trail};

/// The most rows of a page.
pub const PAGE_MAX: usize = 1000;

/// The result for a whole trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Whole {
    /// How far it was checked, and what is broken.
    pub checked: Checked,
    /// How many of the rows that were read are not linked yet.
    pub behind: usize,
}

/// Verifies a trail from its first row to its head. `rows` reads at most that many rows after a number.
///
/// # Errors
///
/// Those of the reads.
pub fn verify_whole<E>(
    trail: Trail,
    keys: Option<&TrailKeys>,
    head: impl Fn() -> Result<Option<ChainHead>, E>,
    rows: impl Fn(i64, usize) -> Result<Vec<TrailRow>, E>,
) -> Result<Whole, E> {
    let mut checked = Checked::behind(ChainPlace::start());
    let (mut end, behind) = loop {
        let end = head()?;
        let page = rows(checked.place.sequence, PAGE_MAX)?;
        verify(trail, &mut checked, &page, keys);
        if checked.broken.is_some() || checked.is_end || page.is_empty() {
            let last = checked.place.sequence;
            break (end, page.iter().filter(|row| row.sequence > last).count());
        }
    };
    // A running service may have linked rows after the head was read.
    let is_old = |end: &ChainHead| end.sequence < checked.place.sequence;
    if end.as_ref().is_none_or(is_old) {
        end = head()?;
    }
    if checked.broken.is_none() {
        checked.broken = finish(trail, &checked, end.as_ref(), keys);
    }
    Ok(Whole { checked, behind })
}
