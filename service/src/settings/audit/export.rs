//! `/api/v1/settings/audit/export`: a trail as lines of JSON, with everything needed to check its chain elsewhere.

use crate::prelude::*;
use crate::settings::trail::link_now;
use crate::store::trail as store;
use overturn_core::request::accept::ListForm;
use overturn_core::request::problem::Problem;
use overturn_core::request::query::{ListQuery, Pair, QueryReader};
use overturn_core::trail::{PAGE_MAX, Trail, TrailRow};

/// The requested rows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Export {
    /// Most rows, by default and at most [`PAGE_MAX`].
    limit: usize,
    /// The number of the row to start after.
    after: i64,
}

impl ListQuery for Export {
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, _: ListForm) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::tolerant(query, &["limit", "cursor"]);
        let limit = query.limit_of(PAGE_MAX, PAGE_MAX);
        let after = query.cursor(|text| text.parse().ok().filter(|after| *after >= 0));
        query.settle(Self { limit, after: after.unwrap_or(0) })
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

/// `GET`: the practice's trail as lines of JSON.
pub(crate) async fn export(request: ReadRequest<Export>) -> Result<Response, AppError> {
    exported(&request).await
}

/// `GET /api/v1/staff/audit/export`: the staff's own trail as lines of JSON.
pub(crate) async fn export_staff(request: ReadRequest<Export>) -> Result<Response, AppError> {
    exported(&request).await
}

async fn exported(request: &ReadRequest<Export>) -> Result<Response, AppError> {
    let person = request.authorize().await?;
    let of = request.page.clone()?;
    let (trail, call) = (Trail(person.practice_id), &request.call);
    // A row that fails the check does not stop the export: the reader's own verification finds it.
    link_now(&call.app, &call.db, trail).await?;
    let rows = call.db.read(&store::rows(trail, of.after, of.limit)).await?;
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
    use overturn_core::testing::parsed;

    #[test]
    fn only_the_requested_rows_are_read() {
        let all = Export { limit: 1000, after: 0 };
        assert_eq!(parsed(&[]), Ok(all.clone()));
        assert_eq!(parsed(&[("cursor", "7")]), Ok(Export { after: 7, ..all }));
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
