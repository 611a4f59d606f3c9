//! The rules of returns and destructions, and in `batches` their statements on SQLite with the real migrations.

mod batches;

use super::export::{ExportPage, ExportPosition, Section, settle, turn};
use super::*;
use crate::testing::Fixture;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

fn ctx() -> Ctx {
    Ctx::new(NOW, [1; 32])
}

fn basis() -> Basis {
    Basis {
        practice_id: PracticeId(Uuid::from_u128(1)),
        name: " Lakeside ".into(),
        legal_hold: false,
        destroyed: false,
        in_force: false,
        open: Vec::new(),
        totals: RecordCounts::from([("claim".into(), 3)]),
    }
}

fn job(kind: JobKind, state: JobState) -> Job {
    let ids = (PracticeId(Uuid::from_u128(1)), DataJobId(Uuid::from_u128(2)));
    Job { state, ..Job::new(ids, (kind, None), "operator".into(), RecordCounts::new(), NOW) }
}

const RETURN: JobRequest = JobRequest { kind: JobKind::Return, practice_name: None };

fn destruction(name: &str) -> JobRequest {
    JobRequest { kind: JobKind::Destruction, practice_name: Some(name.into()) }
}

fn asked(order: &JobRequest, basis: Basis) -> Result<Change, RequestError> {
    requested(order, basis, 5, Actor::Operator, &ctx())
}

#[test]
fn a_destruction_takes_the_name_of_the_practice_and_the_end_of_its_agreement() {
    let named = destruction("Lakeside");
    assert!(asked(&named, basis()).is_ok());
    let other = destruction("lakeside");
    assert!(matches!(asked(&other, basis()), Err(RequestError::Invalid(_))));
    let in_force = Basis { in_force: true, ..basis() };
    assert!(matches!(asked(&named, in_force.clone()), Err(RequestError::Conflict(..))));
    assert!(asked(&RETURN, in_force).is_ok());
    let held = Basis { legal_hold: true, ..basis() };
    assert!(matches!(
        asked(&named, held),
        Err(RequestError::Conflict(Reason::LegalHold, "the practice has a legal hold"))
    ));
}

#[test]
fn one_job_of_a_kind_is_open_and_nothing_is_returned_of_what_is_being_destroyed() {
    use JobKind::{Destruction, Return};
    let named = destruction("Lakeside");
    let with = |open| Basis { open: [open].into(), ..basis() };
    assert!(asked(&RETURN, with((Return, JobState::Running))).is_err());
    assert!(asked(&named, with((Destruction, JobState::Waiting))).is_err());
    assert!(asked(&RETURN, with((Destruction, JobState::Waiting))).is_ok());
    assert!(asked(&named, with((Return, JobState::Running))).is_ok());
    assert!(asked(&RETURN, with((Destruction, JobState::Running))).is_err());
}

#[test]
fn nothing_is_returned_or_destroyed_after_a_destruction() {
    let destroyed = Basis { destroyed: true, ..basis() };
    for order in [RETURN, destruction("Lakeside")] {
        let refused = asked(&order, destroyed.clone()).unwrap_err();
        assert_eq!(refused.reason(), Some(Reason::DataDestroyed), "{order:?}");
    }
}

#[test]
fn a_destruction_that_has_begun_is_not_canceled() {
    use JobKind::{Destruction, Return};
    for (kind, state, is_cancelled) in [
        (Return, JobState::Running, true),
        (Return, JobState::Done, false),
        (Destruction, JobState::Waiting, true),
        (Destruction, JobState::Running, false),
        (Destruction, JobState::Done, false),
    ] {
        let found = cancelled(Some(job(kind, state)), &ctx());
        assert_eq!(found.is_ok(), is_cancelled, "{kind:?} {state:?}");
    }
    let again = cancelled(Some(job(Return, JobState::Cancelled)), &ctx()).unwrap();
    assert!(again.writes.is_empty());
    assert_eq!(cancelled(None, &ctx()).map(drop), Err(UNKNOWN));
}

#[test]
fn a_position_reads_back_and_the_sections_follow_each_other() {
    for section in Section::ALL {
        let behind = ExportPosition { section, major: "a-1".into(), minor: "7".into() };
        assert_eq!(behind.to_string().parse(), Ok(behind));
    }
    assert_eq!("".parse(), Ok(ExportPosition::of(Section::Practice)));
    for text in ["x", "claim", "claim~1", "nothing~1~"] {
        assert!(text.parse::<ExportPosition>().is_err(), "{text}");
    }
    let mut at = Some(Section::Practice);
    let mut seen = Vec::new();
    while let Some(section) = at {
        seen.push(section);
        at = section.next();
    }
    assert_eq!(seen, Section::ALL);
}

