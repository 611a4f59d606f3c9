//! Uploads, removals, scans and uses as batches.

use super::{CASE, Documents, NOW, RECORD_CHANGED};
use crate::documents::bulk::{Item, store_all};
use crate::documents::document::{self, DocumentKind, DocumentPlace, StoredUse, UseKind};
use crate::documents::removal;
use crate::documents::retention::{DocumentSettingsEdit, edited, settings};
use crate::documents::scan::{self, ScanOutcome};
use crate::documents::target::Target;
use crate::documents::uses::{attached, detached};
use crate::plan::documents::DocumentState;
use crate::request::if_match::Seen;
use crate::settings::data_jobs::destruction;
use crate::settings::data_jobs::job::{Job, JobKind, RecordCounts};
use crate::settings::data_jobs::stages::{self, DestructionStage, ROWS};
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{DataJobId, DocumentId};
use overturn_core::base::instant::Instant;
use uuid::Uuid;

fn case() -> StoredUse {
    StoredUse { kind: UseKind::Case, id: CASE.parse().unwrap() }
}

impl Documents {
    fn attach(&mut self, id: DocumentId, to: StoredUse) -> Result<(), DatabaseError> {
        let stored = self.stored(id);
        let ctx = self.f.ctx();
        let change = attached(Some(stored), to, &self.owner(), &ctx).unwrap();
        self.commit(&ctx, change)
    }

    fn hold(&mut self, legal_hold: bool) {
        let stored = self.f.read(&settings("session"));
        let edit = DocumentSettingsEdit { legal_hold: Some(legal_hold), ..DocumentSettingsEdit::default() };
        let ctx = self.f.ctx();
        let read = (stored, Seen::Version(stored.version));
        let change = edited(edit, read, &self.owner(), &ctx).unwrap();
        self.commit(&ctx, change).unwrap();
    }

    fn state(&mut self, id: DocumentId) -> DocumentState {
        self.stored(id).state
    }
}

#[test]
fn a_bulk_upload_stores_all_files_of_its_batch_or_none() {
    let mut d = Documents::new();
    let (ctx, first) = d.received(ScanOutcome::Clean);
    let (_, second) = d.received(ScanOutcome::Unknown);
    let gone = DocumentPlace { practice_id: d.practice, id: second.id };
    let items = || {
        let files = [first.clone(), second.clone()];
        files.map(|file| Item::Received(file, Target::default(), None))
    };
    let practice = d.practice;
    let store = |d: &Documents| {
        let refuse = |_| serde_json::Value::Null;
        store_all(practice, items().into(), refuse, &d.owner(), &ctx).unwrap()
    };
    // One batch finds that somebody removes an object, the other one that it is gone.
    d.write([removal::removing(gone)]);
    let change = store(&d);
    assert_eq!(d.commit(&ctx, change), Err(RECORD_CHANGED));
    d.write([removal::not_loose(gone)]);
    let change = store(&d);
    assert_eq!(d.commit(&ctx, change), Err(RECORD_CHANGED));
    assert_eq!((d.stored_count(), d.loose()), (0, 1));
    d.write([removal::receiving(gone, ctx.now)]);
    let change = store(&d);
    d.commit(&ctx, change).unwrap();
    assert_eq!((d.stored_count(), d.loose()), (2, 0));
    assert_eq!(d.audited("document.uploaded"), 2);
}

#[test]
fn a_late_run_of_the_batch_that_begins_an_upload_makes_no_document_loose() {
    let mut d = Documents::new();
    let (id, now) = (d.clean(), d.f.ctx().now);
    d.write([removal::receiving(d.place(id), now)]);
    assert_eq!((d.stored_count(), d.loose()), (1, 0));
}

#[test]
fn a_removal_forgets_the_name_and_the_key_and_makes_the_object_due() {
    let mut d = Documents::new();
    let id = d.clean();
    let (ctx, change) = d.delete(id, &d.member());
    let statements = d.statements(&ctx, change);
    d.f.run(&statements).unwrap();
    let again = d.f.run(&statements).unwrap_err();
    assert_eq!(again, DatabaseError::Conflict(FailedGuard::Done));
    let stored = d.stored(id);
    assert_eq!((stored.state, stored.sealed), (DocumentState::Deleted, None));
    let due = d.f.read(&removal::due(ctx.now));
    assert_eq!(due, [d.place(id)]);
    d.write([removal::not_loose(d.place(id))]);
    assert_eq!((d.loose(), d.stored_count()), (0, 1));
}

