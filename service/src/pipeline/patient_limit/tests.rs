use super::*;
use crate::plan::Plan;
use crate::store::Statement;
use crate::testing::people::verified_session;
use crate::testing::{Fixture, batch};
use overturn_core::base::ctx::Purpose;
use uuid::Uuid;

/// A staff member with a session whose second factor was confirmed at this time.
fn member(f: &mut Fixture, verified_at: Instant) -> Limit {
    let (user, ..) = f.enrol(1);
    session(f, user, verified_at)
}

/// Another session of this person.
fn session(f: &mut Fixture, user: UserId, verified_at: Instant) -> Limit {
    let ctx = f.ctx();
    let session = SessionId(ctx.id(Purpose::Record, 9));
    let new = verified_session(session, user, &session.to_string(), verified_at);
    let batch = f.lower(&Plan::of_operator(&ctx, vec![new]));
    f.run(&batch.statements).unwrap();
    Limit { user, session, patients: 2, window_ms: 3_600_000 }
}

/// Sends claims `B-0` and so on, each of another patient.
fn send_of_others(f: &mut Fixture, claims: u32) {
    for n in 0..claims {
        f.send(&batch(n..n + 1).replace("\"Doe\"", &format!("\"Doe{n}\"")), |_| {});
    }
}

fn claim(f: &Fixture, number: &str) -> ClaimId {
    let sql = "SELECT id FROM claims WHERE claim_number = ?1";
    let id: String = f.db.query_row(sql, [number], |row| row.get(0)).unwrap();
    ClaimId(id.parse().unwrap())
}

/// The batch that opens the patient of a claim, or of nobody after a search that found none.
fn opening(
    f: &mut Fixture,
    limit: Limit,
    of: Option<(PracticeId, ClaimId)>,
    at: Instant,
) -> Result<Vec<Statement>, DatabaseError> {
    let rows = f.count("SELECT count(*) FROM audit");
    let ctx = Ctx::new(at, [100 + u8::try_from(rows).unwrap(); 32]);
    let entry = Entry::new(&ctx, 0, None, Event::PatientSearched, limit.user);
    let change =
        limit.opening(Change::new(entry, Answer::empty()), of.map(|of| Patient { of, tag: None }).as_ref(), at);
    let plan = Plan { guards: change.guards, ..Plan::of_operator(&ctx, change.writes) };
    let statements = f.lower(&plan).statements;
    f.run(&statements).map(|_| statements)
}

#[test]
fn no_more_patients_are_opened_than_the_limit_lets_through_until_the_second_factor_is_shown() {
    let mut f = Fixture::new();
    send_of_others(&mut f, 4);
    // Another claim of the first patient.
    f.send(&batch(7..8).replace("\"Doe\"", "\"Doe0\""), |_| {});
    let practice = f.practice();
    let now = f.ctx().now;
    let limit = member(&mut f, now.plus(-10));
    let open = |f: &mut Fixture, number: &str, later: i64| {
        let of = Some((practice, claim(f, number)));
        opening(f, limit, of, now.plus(later)).map(drop)
    };
    let search = |f: &mut Fixture, later: i64| opening(f, limit, None, now.plus(later)).map(drop);
    let refused = Err(DatabaseError::Conflict(FailedGuard::Patients));
    assert_eq!(open(&mut f, "B-0", 0), Ok(()));
    assert_eq!(search(&mut f, 1), Ok(()));
    assert_eq!(open(&mut f, "B-1", 1), Ok(()));
    assert_eq!(search(&mut f, 2), refused);
    assert_eq!(open(&mut f, "B-2", 2), refused);
    // An opened claim may be opened again, and so may another claim of the same patient.
    assert_eq!(open(&mut f, "B-0", 3), Ok(()));
    assert_eq!(open(&mut f, "B-7", 4), Ok(()));
    assert_eq!(open(&mut f, "B-2", 5), refused);
    // The first ones leave the window.
    assert_eq!(open(&mut f, "B-2", 3_600_002), Ok(()));
    assert_eq!(open(&mut f, "B-3", 3_600_003), refused);
    f.db.execute_batch(&format!("UPDATE sessions SET verified_at = {}", now.0 + 3_600_004)).unwrap();
    assert_eq!(open(&mut f, "B-3", 3_600_005), Ok(()));
    assert_eq!(open(&mut f, "B-0", 3_600_006), Ok(()));
    assert_eq!(open(&mut f, "B-1", 3_600_007), refused);
    assert_eq!(f.count("SELECT count(*) FROM guards"), 0);
    // The fingerprints of patients are deleted, also for staff who no longer open patients.
    for (until, left) in [(3_600_004, 2), (3_600_006, 0)] {
        let ctx = f.ctx();
        f.commit(&ctx, (Vec::new(), vec![forget_opened(now.plus(until))])).unwrap();
        assert_eq!(f.count("SELECT count(*) FROM patients_opened"), left);
    }
}

