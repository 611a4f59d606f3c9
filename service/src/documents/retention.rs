//! `/api/v1/settings/documents`: how long a practice keeps documents, and whether a legal hold forbids any deletion.

use super::document::DocumentPlace;
use super::removal::expire;
use super::scan::commit;
use crate::jobs::{self, Jobs};
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Changed, Flag, Whole};
use crate::store::error::DatabaseError;
use overturn_core::base::date::Date;
use overturn_core::base::id::DocumentId;

/// 7 years.
pub(super) const RETENTION_DAYS: i64 = 2_557;

/// The time of the UTC day from which on documents are deleted whose time is over. The query reads every document, so it runs
/// once a day.
const EXPIRES_FROM_MS: i64 = (3 * 60 + 17) * 60_000;
/// How long the deletion runs, in milliseconds. The next minute goes on.
const LONGEST_MS: i64 = 40_000;
/// How long the deletion waits after a fault, in milliseconds: one hour.
pub(super) const FAILED_MS: i64 = 3_600_000;
/// How many documents [`expired`] reads at once.
const EXPIRED_MAX: usize = 100;

body! {
    /// At least one setting. Unknown keys are refused.
    #[derive(Clone, Copy, Default)]
    edit DocumentSettingsEdit {
        // Medical records must be kept for years, but not for longer than a life.
        /// As in the settings. `null` leaves it as it is.
        retention_days: Changed<Whole<30, 36_500>>,
        /// As in the settings. `null` leaves it as it is.
        legal_hold: Changed<Flag>,
    }
}

/// How long a practice keeps documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DocumentSettings {
    pub(super) version: i64,
    /// Days after the claim is final, or after the upload if a document has no claim.
    #[cfg_attr(feature = "schema", schemars(range(min = 30, max = 36_500)))]
    pub(super) retention_days: i64,
    /// True if nothing may be deleted.
    pub(super) legal_hold: bool,
}

impl Default for DocumentSettings {
    fn default() -> Self {
        Self { version: 1, retention_days: RETENTION_DAYS, legal_hold: false }
    }
}

pub(super) fn settings(caller: &str) -> Query<DocumentSettings> {
    select!(
        "documents.settings",
        "SELECT json_object('version', s.version, 'retention_days', s.retention_days,
           'legal_hold', json(iif(s.legal_hold = 1, 'true', 'false'))) AS json
         FROM document_settings s WHERE s.practice_id = {OF_CALLER}";
        caller
    )
    .or_default()
}

/// `showDocumentSettings`: Read how long the practice keeps documents.
///
/// For everyone in the practice.
pub(crate) async fn show(request: ReadRequest) -> Result<Gives<DocumentSettings>, AppError> {
    let load = settings(request.credential());
    let view = request.show_versioned(load, |_, body| Ok(Versioned { version: body.version, body }));
    view.await
}

/// `changeDocumentSettings`: Change how long the practice keeps documents.
///
/// Owners and admins only. Sensitive. A field that you leave out stays as it is. Unknown keys are refused. Fewer days
/// delete the documents whose time is then over in the following night.
pub(crate) async fn edit(
    IfMatch(seen): IfMatch,
    request: WriteRequest<DocumentSettingsEdit>,
) -> Result<Gives<DocumentSettings>, AppError> {
    let load = settings(request.credential());
    let decide = request.change(load, |person, stored, edit| edited(edit, (stored, seen), person, request.ctx()));
    decide.await
}

pub(super) fn edited(
    edit: DocumentSettingsEdit,
    (stored, seen): (DocumentSettings, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    seen.is(stored.version)?;
    let read = RecordVersion { record: EditedRecord::DocumentSettings(practice), version: stored.version };
    let mut to = DocumentSettings {
        version: stored.version,
        retention_days: edit.retention_days.unwrap_or(stored.retention_days),
        legal_hold: edit.legal_hold.unwrap_or(stored.legal_hold),
    };
    if to == stored {
        return Ok(Change::nothing(Answer::new(200, &to)));
    }
    to.version = read.next().version;
    let entry = Entry::new(ctx, 0, Some(practice), Event::DocumentSettings, practice);
    let detail = json!({ "retention_days": to.retention_days, "legal_hold": to.legal_hold });
    Ok(Change::new(entry.detail(detail), Answer::new(200, &to))
        .write(sql!(
            "INSERT INTO document_settings (practice_id, retention_days, legal_hold) VALUES ({practice}, {days}, {hold})
             ON CONFLICT (practice_id) DO UPDATE SET retention_days = {days}, legal_hold = {hold}";
            practice, days = to.retention_days, hold = i64::from(to.legal_hold)
        ))
        .edits(read))
}

/// A document whose time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Expired {
    practice_id: PracticeId,
    pub(super) id: DocumentId,
    pub(super) state: DocumentState,
}

