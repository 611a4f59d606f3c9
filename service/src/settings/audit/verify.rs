//! `/api/v1/settings/audit/verify`: verifies a trail.

use crate::app::App;
use crate::db::Db;
use crate::prelude::*;
use crate::request::declare::query::kinds::{Cursor, Place};
use crate::request::declare::query::query;
use crate::settings::trail::{PAGES, link_now};
use crate::store::error::DatabaseError;
use crate::store::trail as store;
use crate::trail::{Broken, ChainHead, ChainPlace, Checked, PAGE_MAX, Trail, finish, verify as verify_rows};

/// A row that was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verified(ChainPlace);

impl Place for Verified {
    fn parse(text: &str) -> Option<Self> {
        let (sequence, digest) = text.split_once('_')?;
        let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        let sequence: i64 = sequence.parse().ok()?;
        let known = sequence > 0 && digest.len() == 64 && digest.chars().all(is_hex);
        known.then(|| Self(ChainPlace { sequence, digest: digest.into() }))
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^[1-9][0-9]{0,15}_[0-9a-f]{64}$";
}

query! {
    /// The start: after a row, or at the first one.
    tolerant pub(crate) Start {
        /// The `next_cursor` of the previous answer, or a `checked_to` that you kept.
        cursor: Cursor<Verified>,
    }
}

/// A place in a trail.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PlaceView {
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    sequence: i64,
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    digest: String,
}

/// The result of a verification.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct VerifyView {
    rows_checked: usize,
    /// How many of the checked rows have no code under the service's keys. These are rows that the operator wrote and
    /// rows from before codes existed. The chain covers them like all other rows.
    rows_without_mac: usize,
    /// The last row that was verified. `null` if there is none.
    checked_to: Option<PlaceView>,
    /// The last row of the chain, as the service stored it. `null` if there is none.
    head: Option<PlaceView>,
    /// Whether all checked rows are unchanged.
    intact: bool,
    /// The first row that failed the check.
    broken: Option<Broken>,
    /// Where to continue. `null` if everything was checked.
    next_cursor: Option<String>,
}

/// The answer. `more` says whether there are more rows to check.
fn view(checked: Checked, head: Option<ChainHead>, more: bool) -> VerifyView {
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

/// `verifyAudit`: Verify that the audit trail is unchanged.
///
/// Owners and admins only. Each row of the trail holds the digest of the previous row. The service stores the last
/// digest with a code that only the service's keys can make. One call checks up to 5,000 rows. If there are more,
/// `next_cursor` says where to continue.
///
/// Keep the `checked_to` of an answer outside the service. Send it later as `cursor` (`<sequence>_<digest>`). The
/// call then checks only the newer rows, and it also checks that nothing before them was cut off or replaced.
pub(crate) async fn verify(request: ReadRequest<Start>) -> Result<Gives<VerifyView>, AppError> {
    verified(&request).await
}

/// `verifyStaffAudit`: Verify that the audit trail is unchanged.
///
/// Auditors only. Checks the staff's own trail: actions of our staff that do not belong to a single practice. Each
/// row of the trail holds the digest of the previous row. The service stores the last digest with a code that only
/// the service's keys can make. One call checks up to 5,000 rows. If there are more, `next_cursor` says where to
/// continue.
///
/// Keep the `checked_to` of an answer outside the service. Send it later as `cursor` (`<sequence>_<digest>`). The
/// call then checks only the newer rows, and it also checks that nothing before them was cut off or replaced.
pub(crate) async fn verify_staff(request: ReadRequest<Start>) -> Result<Gives<VerifyView>, AppError> {
    verified(&request).await
}

/// The trail of the person's practice. Staff have no practice, but their own trail.
async fn verified(request: &ReadRequest<Start>) -> Result<Gives<VerifyView>, AppError> {
    let person = request.authorize().await?;
    let from = request.page.clone()?.cursor.map_or_else(ChainPlace::start, |Verified(place)| place);
    let call = &request.call;
    let found = check(&call.app, &call.db, Trail(person.practice_id), from).await?;
    Ok(request.respond(&found).into())
}

/// Verifies a trail after a place, several pages at most.
async fn check(app: &App, db: &Db, trail: Trail, from: ChainPlace) -> Result<VerifyView, DatabaseError> {
    let stopped = link_now(app, db, trail).await?;
    let keys = Some(&app.keys.trails);
    let mut checked = Checked::behind(from);
    for _ in 0..PAGES {
        let page = store::rows(trail, checked.place.sequence, PAGE_MAX);
        let (rows, head) = db.read(&(page, store::head(trail))).await?;
        verify_rows(trail, &mut checked, &rows, keys);
        if checked.broken.is_some() {
            return Ok(view(checked, head, false));
        }
        if rows.is_empty() || checked.is_end {
            checked.broken = finish(trail, &checked, head.as_ref(), keys).or(stopped);
            // The next call links rows that are not linked yet.
            let more = checked.is_end;
            return Ok(view(checked, head, more));
        }
    }
    let head = db.read(&store::head(trail)).await?;
    Ok(view(checked, head, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::parsed;

    #[test]
    fn a_verification_continues_after_a_place_that_names_a_row_and_its_digest() {
        assert_eq!(parsed(&[("x", "y")]), Ok(Start { cursor: None }));
        let text = concat!("12_", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        let place = ChainPlace { sequence: 12, digest: "a".repeat(64) };
        assert_eq!(Verified::parse(text), Some(Verified(place)));
        for bad in ["12", "0_aa", "x_", &text.to_uppercase(), &text.replace("12", "0")] {
            assert_eq!(Verified::parse(bad), None, "{bad}");
        }
    }
}
