//! `/api/v1/settings/audit/export`: a trail as lines of JSON, with everything needed to check its chain elsewhere.

use crate::prelude::*;
use crate::request::declare::query::kinds::{Cursor, Lines, Place};
use crate::request::declare::query::query;
use crate::settings::trail::link_now;
use crate::store::trail as store;
use crate::trail::{PAGE_MAX, Trail, TrailRow};

/// The number of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sequence(i64);

impl Place for Sequence {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number| *number >= 0).map(Self)
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^[0-9]{1,15}$";
}

query! {
    /// The requested rows.
    tolerant pub(crate) Export {
        limit: Lines<PAGE_MAX>,
        /// Returns the rows after this `sequence`.
        cursor: Cursor<Sequence>,
    }
}

#[derive(Serialize)]
struct TrailLine<'a> {
    trail: String,
    sequence: i64,
    id: &'a str,
    at: Time,
    actor: &'a str,
    action: &'a str,
    record: &'a str,
    request_id: &'a str,
    detail: Option<&'a str>,
    address: Option<&'a str>,
    session_id: Option<&'a str>,
    mac: Option<&'a str>,
    previous: &'a str,
    digest: String,
}

/// A linked row as a line, with its line feed. `None` for an unlinked one.
fn line(trail: Trail, row: &TrailRow) -> Option<String> {
    let previous = row.previous.as_deref()?;
    let content = row.content();
    let line = TrailLine {
        trail: trail.to_string(),
        sequence: row.sequence,
        id: content.id,
        at: Time(content.at),
        actor: content.actor,
        action: content.action,
        record: content.record,
        request_id: content.request_id,
        detail: content.detail,
        address: content.address,
        session_id: content.session_id,
        mac: row.mac.as_deref(),
        previous,
        digest: row.digest(trail, previous),
    };
    let mut text = serde_json::to_string(&line).ok()?;
    text.push('\n');
    Some(text)
}

/// `exportAudit`: Export the audit trail as NDJSON.
///
/// Owners and admins only. Each line is one row, and the oldest comes first. The export has everything that you need to
/// check the chain without the service. `docs/TRAIL.md` in the source repository has the encoding and a script of 20 lines.
/// The `Link` header names the next page. The export is complete when a page is empty.
///
/// Each line is an object with `trail` (the practice's id, or `staff`), `sequence`, `id`, `at`, `actor`, `action`,
/// `record`, `request_id`, `detail` (JSON as text), `address`, `session_id`, `mac`, `previous` and `digest`.
pub(crate) async fn export(request: ReadRequest<Export>) -> Result<GivesLines, AppError> {
    exported(&request).await
}

/// `exportStaffAudit`: Export the audit trail as NDJSON.
///
/// Auditors only. Exports the staff's own trail: actions of our staff that do not belong to a single practice. Each line is
/// one row, as in `exportAudit`, and the oldest comes first. The `Link` header names the next page. The export is complete
/// when a page is empty.
pub(crate) async fn export_staff(request: ReadRequest<Export>) -> Result<GivesLines, AppError> {
    exported(&request).await
}

async fn exported(request: &ReadRequest<Export>) -> Result<GivesLines, AppError> {
    let person = request.authorize().await?;
    let of = request.page.clone()?;
    let (trail, call) = (Trail(person.practice_id), &request.call);
    // A row that fails the check does not stop the export: the reader's own verification finds it.
    link_now(&call.app, &call.db, trail).await?;
    let rows = call.db.read(&store::rows(trail, of.cursor.map_or(0, |Sequence(after)| after), of.limit)).await?;
    let (lines, next) = lines(trail, &rows);
    request.respond_lines(lines, next.as_deref())
}

/// The rows up to the first that is not linked, and the number of the last one if there are more.
fn lines(trail: Trail, rows: &[TrailRow]) -> (String, Option<String>) {
    let mut lines = String::new();
    for row in rows {
        let Some(line) = line(trail, row) else {
            return (lines, None);
        };
        lines.push_str(&line);
    }
    (lines, rows.last().map(|row| row.sequence.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::parsed;

    #[test]
    fn only_the_requested_rows_are_read() {
        let all = Export { limit: 1000, cursor: None };
        assert_eq!(parsed(&[]), Ok(all.clone()));
        assert_eq!(parsed(&[("cursor", "7")]), Ok(Export { cursor: Some(Sequence(7)), ..all }));
        for bad in [("limit", "0"), ("limit", "1001"), ("cursor", "-1"), ("cursor", "x")] {
            assert!(parsed::<Export>(&[bad]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_export_ends_before_the_first_row_that_is_not_linked() {
        let row = |sequence, previous: Option<&str>| TrailRow {
            sequence,
            id: "i".into(),
            at: Instant(0),
            actor: "service".into(),
            action: "a.b".into(),
            record: "r".into(),
            request_id: "q".into(),
            detail: None,
            address: None,
            session_id: None,
            mac: None,
            previous: previous.map(Into::into),
        };
        let rows = [row(1, Some("a")), row(2, Some("b")), row(3, None)];
        let (all, next) = lines(Trail(None), &rows);
        assert_eq!((all.lines().count(), next), (2, None));
        assert_eq!(lines(Trail(None), &rows[..2]), (all, Some("2".into())));
    }
}