#[test]
fn a_document_that_came_into_use_is_not_deleted_by_its_uploader() {
    let mut d = Documents::new();
    let id = d.clean();
    let (ctx, change) = d.delete(id, &d.member());
    d.attach(id, case()).unwrap();
    assert_eq!(d.commit(&ctx, change), Err(RECORD_CHANGED));
    let stored = d.stored(id);
    let ctx = d.f.ctx();
    assert!(removal::deleted(Some(stored.clone()), &d.member(), &ctx).is_err());
    // Without the use it is deleted.
    let change = detached(Some(stored), case(), &ctx).unwrap();
    d.commit(&ctx, change).unwrap();
    let (ctx, change) = d.delete(id, &d.member());
    assert_eq!(d.commit(&ctx, change), Ok(()));
    let used = d.clean();
    d.attach(used, case()).unwrap();
    let (ctx, change) = d.delete(used, &d.owner());
    assert_eq!(d.commit(&ctx, change), Ok(()), "an owner deletes what is in use");
}

#[test]
fn a_legal_hold_that_comes_in_between_stops_a_deletion_and_an_expiry() {
    let mut d = Documents::new();
    let id = d.clean();
    let (ctx, change) = d.delete(id, &d.owner());
    d.hold(true);
    assert_eq!(d.commit(&ctx, change), Err(RECORD_CHANGED));
    let stored = d.stored(id);
    assert!(stored.legal_hold);
    let ctx = d.f.ctx();
    assert!(removal::deleted(Some(stored.clone()), &d.owner(), &ctx).is_err());
    let change = removal::expire(stored.place(), stored.state, &ctx);
    assert_eq!(d.commit(&ctx, change), Err(RECORD_CHANGED));
    assert_eq!((d.state(id), d.loose()), (DocumentState::Available, 0));
    d.hold(false);
    let (ctx, change) = d.delete(id, &d.owner());
    assert_eq!(d.commit(&ctx, change), Ok(()));
}

#[test]
fn a_document_is_attached_only_to_a_record_of_its_own_practice_and_only_while_it_is_available() {
    let mut d = Documents::new();
    let id = d.clean();
    let missing = StoredUse { kind: UseKind::Report, ..case() };
    assert_eq!(d.attach(id, missing), Err(RECORD_CHANGED));
    let sql = format!("UPDATE cases SET practice_id = '{}'", d.other);
    d.f.db.execute(&sql, []).unwrap();
    assert_eq!(d.attach(id, case()), Err(RECORD_CHANGED));
    let sql = format!("UPDATE cases SET practice_id = '{}'", d.practice);
    d.f.db.execute(&sql, []).unwrap();
    d.attach(id, case()).unwrap();
    let used = d.stored(id).uses;
    assert_eq!(used, [case()]);
    // A deletion between the read and the commit.
    let other = d.clean();
    let stored = d.stored(other);
    let (ctx, change) = d.delete(other, &d.owner());
    d.commit(&ctx, change).unwrap();
    let ctx = d.f.ctx();
    let late = attached(Some(stored), case(), &d.owner(), &ctx).unwrap();
    assert_eq!(d.commit(&ctx, late), Err(RECORD_CHANGED));
}

#[test]
fn of_two_parallel_attachments_and_of_two_removals_one_is_in_the_trail() {
    let mut d = Documents::new();
    let (id, owner) = (d.clean(), d.owner());
    let one = [Ok(()), Err(DatabaseError::Conflict(FailedGuard::Secret))];
    let stored = d.stored(id);
    let attach = |ctx: &Ctx| attached(Some(stored.clone()), case(), &owner, ctx).unwrap();
    let calls = [d.f.ctx(), d.f.ctx()].map(|ctx| d.commit(&ctx, attach(&ctx)));
    assert_eq!(calls, one);
    let stored = d.stored(id);
    let detach = |ctx: &Ctx| detached(Some(stored.clone()), case(), ctx).unwrap();
    let calls = [d.f.ctx(), d.f.ctx()].map(|ctx| d.commit(&ctx, detach(&ctx)));
    assert_eq!(calls, one);
    assert_eq!((d.audited("document.attached"), d.audited("document.detached")), (1, 1));
}

