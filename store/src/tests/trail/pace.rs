//! How many patients a staff member opens.

use super::{noted, practice};
use crate::error::{DatabaseError, FailedGuard};
use crate::tests::fixture::{Fixture, batch};
use overturn_core::auth::session::SessionKind;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{ClaimId, SessionId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::accounts::{ClientOrigin, NewSession};
use overturn_core::plan::work::records::Pace;
use overturn_core::plan::{AccountsWrite, Actor, Guard, Plan, WorkGuard, WorkWrite, Write};

/// A staff member with a session whose second factor was confirmed at this time.
fn member(f: &mut Fixture, n: u8, verified_at: Instant) -> Pace {
    let (user_id, _, _) = f.enrol(n);
    let ctx = f.ctx();
    let session_id = SessionId(ctx.id(Purpose::Record, 9));
    let session = NewSession {
        id: session_id,
        user_id,
        hash: session_id.to_string(),
        kind: SessionKind::Full,
        sso: false,
        epoch: 1,
        created_at: ctx.now,
        verified_at: Some(verified_at),
        place: ClientOrigin::default(),
    };
    let batch = f.lower(&Plan::of_operator(&ctx, vec![Write::Accounts(AccountsWrite::NewSession(session))]));
    f.run(&batch.statements).unwrap();
    Pace { user_id, session_id, limit: 2, window_ms: 3_600_000 }
}

#[test]
fn no_more_patients_are_opened_than_the_bound_lets_through_until_the_second_factor_is_shown() {
    let mut f = Fixture::new();
    let other = |n: u32| batch(n..n + 1).replace("\"Doe\"", &format!("\"Doe{n}\""));
    for n in 0..4 {
        f.send(&other(n), |_| {});
    }
    // Another claim of the first patient.
    f.send(&batch(7..8).replace("\"Doe\"", "\"Doe0\""), |_| {});
    let practice = practice(&f).0.unwrap();
    let claim = |f: &Fixture, number: &str| {
        let sql = "SELECT id FROM claims WHERE claim_number = ?1";
        let id: String = f.db.query_row(sql, [number], |row| row.get(0)).unwrap();
        ClaimId(id.parse().unwrap())
    };
    let now = f.ctx().now;
    let pace = member(&mut f, 1, now.plus(-10));
    let open = |f: &mut Fixture, number: &str, later: i64| {
        let claim = claim(f, number);
        let plan = Plan {
            guards: vec![Guard::Work(WorkGuard::Patients { pace, of: Some((practice, claim)) })],
            at: now.plus(later),
            ..noted(f, Some(practice), Actor::User(pace.user_id))
        };
        let mut plan = plan;
        plan.writes.push(Write::Work(WorkWrite::PatientOpened { pace, practice, claim }));
        let batch = f.lower(&plan);
        f.run(&batch.statements).map(|_| ())
    };
    // A search that found nobody.
    let search = |f: &mut Fixture, later: i64| {
        let plan = Plan {
            guards: vec![Guard::Work(WorkGuard::Patients { pace, of: None })],
            at: now.plus(later),
            ..noted(f, Some(practice), Actor::User(pace.user_id))
        };
        let batch = f.lower(&plan);
        f.run(&batch.statements).map(|_| ())
    };
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
    let opened = "SELECT count(*) FROM patients_opened";
    forget(&mut f, now.plus(3_600_004));
    assert_eq!(f.count(opened), 2);
    forget(&mut f, now.plus(3_600_006));
    assert_eq!(f.count(opened), 0);
}

fn forget(f: &mut Fixture, until: Instant) {
    let ctx = f.ctx();
    let forget = Write::Work(WorkWrite::OpenedForgotten(until));
    f.commit(&ctx, (Vec::new(), vec![forget])).unwrap();
}