#[test]
fn only_the_next_page_and_the_last_one_are_given_and_the_last_one_counts_once() {
    let mut f = Fixture::new();
    let ids = (f.practice(), DataJobId(Uuid::from_u128(2)));
    let new = Job::new(ids, (JobKind::Return, None), "operator".into(), RecordCounts::new(), NOW);
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), vec![new.insert()])).unwrap();
    let stored = |f: &mut Fixture| f.read(&destruction::job(ids.0, ids.1)).unwrap();
    let begun = stored(&mut f);
    assert_eq!(begun, new);
    let first = turn(Some(begun), false, None).unwrap();
    assert!(!first.repeated);
    let page = |next| ExportPage {
        text: "{}\n".into(),
        counts: RecordCounts::from([("claim".into(), 2)]),
        unreadable: 0,
        next,
    };
    let going_on = page(Some(ExportPosition::of(Section::Audit)));
    let change = settle(&first, &going_on, &ctx).unwrap();
    f.commit(&ctx, (change.guards, change.writes)).unwrap();
    let going = stored(&mut f);
    assert_eq!((going.taken.bytes, going.taken.counts.get("claim"), &*going.position), (3, Some(&2), "audit~~"));
    // Another request read the same page first.
    let ctx = f.ctx();
    let late = settle(&first, &going_on, &ctx).unwrap();
    assert!(f.commit(&ctx, (late.guards, late.writes)).is_err());
    let again = turn(Some(going.clone()), false, None).unwrap();
    assert!(again.repeated);
    let ctx = f.ctx();
    let repeated = settle(&again, &going_on, &ctx).unwrap();
    f.commit(&ctx, (repeated.guards, repeated.writes)).unwrap();
    let going = stored(&mut f);
    assert_eq!((going.taken.bytes, going.taken.counts.get("claim"), &*going.position), (3, Some(&2), "audit~~"));
    assert!(turn(Some(going.clone()), false, Some("case~~")).is_err());
    let last = turn(Some(going.clone()), false, Some("audit~~")).unwrap();
    assert!(!last.repeated);
    let ctx = f.ctx();
    let change = settle(&last, &page(None), &ctx).unwrap();
    f.commit(&ctx, (change.guards, change.writes)).unwrap();
    let done = stored(&mut f);
    assert_eq!((done.state, done.taken.bytes, done.taken.counts.get("claim")), (JobState::Done, 6, Some(&4)));
    // The last page is read again. It has grown in between, so another one follows.
    let grown = turn(Some(done.clone()), false, Some("audit~~")).unwrap();
    assert!(grown.repeated);
    let larger = ExportPage { text: "{}\n{}\n".into(), ..page(Some(ExportPosition::of(Section::Document))) };
    let ctx = f.ctx();
    let change = settle(&grown, &larger, &ctx).unwrap();
    f.commit(&ctx, (change.guards, change.writes)).unwrap();
    let longer = stored(&mut f);
    assert_eq!((longer.state, longer.taken.bytes, longer.finished_at), (JobState::Running, 9, None));
    assert_eq!(longer.taken.digest, digest::next(going.taken.digest.as_deref(), b"{}\n{}\n"));
    assert!(!turn(Some(longer.clone()), false, Some("document~~")).unwrap().repeated);
    assert!(turn(Some(done), false, None).is_err());
    // A destruction since has left other records, and the report stays.
    let again = turn(Some(longer.clone()), false, Some("audit~~")).unwrap();
    f.db.execute(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals, finished_at)
         VALUES (?1, 'd', 'destruction', 'done', 1, 'x', '{}', ?2)",
        (ids.0.to_string(), NOW.0 + 1),
    )
    .unwrap();
    let ctx = f.ctx();
    let late = settle(&again, &page(None), &ctx).unwrap();
    assert!(f.commit(&ctx, (late.guards, late.writes)).is_err());
    assert_eq!(stored(&mut f), longer);
    let cancelled = Job { state: JobState::Cancelled, ..going };
    assert!(turn(Some(cancelled), false, Some("audit~~")).is_err());
    let destroyed = job(JobKind::Destruction, JobState::Running);
    assert_eq!(turn(Some(destroyed), false, None).map(drop), Err(UNKNOWN));
}

#[test]
fn a_report_is_there_once_the_job_is_done() {
    let shown = |job| serde_json::to_value(JobView::of(job)).unwrap();
    let running = shown(job(JobKind::Return, JobState::Running));
    assert_eq!((&running["report"], &running["cursor"]), (&json!(null), &json!("")));
    let done = job(JobKind::Destruction, JobState::Running).ended(JobState::Done, NOW);
    let done = shown(done);
    let until = Time(NOW.plus(30 * 86_400_000)).to_string();
    assert_eq!(done["report"]["history_until"], until);
    assert_eq!(done["report"]["sha256"], json!(null));
    assert_eq!(done["cursor"], json!(null));
}

#[test]
fn nothing_is_returned_while_a_destruction_is_running() {
    for state in [JobState::Running, JobState::Cancelled, JobState::Done] {
        let stored = job(JobKind::Return, state);
        let refused = turn(Some(stored), true, None);
        assert_eq!(refused.map(drop), Err(BEING_DESTROYED), "{state:?}");
    }
    let destruction = job(JobKind::Destruction, JobState::Running);
    let other = turn(Some(destruction), true, None);
    assert_eq!(other.map(drop), Err(UNKNOWN));
}
