//! The statements of claims, reports and cases.

use super::{ids, staff};
use crate::claim_changes;
use crate::work::cases::list::{CasesOfPractice, of_practice};
use crate::work::cases::{CaseRequest, candidates, joining, opened, stored_case, view};
use crate::work::levels::{LevelEdit, LevelRequest, begun, level_edited};
use crate::work::named_claims::NamedClaim;
use crate::work::notes::{NoteText, added};
use crate::work::queue::{QueueQuery, page as queue_page};
use crate::work::{claim, moves, related, reports};
use overturn_core::auth::person::Person;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId};
use overturn_core::plan::change::Change;
use overturn_core::request::if_match::Seen;
use overturn_core::request::page::Page;
use overturn_core::request::query::ListQuery;
use overturn_store::Statement;
use overturn_store::testing::{Fixture, batch, parse};
use uuid::Uuid;

/// The practice, and its claims under review by a staff member.
fn office() -> (Fixture, Person, PracticeId, Vec<ClaimId>) {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let staff = staff(&mut f);
    let (practice, claims) = ids(&f);
    f.db.execute("UPDATE claims SET status = 'reviewing', taken_by = ?1", [staff.user_id.to_string()]).unwrap();
    (f, staff, practice, claims)
}

fn named(f: &mut Fixture, practice: PracticeId, claims: &[ClaimId]) -> Vec<NamedClaim> {
    let found = f.read(&claim_changes::claims(practice, claims)).into_iter().flatten();
    found.map(|claim| NamedClaim { id: claim.id, version: claim.version }).collect()
}

/// Every kind of write of a report and a case, as it is committed one after the other.
fn writes() -> (Fixture, PracticeId, Vec<ClaimId>, CaseId, Vec<Statement>) {
    let (mut f, staff, practice, claims) = office();
    let mut seen = Vec::new();
    let mut commit = |f: &mut Fixture, make: &dyn Fn(&mut Fixture, &overturn_core::base::ctx::Ctx) -> Change| {
        let ctx = f.ctx();
        let change = make(f, &ctx);
        let answer = change.answer.body.clone();
        let statements = f.lower_change(change, &staff, &ctx);
        f.run(&statements).unwrap();
        seen.extend(statements);
        answer
    };
    commit(&mut f, &|f, ctx| {
        let stored = f.read(&claim_changes::claim(practice, claims[0]));
        added(practice, stored.as_ref(), &NoteText { text: "Called".into() }, &staff, ctx).unwrap()
    });
    commit(&mut f, &|f, ctx| {
        let asked = named(f, practice, &claims[2..]);
        let found = f.read(&claim_changes::claims(practice, &claims[2..]));
        reports::delivered(practice, (&asked, found), &staff, ctx).unwrap()
    });
    let case = commit(&mut f, &|f, ctx| {
        let LevelRequest { kind, due_on } = parse(r#"{"kind":"hearing"}"#, ctx).unwrap();
        let asked = CaseRequest { claims: named(f, practice, &claims[..2]), kind, due_on };
        let found = f.read(&candidates(practice, &claims[..2]));
        opened(practice, (&asked, found), &staff, ctx).unwrap()
    });
    let case = CaseId(case["id"].as_str().unwrap().parse().unwrap());
    let step = |f: &mut Fixture, ctx: &_, claim, body: &str| {
        let stored = f.read(&claim_changes::claim(practice, claim)).unwrap();
        let step: moves::MoveRequest = parse(body, ctx).unwrap();
        let case = step.case_id.map(|case| f.read(&joining(practice, claim, case)).unwrap());
        moves::stepped(practice, (&stored, step), case.as_ref(), &staff, ctx).unwrap()
    };
    let edit = |f: &mut Fixture, ctx: &_, body: &str| {
        let stored = f.read(&stored_case(practice, case)).unwrap();
        let seen = Seen::Version(stored.version);
        let edit: LevelEdit = parse(body, ctx).unwrap();
        level_edited(practice, (Some(stored), seen), (1, edit), &staff, ctx).unwrap()
    };
    let join = format!(r#"{{"status":"in_appeal","case_id":"{case}"}}"#);
    commit(&mut f, &|f, ctx| step(f, ctx, claims[2], &join));
    commit(&mut f, &|f, ctx| edit(f, ctx, r#"{"filed_on":"2026-03-01"}"#));
    commit(&mut f, &|f, ctx| step(f, ctx, claims[0], r#"{"status":"recovered","amount_recovered":"1.00"}"#));
    commit(&mut f, &|f, ctx| edit(f, ctx, r#"{"filed_on":null,"due_on":"2027-03-01"}"#));
    commit(&mut f, &|f, ctx| edit(f, ctx, r#"{"filed_on":"2026-03-01","decided_on":"2026-03-01","outcome":"upheld"}"#));
    commit(&mut f, &|f, ctx| {
        let stored = f.read(&stored_case(practice, case)).unwrap();
        let seen = Seen::Version(stored.version);
        begun(practice, (Some(stored), seen), parse(r#"{"kind":"hearing"}"#, ctx).unwrap(), &staff, ctx).unwrap()
    });
    (f, practice, claims, case, seen)
}

#[test]
fn every_statement_of_the_work_finds_its_rows_by_an_index() {
    let (f, practice, claims, case, mut seen) = writes();
    let query = [("denial_code", "CO-45"), ("taken_by", "me"), ("payer_name", "acme")];
    let query = QueueQuery::parse(query.map(|(name, value)| (name.into(), value.into()))).unwrap();
    let page = Page { limit: 25, after: None };
    seen.extend([
        candidates(practice, &claims).into(),
        joining(practice, claims[0], case).into(),
        reports::page(practice, page).into(),
        reports::report(practice, ReportId(Uuid::nil())).into(),
        of_practice(practice, &CasesOfPractice { page, payer_name: None, claim_id: None }).into(),
        stored_case(practice, case).into(),
        view::stored_view(practice, case).into(),
        claim::stored_view(practice, claims[0]).into(),
        queue_page("hash", &query, f.ctx().now).into(),
    ]);
    let related: Statement = related::related(practice, claims[0]).into();
    seen.push(related.clone());
    for statement in seen {
        // The newest claims of the practice are read, up to a limit.
        let newest = "SEARCH claims USING INDEX sqlite_autoindex_claims_2 (practice_id=?)";
        let mut harmless = vec![
            // A practice has at most five active endpoints.
            "SEARCH w USING PRIMARY KEY (practice_id=?)",
            "VIRTUAL TABLE",
            "CONSTANT ROW",
            "SCAN f",
            "claim_changed_once",
        ];
        if statement == related {
            harmless.extend([newest, "SCAN n", "SCAN c", "SCAN (subquery"]);
        }
        f.assert_indexed(&statement, &harmless);
    }
}

#[test]
fn a_claim_that_the_practice_does_not_have_is_no_candidate() {
    let (mut f, _, practice, mut claims) = office();
    claims.insert(1, ClaimId(Uuid::nil()));
    let found = f.read(&candidates(practice, &claims));
    let known: Vec<bool> = found.iter().map(Option::is_some).collect();
    assert_eq!(known, [true, false, true, true]);
    let elsewhere = PracticeId(Uuid::nil());
    assert!(f.read(&candidates(elsewhere, &claims[..1]))[0].is_none());
}
