//! Lists, claims and query plans.

use super::Documents;
use crate::documents::document::DocumentKind;
use crate::documents::list::{self, DocumentQuery};
use crate::documents::scan::ScanOutcome;
use crate::request::query::ListQuery as _;
use overturn_core::base::id::DocumentId;

/// In the order of a list. Ids of one millisecond have no other order.
fn listed_as<const N: usize>(mut ids: [DocumentId; N]) -> Vec<DocumentId> {
    ids.sort();
    ids.reverse();
    ids.into()
}

/// A parsed query.
pub(super) fn query(given: &[(&'static str, &str)]) -> DocumentQuery {
    let given = given.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    DocumentQuery::parse(given).unwrap()
}

impl Documents {
    fn listed(&mut self, given: &[(&'static str, &str)]) -> Vec<DocumentId> {
        let query = query(given);
        let of_practice = self.f.read(&list::of_practice(self.practice, &query)).unwrap();
        let of_caller = self.f.read(&list::of_caller("session", &query)).unwrap();
        assert_eq!(of_practice, of_caller);
        of_practice.into_iter().map(|one| one.id).collect()
    }
}

#[test]
fn a_list_is_filtered_by_claim_number_kind_and_state() {
    let mut d = Documents::new();
    let (clean, unknown) = (ScanOutcome::Clean, ScanOutcome::Unknown);
    let letter = d.upload(Some(0), DocumentKind::DenialLetter, clean);
    let record = d.upload(Some(1), DocumentKind::MedicalRecord, clean);
    let waiting = d.upload(Some(0), DocumentKind::MedicalRecord, unknown);
    let without = d.upload(None, DocumentKind::Other, clean);
    let (ctx, change) = d.delete(record, &d.owner());
    let [first, second] = [0, 1].map(|n| d.claims[n].to_string());
    let all = listed_as([without, waiting, record, letter]);
    assert_eq!(d.listed(&[]), all, "the newest comes first");
    d.commit(&ctx, change).unwrap();
    assert_eq!(d.listed(&[]), listed_as([without, waiting, letter]));
    assert_eq!(d.listed(&[("state", "deleted")]), [record]);
    assert_eq!(d.listed(&[("state", "available")]), listed_as([without, letter]));
    assert_eq!(d.listed(&[("state", "quarantined")]), [waiting]);
    assert_eq!(d.listed(&[("claim_id", &first)]), listed_as([waiting, letter]));
    assert_eq!(d.listed(&[("claim_id", &second)]), []);
    assert_eq!(d.listed(&[("claim_number", "B-0")]), listed_as([waiting, letter]));
    assert_eq!(d.listed(&[("claim_number", "B-9")]), []);
    let both = |number| [("claim_id", first.as_str()), ("claim_number", number)];
    assert_eq!(d.listed(&both("B-0")), listed_as([waiting, letter]));
    assert_eq!(d.listed(&both("B-1")), [], "they name different claims");
    assert_eq!(d.listed(&[("kind", "medical_record")]), [waiting]);
    let narrow = [("claim_number", "B-0"), ("kind", "denial_letter"), ("state", "available")];
    assert_eq!(d.listed(&narrow), [letter]);
}

#[test]
fn pages_follow_each_other_and_leave_out_nothing() {
    let mut d = Documents::new();
    let all = listed_as([(); 5].map(|()| d.clean()));
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        // One more than the page shows.
        let page = d.listed(&[("limit", "2"), ("cursor", &cursor)]);
        let more = page.len() > 2;
        seen.extend(page.into_iter().take(2));
        if !more {
            break;
        }
        cursor = seen.last().unwrap().0.simple().to_string();
    }
    assert_eq!(seen, all);
}

/// The documents that the page of a case shows: those attached to it, and those of its claims.
#[test]
fn documents_of_a_case_or_a_report_are_listed_with_those_of_its_claims() {
    let mut d = Documents::new();
    let [of_claim, attached, deleted] =
        [Some(0), None, Some(0)].map(|claim| d.upload(claim, DocumentKind::MedicalRecord, ScanOutcome::Clean));
    let waiting = d.upload(Some(1), DocumentKind::Other, ScanOutcome::Unknown);
    let _elsewhere = d.upload(None, DocumentKind::Other, ScanOutcome::Clean);
    let (ctx, change) = d.delete(deleted, &d.owner());
    d.commit(&ctx, change).unwrap();
    let case = "00000000-0000-0000-0000-0000000000cc";
    let report = "00000000-0000-0000-0000-0000000000cb";
    let practice = d.practice;
    let owner = d.owner().user_id;
    for (kind, record, claim) in [("case", case, d.claims[0]), ("report", report, d.claims[1])] {
        let (table, join) = match kind {
            "case" => ("case_claims (practice_id, case_id, claim_id, joined_at)", ", 1"),
            _ => ("report_claims (practice_id, report_id, claim_id)", ""),
        };
        let rows = format!(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO {table} VALUES ('{practice}', '{record}', '{claim}'{join});
             INSERT INTO document_uses VALUES ('{practice}', '{attached}', '{kind}', '{record}', '{owner}', 1);"
        );
        d.f.db.execute_batch(&rows).unwrap();
    }
    assert_eq!(d.listed(&[("case_id", case)]), listed_as([of_claim, attached]));
    assert_eq!(d.listed(&[("report_id", report)]), listed_as([attached, waiting]));
    assert_eq!(d.listed(&[("report_id", case)]), [], "a case is no report");
    assert_eq!(d.listed(&[("case_id", report)]), []);
    let narrow = |more: (&'static str, &str), d: &mut Documents| d.listed(&[("case_id", case), more]);
    assert_eq!(narrow(("claim_number", "B-0"), &mut d), [of_claim]);
    assert_eq!(narrow(("claim_number", "B-1"), &mut d), []);
    assert_eq!(narrow(("kind", "other"), &mut d), []);
    assert_eq!(narrow(("state", "deleted"), &mut d), [deleted]);
    let newest = listed_as([of_claim, attached])[0];
    let after = newest.0.simple().to_string();
    assert_eq!(narrow(("cursor", &after), &mut d).len(), 1);
    assert_eq!(narrow(("limit", "1"), &mut d).len(), 2, "one more says that there is more");
    let of_other = query(&[("case_id", case)]);
    let other = d.other;
    assert_eq!(d.f.read(&list::of_practice(other, &of_other)), Some(Vec::new()));
}