#[test]
fn the_first_answer_of_two_scans_counts() {
    let mut d = Documents::new();
    let id = d.upload(None, DocumentKind::Other, ScanOutcome::Unknown);
    assert!(d.f.read(&scan::due(NOW)).is_empty());
    let due = d.f.read(&scan::due(NOW.plus(60_000)));
    assert_eq!((due[0].id, due[0].scans), (id, 0));
    let (of, digest) = (due[0].place(), due[0].sha256.clone());
    let ctx = d.f.ctx();
    let (guard, write) = scan::begin(of, 0, NOW.plus(60_000));
    d.f.commit(&ctx, (vec![guard.clone()], vec![write.clone()])).unwrap();
    let other = d.f.ctx();
    assert_eq!(d.f.commit(&other, (vec![guard], vec![write])).unwrap_err(), RECORD_CHANGED, "of two sweeps, one scans");
    assert!(d.f.read(&scan::due(NOW.plus(60_000))).is_empty(), "another sweep leaves it");
    let again = d.f.read(&scan::due(NOW.plus(180_000)));
    assert_eq!((again[0].scans, again[0].state), (1, DocumentState::Quarantined));

    let ctx = d.f.ctx();
    let clean = scan::done(of, &digest, ScanOutcome::Clean, &ctx).unwrap();
    let late = d.f.ctx();
    let infected = scan::done(of, &digest, ScanOutcome::Infected, &late).unwrap();
    d.commit(&ctx, clean).unwrap();
    assert_eq!(d.commit(&late, infected), Err(RECORD_CHANGED));
    assert_eq!(d.state(id), DocumentState::Available);
    let ctx = d.f.ctx();
    let (guard, write) = scan::begin(of, 2, NOW);
    assert_eq!(d.f.commit(&ctx, (vec![guard], vec![write])).unwrap_err(), RECORD_CHANGED);
    assert!(d.f.read(&scan::due(Instant(i64::MAX >> 11))).is_empty());
}

#[test]
fn a_destruction_makes_every_object_of_the_practice_due_and_no_other() {
    let mut d = Documents::new();
    let (deleted, _, _) = (d.clean(), d.clean(), d.clean());
    let (ctx, change) = d.delete(deleted, &d.owner());
    d.commit(&ctx, change).unwrap();
    d.hold(true);
    let used = d.clean();
    d.attach(used, case()).unwrap();
    // The bucket no longer has the object of the deleted document.
    d.f.db.execute("DELETE FROM loose_objects", []).unwrap();
    let (other, mine) = (d.other, d.practice);
    d.practice = other;
    d.claims.clear();
    let elsewhere = d.upload(None, DocumentKind::Other, ScanOutcome::Clean);
    d.practice = mine;
    d.f.db.execute("UPDATE agreements SET ended_at = 1", []).unwrap();
    let ctx = d.f.ctx();
    let ids = (mine, DataJobId(Uuid::from_u128(9)));
    let due = (JobKind::Destruction, Some(Instant(1)));
    let job = Job::new(ids, due, "operator".into(), RecordCounts::new(), ctx.now);
    d.write([job.insert()]);
    let page = |stage| stages::page(&job, stage, ctx.now);
    // A page of a job that is not running removes nothing and makes nothing due.
    d.f.commit(&ctx, (Vec::new(), page(DestructionStage::Document))).unwrap();
    assert_eq!((d.stored_count(), d.loose()), (5, 0));
    let (guards, writes) = destruction::begin(&job, None, &ctx);
    let held = d.f.commit(&ctx, (guards.clone(), writes.clone()));
    assert_eq!(held.unwrap_err(), RECORD_CHANGED, "a legal hold");
    d.f.db.execute("UPDATE document_settings SET legal_hold = 0", []).unwrap();
    d.f.commit(&ctx, (guards, writes)).unwrap();
    for stage in [DestructionStage::DocumentUse, DestructionStage::Document, DestructionStage::DocumentSettings] {
        for _ in 0..2 {
            let done = d.f.commit(&ctx, (Vec::new(), page(stage))).unwrap();
            assert!(done.last().unwrap().changes < ROWS);
        }
    }
    assert_eq!((d.stored_count(), d.loose()), (1, 3));
    assert_eq!(d.f.read(&removal::due(ctx.now)).len(), 3);
    let left = d.f.read(&document::of_practice(other, elsewhere)).unwrap();
    assert_eq!(left.id, elsewhere);
    let rest = "SELECT (SELECT count(*) FROM document_uses) + (SELECT count(*) FROM document_settings)";
    assert_eq!(d.f.count(rest), 0);
    let counts: String = d.f.db.query_row("SELECT counts FROM data_jobs", [], |row| row.get(0)).unwrap();
    let counts: RecordCounts = serde_json::from_str(&counts).unwrap();
    assert_eq!((counts["document"], counts["document_use"], counts["document_settings"]), (4, 1, 1));
}
