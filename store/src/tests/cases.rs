//! The statements of reports and cases.

use super::fixture::{Fixture, batch};
use super::work::{ids, taking};
use crate::Statement;
use crate::work::queries;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use overturn_core::plan::claims::ClaimStatus;
use overturn_core::plan::work::level::LevelRow;
use overturn_core::plan::work::level_names::LevelKind;
use overturn_core::plan::work::records::{CaseOutcome, NewCase, NewReport};
use overturn_core::plan::{Guard, WorkGuard, WorkWrite, Write};
use overturn_core::request::page::Page;
use overturn_core::work::cases::CasesOfPractice;
use overturn_core::work::levels::LevelRequest;
use uuid::Uuid;

const REPORT: ReportId = ReportId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));

/// The writes of a report and a case of all claims, and of the changes that follow.
fn writes(f: &Fixture, by: UserId) -> Vec<Write<'static>> {
    let (practice_id, claims) = ids(f);
    let first = LevelRequest { kind: LevelKind::Hearing, due_on: None };
    let level = LevelRow { practice_id, case_id: CASE, level: first.level(1), by };
    let case = NewCase { practice_id, id: CASE, payer_name: "Acme".into(), opened_by: by };
    let outcome = CaseOutcome {
        practice_id,
        case_id: CASE,
        claim_id: claims[0],
        outcome: ClaimStatus::Closed,
        amount: None,
        reason: None,
    };
    let report = NewReport { practice_id, id: REPORT, delivered_by: by, claims: claims.clone() };
    vec![
        Write::Work(WorkWrite::NewReport(report)),
        Write::Work(WorkWrite::NewCase(case)),
        Write::Work(WorkWrite::CaseLevel(level)),
        Write::Work(WorkWrite::CaseVersion { practice: practice_id, case: CASE, version: 2 }),
        Write::Work(WorkWrite::CaseClaims { practice: practice_id, case: CASE, claims }),
        Write::Work(WorkWrite::CaseOutcome(outcome)),
    ]
}

fn reads(f: &Fixture, practice: PracticeId) -> Vec<Statement> {
    let (_, claims) = ids(f);
    let page = Page { limit: 25, after: None };
    vec![
        queries::claims(practice, &claims).into(),
        queries::candidates(practice, &claims).into(),
        queries::joining(practice, claims[0], CASE).into(),
        queries::reports(practice, page).into(),
        queries::report(practice, REPORT).into(),
        queries::cases(practice, &CasesOfPractice { page, payer_name: None, claim_id: None }).into(),
        queries::case(practice, CASE).into(),
        queries::case_view(practice, CASE).into(),
    ]
}

#[test]
fn every_statement_of_reports_and_cases_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let (staff, ..) = f.enrol(1);
    let (practice, _) = ids(&f);
    let mut plan = taking(&mut f, &[], staff);
    plan.guards = vec![Guard::Work(WorkGuard::Case { practice, case: CASE, version: 1 })];
    plan.writes = writes(&f, staff);
    let mut seen = f.lower(&plan).statements;
    seen.extend(reads(&f, practice));
    let related = queries::related(practice, ClaimId(Uuid::nil())).into();
    seen.push(Statement::clone(&related));
    for statement in seen {
        // The newest claims of the practice are read, up to a limit.
        let newest = "SEARCH claims USING INDEX sqlite_autoindex_claims_2 (practice_id=?)";
        let mut harmless = vec!["VIRTUAL TABLE", "CONSTANT ROW"];
        if statement == related {
            harmless.extend([newest, "SCAN n", "SCAN c", "SCAN (subquery"]);
        }
        f.assert_indexed(&statement, &harmless);
    }
}

#[test]
fn a_claim_that_the_practice_does_not_have_is_no_candidate() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let (practice, mut claims) = ids(&f);
    claims.insert(1, overturn_core::base::id::ClaimId(Uuid::nil()));
    let read = f.run(&[queries::candidates(practice, &claims).into()]).unwrap();
    let read: serde_json::Value = serde_json::from_str(read[0].json.as_deref().unwrap()).unwrap();
    let known: Vec<bool> = read.as_array().unwrap().iter().map(serde_json::Value::is_object).collect();
    assert_eq!(known, [true, false, true, true]);
    let elsewhere = PracticeId(Uuid::nil());
    let read = f.run(&[queries::candidates(elsewhere, &claims[..1]).into()]).unwrap();
    assert_eq!(read[0].json.as_deref(), Some("[null]"));
}
