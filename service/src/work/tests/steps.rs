//! Reads that take as much work among many records as among few.

use crate::request::query::ListQuery;
use crate::store::Statement;
use crate::testing::Fixture;
use crate::work::cases::all::{CasesQuery, of_all};
use crate::work::cases::list::{CasesOfPractice, of_practice};
use crate::work::patients::{PatientTag, SCAN_MAX, of_patient};
use crate::work::queue::{COUNT_SCAN_MAX, QueueQuery, page};
use crate::work::related::related;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::instant::Instant;
use uuid::Uuid;

pub(super) type Filters<'a> = [(&'a str, &'a str)];

pub(super) fn asked<Q: ListQuery>(filters: &Filters<'_>) -> Q {
    let filters = filters.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    Q::parse(filters).unwrap_or_else(|problems| panic!("{problems:?}"))
}

pub(super) fn queue(filters: &Filters<'_>) -> Statement {
    page("hash", &asked::<QueueQuery>(filters), Instant(1_800_000_000_000)).statement().clone()
}

/// Reads among few and many records, each with a text that its answer has so many times.
fn steady(sizes: [u32; 2], of: impl Fn(u32) -> Fixture, reads: impl Fn(&Fixture) -> Vec<(Statement, String, usize)>) {
    let [few, many] = sizes.map(|size| {
        let f = of(size);
        let steps = reads(&f).into_iter().enumerate().map(|(n, (read, text, expected))| {
            let (answer, steps) = f.measured(&read);
            assert_eq!(answer.matches(&text).count(), expected, "read {n} of {size}");
            steps
        });
        steps.collect::<Vec<_>>()
    });
    for (n, (few, many)) in few.into_iter().zip(many).enumerate() {
        assert!(many < few + few / 10 + 20, "read {n}: {few} and {many} steps");
    }
}

fn practices(f: &Fixture) -> Vec<PracticeId> {
    let sql = "SELECT json_group_array(id) FROM (SELECT id FROM practices ORDER BY id)";
    let ids: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
    serde_json::from_str(&ids).unwrap()
}

const NUMBER: &str = "\"claim_number\":";

#[test]
fn a_page_of_the_queue() {
    let due = "date('2026-01-01', '+' || (n / 3) || ' days')";
    let filled = |claims| Fixture::filled(3, claims, ["iif(n % 3 = 2, 'closed', 'received')", "'Acme'", "'t'", due]);
    steady([600, 12_000], filled, |f| {
        let claims = f.count("SELECT count(*) FROM claims") / 3;
        let sql = format!("SELECT date('2026-01-01', '+' || {} || ' days')", claims / 6);
        let day: String = f.db.query_row(&sql, [], |row| row.get(0)).unwrap();
        let cursor = format!("{day}_{:08}000070008000000000000000", claims / 2);
        let mut pages = vec![
            (queue(&[("claim_number", "N-7")]), 3),
            (queue(&[("due_from", "2026-01-03"), ("due_to", "2026-01-05"), ("limit", "100")]), 18),
        ];
        for (order, from) in [("deadline", "due_from"), ("latest_deadline", "due_to")] {
            let page = [("order", order), ("limit", "20")];
            for start in [&[][..], &[("cursor", &*cursor)], &[(from, &*day)]] {
                pages.push((queue(&[&page[..], start].concat()), 21));
            }
        }
        pages.into_iter().map(|(page, claims)| (page, NUMBER.into(), claims)).collect()
    });
}

/// Each case has a claim of its own. The day of all but the first 60 cases of a practice is later.
pub(super) fn with_claims_in_cases(cases: u32) -> Fixture {
    let f = Fixture::with_filed_cases(cases);
    f.db.execute_batch(
        "UPDATE case_levels SET decision_due = '2029-01-01' WHERE decision_due IS NOT NULL AND substr(case_id, 1, 8) >= '00000060';
         UPDATE case_claims SET claim_id = case_id;
         INSERT INTO claims (practice_id, claim_number, id, submission_id, status, case_id, payer_claim_number, payer_name,
           date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at, changed, present)
         SELECT practice_id, 'N-' || id, id, 's', iif(is_open = 1, 'in_appeal', 'closed'), id, 'P', 'Acme', '2026-01-02', 1, '[]',
           't', 1, 'x', 1, 1, row_number() OVER (PARTITION BY practice_id ORDER BY id), 0 FROM cases",
    )
    .unwrap();
    f.name_payers();
    f
}