#[test]
fn a_document_without_a_claim_counts_as_a_patient() {
    let mut f = Fixture::new();
    let (practice, now) = (f.practice(), f.ctx().now);
    let limit = member(&mut f, now.plus(-10));
    let mut open = |document: u128, later: i64| {
        let of = Some((practice, ClaimId(Uuid::from_u128(document))));
        opening(&mut f, limit, of, now.plus(later)).map(drop)
    };
    assert_eq!([open(1, 0), open(2, 1), open(1, 2)], [Ok(()); 3]);
    assert_eq!(open(3, 3), Err(DatabaseError::Conflict(FailedGuard::Patients)));
}

#[test]
fn a_second_factor_in_one_session_lets_no_other_session_open_more_patients() {
    let mut f = Fixture::new();
    send_of_others(&mut f, 4);
    let practice = f.practice();
    let now = f.ctx().now;
    let early = member(&mut f, now.plus(-10));
    let open = |f: &mut Fixture, by: Limit, number: &str, later: i64| {
        let of = Some((practice, claim(f, number)));
        opening(f, by, of, now.plus(later)).map(drop)
    };
    let refused = Err(DatabaseError::Conflict(FailedGuard::Patients));
    assert_eq!(open(&mut f, early, "B-0", 0), Ok(()));
    assert_eq!(open(&mut f, early, "B-1", 1), Ok(()));
    let late = session(&mut f, early.user, now.plus(10));
    // Requests that began before count, too.
    assert_eq!(open(&mut f, late, "B-2", 8), Ok(()));
    assert_eq!(open(&mut f, late, "B-3", 9), Ok(()));
    assert_eq!(open(&mut f, late, "B-0", 9), refused);
    assert_eq!(open(&mut f, late, "B-2", 20), Ok(()));
    // More were opened since the early one's second factor than it may open, whoever opened them.
    assert_eq!(open(&mut f, early, "B-2", 21), refused);
    assert_eq!(open(&mut f, early, "B-0", 22), refused);
}

#[test]
fn a_session_leaves_one_alert_until_its_second_factor_is_shown() {
    let mut f = Fixture::new();
    let limit = member(&mut f, Instant(1));
    let alert = |f: &mut Fixture| {
        let ctx = f.ctx();
        let change = limit.exceeded(&ctx);
        f.commit(&ctx, (change.guards, change.writes)).map(drop)
    };
    assert_eq!(alert(&mut f), Ok(()));
    assert_eq!(alert(&mut f), Err(DatabaseError::Conflict(FailedGuard::Record)));
    f.db.execute_batch("UPDATE sessions SET verified_at = alerted_at + 1").unwrap();
    assert_eq!(alert(&mut f), Ok(()));
}

#[test]
fn every_statement_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..1), |_| {});
    let limit = member(&mut f, Instant(1));
    let practice = f.practice();
    let claim: String = f.db.query_row("SELECT id FROM claims", [], |row| row.get(0)).unwrap();
    let of = Some((practice, ClaimId(claim.parse().unwrap())));
    let now = f.ctx().now;
    let mut seen = opening(&mut f, limit, of, now).unwrap();
    let ctx = f.ctx();
    let change = limit.exceeded(&ctx);
    seen.extend(f.lower(&Plan { guards: change.guards, ..Plan::of_operator(&ctx, change.writes) }).statements);
    for statement in seen {
        // One row, and the few that one person opened lately.
        f.assert_indexed(&statement, &["CONSTANT ROW", "VIRTUAL TABLE", "SCAN n", "SCAN (subquery", "SEARCH o "]);
    }
}