impl Expired {
    pub(super) const fn place(self) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice_id, id: self.id }
    }
}

/// Documents whose time is over: the days of the practice after the claim was final, or after the upload if there is no
/// claim. A document of an open case stays.
pub(super) fn expired(now: Instant) -> Query<Vec<Expired>> {
    select!(
        "documents.expired",
        "SELECT json_group_array(json_object('practice_id', practice_id, 'id', id, 'state', state)) AS json
         FROM (SELECT d.practice_id, d.id, d.state FROM documents d
           LEFT JOIN document_settings s ON s.practice_id = d.practice_id
           LEFT JOIN claims c ON c.practice_id = d.practice_id AND c.id = d.claim_id
           WHERE d.state IN ('available', 'quarantined') AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = d.practice_id)
             AND coalesce(s.legal_hold, 0) = 0
             AND (d.claim_id IS NULL OR c.status IN ('recovered', 'closed'))
             AND NOT EXISTS (SELECT 1 FROM document_uses u
               CROSS JOIN case_claims cc CROSS JOIN claims o
               WHERE u.practice_id = d.practice_id AND u.document_id = d.id AND u.kind = 'case'
                 AND cc.practice_id = u.practice_id AND cc.case_id = u.record_id
                 AND o.practice_id = cc.practice_id AND o.id = cc.claim_id AND o.status NOT IN ('recovered', 'closed'))
             AND max(d.uploaded_at, coalesce(c.updated_at, 0))
               + coalesce(s.retention_days, CAST({days} AS INTEGER)) * 86400000 <= CAST({now} AS INTEGER)
           LIMIT CAST({most} AS INTEGER))";
        now, days = RETENTION_DAYS, most = EXPIRED_MAX
    )
    .or_default()
}

/// The day of the deletion that an instant is in.
fn day(now: Instant) -> Date {
    Date::of(now.plus(-EXPIRES_FROM_MS))
}

/// True if a day's deletion is complete, or waits after a fault.
pub(super) fn rests(now: Instant) -> Query<bool> {
    jobs::rests("retention", day(now), now)
}

/// The deletion of a day is complete.
pub(super) fn complete(now: Instant) -> Write {
    sql!(
        "INSERT INTO daily_jobs (name, day) VALUES ('retention', {day})
         ON CONFLICT (name) DO UPDATE SET day = max(day, {day})";
        day = day(now)
    )
}

/// The deletion had a fault. It would read every document again each minute.
pub(super) fn failed(now: Instant) -> Write {
    sql!(
        "INSERT INTO daily_jobs (name, day, again_at) VALUES ('retention', '', {again_at})
         ON CONFLICT (name) DO UPDATE SET again_at = {again_at}";
        again_at = now.plus(FAILED_MS)
    )
}

/// Deletes the documents whose time is over, once a day. A sweep that was late or broke off misses no day.
pub(super) async fn sweep(jobs: &Jobs) -> Result<(), DatabaseError> {
    let now = jobs.app.host.now();
    if jobs.db.read(&rests(now)).await? {
        return Ok(());
    }
    let (note, done) = match delete(jobs, now).await {
        Ok(false) => return Ok(()),
        Ok(true) => (complete(now), Ok(())),
        Err(fault) => (failed(now), Err(fault)),
    };
    let plan = pipeline::plan(&jobs.db.ctx()?, Actor::Service, Vec::new(), vec![note]);
    let noted = pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop);
    done.and(noted)
}

/// Deletes the documents whose time is over. False if some are left.
async fn delete(jobs: &Jobs, now: Instant) -> Result<bool, DatabaseError> {
    let host = &jobs.app.host;
    loop {
        let over = jobs.db.read(&expired(now)).await?;
        for one in &over {
            let ctx = jobs.db.ctx()?;
            match commit(jobs, &ctx, expire(one.place(), one.state, &ctx)).await {
                // It was deleted or came under a legal hold.
                Ok(()) | Err(DatabaseError::Conflict(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        if over.len() < EXPIRED_MAX {
            return Ok(true);
        }
        if host.now().since(now) > LONGEST_MS {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::testing::decisions::{parse, person, takes_version};
    use overturn_core::testing::ctx;

    #[test]
    fn the_settings_are_edited_in_the_version_that_the_person_has_seen() {
        let person = person(Role::Owner, Action::EditRetention);
        for version in [1, 6] {
            let stored = DocumentSettings { version, ..DocumentSettings::default() };
            let read = RecordVersion { record: EditedRecord::DocumentSettings(person.practice_id.unwrap()), version };
            takes_version(read, |seen| {
                let asked = parse(br#"{"legal_hold":true}"#).unwrap();
                edited(asked, (stored, seen), &person, &ctx())
            });
        }
    }
}