#[test]
fn the_claims_of_overdue_decisions() {
    steady([60, 6_000], with_claims_in_cases, |f| {
        let due = f.count(
            "SELECT count(*) FROM claims c CROSS JOIN case_levels l WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id
               AND c.status = 'in_appeal' AND l.decided_on IS NULL AND l.decision_due < '2026-03-20'",
        );
        let due = usize::try_from(due).unwrap();
        assert!(due > 10, "{due}");
        let practice = practices(f)[0].to_string();
        let found: [(&Filters<'_>, usize); 7] = [
            (&[("limit", "100")], due),
            (&[("limit", "100"), ("order", "latest_deadline"), ("count", "true")], due),
            (&[("limit", "100"), ("practice_id", &practice)], due / 2),
            (&[("limit", "100"), ("status", "received,in_appeal")], due),
            (&[("status", "closed")], 0),
            (&[("payer_name", "Other")], 0),
            (&[("limit", "5")], 6),
        ];
        let read = |filters: &Filters<'_>| queue(&[&[("ask_before", "2026-03-20")], filters].concat());
        found.map(|(filters, claims)| (read(filters), PAYER.into(), claims)).into()
    });
}

#[test]
fn a_count_of_the_queue() {
    let most = u32::try_from(COUNT_SCAN_MAX).unwrap();
    let payer = "iif(n % 8 < 2, 'Acme', 'Best')";
    let filled = |claims| Fixture::filled(1, claims, ["'received'", payer, "'t'", "NULL"]);
    steady([most + 1_000, most * 3], filled, |_| {
        let rare = queue(&[("count", "true"), ("limit", "1"), ("payer_name", "Acme")]);
        vec![(rare, "\"scanned\":".into(), 1)]
    });
}

fn page_of_cases(filters: &Filters<'_>) -> Statement {
    of_all(&asked::<CasesQuery>(&[filters, &[("limit", "5")]].concat())).into()
}

const PAYER: &str = "\"payer_name\":";

#[test]
fn a_page_of_cases() {
    steady([60, 6_000], Fixture::with_cases, |f| {
        let practice = practices(f)[0].to_string();
        let filters = [
            &[][..],
            &[("open", "true")],
            &[("open", "false"), ("due_before", "2030-01-01")],
            &[("practice_id", &*practice)],
            &[("practice_id", &practice), ("open", "true"), ("due_before", "2026-02-01")],
            &[("cursor", "2026-01-05_00000000000000000000000000000000")],
        ];
        filters.map(|filters| (page_of_cases(filters), PAYER.into(), 6)).into()
    });
    steady([60, 6_000], Fixture::with_filed_cases, |f| {
        let practice = practices(f)[0].to_string();
        let filters = [
            &[("awaiting", "decision")][..],
            &[("awaiting", "decision"), ("open", "true")],
            &[("ask_before", "2030-01-01"), ("practice_id", &*practice)],
        ];
        filters.map(|filters| (page_of_cases(filters), PAYER.into(), 6)).into()
    });
}

#[test]
fn the_cases_of_a_payer_or_a_claim() {
    let claim = Uuid::from_u128(13).to_string();
    let with_cases = |cases| {
        let f = Fixture::with_cases(cases);
        let change = format!(
            "UPDATE cases SET payer_name = 'Blue' WHERE substr(id, 1, 8) < '00000007';
             UPDATE case_claims SET claim_id = '{claim}' WHERE substr(case_id, 1, 8) IN ('00000003', '00000009')"
        );
        f.db.execute_batch(&change).unwrap();
        f
    };
    steady([60, 6_000], with_cases, |f| {
        let found: [(&[_], usize); 7] = [
            (&[("payer_name", "BLUE")], 7),
            (&[("claim_id", &*claim)], 2),
            (&[("claim_id", &claim), ("payer_name", "blue")], 1),
            (&[("claim_id", &claim), ("payer_name", "Green")], 0),
            (&[("payer_name", "blue"), ("cursor", "00000004000070008000000000000000")], 4),
            (&[("claim_id", &claim), ("cursor", "00000009000070008000000000000000")], 1),
            (&[("payer_name", "blue"), ("limit", "2")], 3),
        ];
        let practice = practices(f)[0];
        let read = |filters| of_practice(practice, &asked::<CasesOfPractice>(filters)).into();
        found.map(|(filters, cases)| (read(filters), PAYER.into(), cases)).into()
    });
}

/// Of the first six claims, those of one patient, one is still received and not among the newest.
#[test]
fn the_claims_of_a_patient() {
    let status =
        "CASE n WHEN 1 THEN 'reviewing' WHEN 2 THEN 'in_report' WHEN 3 THEN 'in_appeal' WHEN 4 THEN 'recovered'
                    WHEN 5 THEN 'closed' ELSE 'received' END";
    let tag = "p.id || iif(n < 6, ' one', ' tag ' || n)";
    let filled = |claims| Fixture::filled(3, claims, [status, "'Acme'", tag, "NULL"]);
    let most = u32::try_from(SCAN_MAX).unwrap();
    steady([most + 1_000, most * 3], filled, |f| {
        let all = practices(f);
        let tags: Vec<PatientTag> = all.iter().map(|of| (*of, format!("{of} one"))).collect();
        let scanned = format!("\"scanned\":{SCAN_MAX}");
        let first = format!("SELECT id FROM claims WHERE claim_number = 'N-1' AND practice_id = '{}'", all[0]);
        let first: String = f.db.query_row(&first, [], |row| row.get(0)).unwrap();
        vec![
            (of_patient(None, &tags).into(), scanned.clone(), 1),
            (of_patient(Some(all[0]), &tags[..1]).into(), scanned, 1),
            (related(all[0], ClaimId(first.parse().unwrap())).into(), NUMBER.into(), 4),
        ]
    });
}
