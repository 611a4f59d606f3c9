//! What resends fill in, in the database.

use crate::claims::send::load;
use crate::testing::{Fixture, batch, claim, keys_of};
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::open::Open;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::claims::intake::{self, Decision, Snapshot};
use serde_json::{Value, json};
use uuid::Uuid;

const ONE: &str = r#""denial_date": "2026-01-05", "payer_name""#;
const OTHER: &str = r#""plan_type": "erisa", "diagnosis_codes": ["J10.1"], "payer_name""#;

/// A claim with more fields than [`claim`].
fn with(more: &str) -> String {
    claim("A-1", "1.00").replace(r#""payer_name""#, more)
}

/// The opened value of the only claim.
fn secret(f: &mut Fixture) -> Value {
    let sql = "SELECT practice_id, id, sealed, key_version FROM claims";
    let (practice, id, sealed, version): (String, String, String, i64) =
        f.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    let practice = PracticeId(practice.parse().unwrap());
    let id = ClaimId(id.parse().unwrap());
    let keys = keys_of(&f.db, &f.keys, practice);
    let place = SealedPlace::Claim { practice, id };
    keys.open_json(place, KeyVersion(version), &sealed).unwrap()
}

fn details(f: &Fixture) -> Vec<Value> {
    let mut rows = f.db.prepare("SELECT detail FROM claim_events WHERE kind = 'filled_in' ORDER BY version").unwrap();
    let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|row| serde_json::from_str(&row.unwrap()).unwrap()).collect()
}

#[test]
fn two_resends_that_fill_in_different_parts_at_once_both_hold() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let before = f.count("SELECT changed FROM claims");
    let mut inner = false;
    let outer = f.send(&with(ONE), |f| {
        // Between the opening of the claim and the commit.
        if !std::mem::replace(&mut inner, true) {
            f.send(&with(OTHER), |_| {});
        }
    });
    assert_eq!(outer["claims"][0]["created"], false);
    assert_eq!(outer["submission_id"], Value::Null);
    let sealed = secret(&mut f);
    assert_eq!(sealed["diagnosis_codes"], json!(["J10.1"]));
    assert_eq!(sealed["patient"]["first_name"], "Jane");
    let due = "SELECT count(*) FROM claims WHERE denial_date = '2026-01-05' AND plan_type = 'erisa'
               AND appeal_due = '2026-07-04' AND appeal_due_from = 'rule' AND version = 3";
    assert_eq!(f.count(due), 1);
    assert!(f.count("SELECT changed FROM claims") > before);
    let said = json!({ "filled_in": ["denial_date"], "appeal_due": "2026-07-04" });
    assert_eq!(details(&f), [json!({ "filled_in": ["plan_type", "diagnosis_codes"] }), said]);
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'claims.filled_in'"), 2);
    // There is nothing left to fill in, so nothing is opened or written.
    f.send(&with(ONE), |_| panic!("something was opened or written"));
}

#[test]
fn a_move_that_comes_between_is_not_undone_and_the_part_is_filled_in_all_the_same() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let mut moved = false;
    let sent = with(&format!("{}, {ONE}", OTHER.replace(r#", "payer_name""#, "")));
    f.send(&sent, |f| {
        if !std::mem::replace(&mut moved, true) {
            f.db.execute_batch("UPDATE claims SET status = 'closed', version = version + 1").unwrap();
        }
    });
    let closed = "SELECT count(*) FROM claims WHERE status = 'closed' AND denial_date = '2026-01-05'
                  AND appeal_due IS NULL AND version = 3";
    assert_eq!(f.count(closed), 1);
}

#[test]
fn a_level_that_is_filed_in_between_leaves_the_claim_without_a_deadline_of_its_own() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    let mut filed = false;
    let other = OTHER.replace(r#", "payer_name""#, "");
    f.send(&with(&format!("{other}, {ONE}")), |f| {
        if !std::mem::replace(&mut filed, true) {
            f.db.execute_batch(
                "INSERT INTO level_claims (practice_id, claim_id, case_id, level, filed)
                 SELECT practice_id, id, '01a3185c-5000-766f-bc22-217f7bebce30', 1, 1 FROM claims",
            )
            .unwrap();
        }
    });
    let filled = "SELECT count(*) FROM claims WHERE denial_date = '2026-01-05' AND plan_type = 'erisa'
                  AND appeal_due IS NULL AND version = 2";
    assert_eq!(f.count(filled), 1);
    assert_eq!(details(&f)[0].get("appeal_due"), None);
}

/// The claim was filed when it is read, so it would get no deadline. Taking the filing back changes no claim that has no
/// deadline, so the version of the claim says nothing about it.
#[test]
fn a_filing_that_is_taken_back_in_between_gives_the_claim_its_deadline() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    f.db.execute_batch(
        "INSERT INTO level_claims (practice_id, claim_id, case_id, level, filed)
         SELECT practice_id, id, '01a3185c-5000-766f-bc22-217f7bebce30', 1, 1 FROM claims",
    )
    .unwrap();
    let other = OTHER.replace(r#", "payer_name""#, "");
    f.send(&with(&format!("{other}, {ONE}")), |f| {
        f.db.execute_batch("UPDATE level_claims SET filed = 0").unwrap();
    });
    let due =
        "SELECT count(*) FROM claims WHERE appeal_due = '2026-07-04' AND appeal_due_from = 'rule' AND version = 2";
    assert_eq!(f.count(due), 1);
}

#[test]
fn a_correction_and_a_fill_in_together_are_one_change() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.send(&with(ONE).replace("\"1.00\"", "\"2.00\""), |_| {});
    let figures = |cents: i64| json!({ "payer_claim_number": "ICN-1", "billed_cents": cents, "denied_cents": null });
    let said = json!({ "filled_in": ["denial_date"], "before": figures(100), "after": figures(200) });
    assert_eq!(details(&f), [said]);
    assert_eq!(f.count("SELECT billed_cents FROM claims WHERE version = 2"), 200);
}

#[test]
fn denial_codes_that_come_later_are_recognised_and_sealed() {
    let mut f = Fixture::new();
    let reason = claim("A-1", "1.00").replace(r#""denial_codes": "co45,N130,free text""#, r#""denial_reason": "r""#);
    assert!(reason.contains("denial_reason"), "{reason}");
    f.send(&reason, |_| {});
    f.send(&claim("A-1", "1.00"), |_| {});
    let codes = "SELECT adjustment_codes = '[\"CO-45\",\"N130\"]' FROM claims";
    assert_eq!(f.count(codes), 1);
    let sealed = secret(&mut f);
    assert_eq!(sealed["denial_codes"], json!(["co45", "N130", "free text"]));
    assert_eq!(sealed["denial_reason"], "r");
}

#[test]
fn a_hundred_large_claims_are_opened_and_filled_in_in_one_request() {
    let mut f = Fixture::new();
    let large = |more: &str| {
        let reason = "é".repeat(2000);
        let codes: Vec<String> = (0..100).map(|_| format!("\"{}\"", "ü".repeat(90))).collect();
        let more = format!("\"diagnosis_codes\": [{}], {more} \"billed_amount\"", codes.join(","));
        let one = |n| {
            claim(&format!("L-{n}"), "1.00")
                .replace("\"billed_amount\"", &format!("\"denial_reason\": \"{reason}\", {more}"))
        };
        let items: Vec<String> = (0..100).map(one).collect();
        format!(r#"{{"claims": [{}]}}"#, items.join(","))
    };
    f.send(&large(""), |_| {});
    f.db.execute_batch("UPDATE claims SET present = present - 16").unwrap();
    let more = large("\"plan_type\": \"erisa\",");
    let answer = f.send(&more, |_| {});
    assert!(answer["claims"].as_array().unwrap().iter().all(|item| item.get("error").is_none()));
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE plan_type = 'erisa' AND version = 2"), 100);
    let numbers = "SELECT count(DISTINCT changed) FROM claims WHERE changed > 100";
    assert_eq!(f.count(numbers), 100);
}

#[test]
fn every_statement_of_filling_in_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let ids: Vec<String> = {
        let mut rows = f.db.prepare("SELECT id FROM claims").unwrap();
        let rows = rows.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let claims: Vec<ClaimId> = ids.iter().map(|id| ClaimId(id.parse().unwrap())).collect();
    for query in load::to_open(PracticeId(Uuid::nil()), &claims) {
        f.assert_indexed(query.statement(), &["VIRTUAL TABLE"]);
    }
    f.db.execute_batch("UPDATE claims SET present = present - 4 WHERE claim_number = 'B-2'").unwrap();
    appeal(&f);
    f.db.execute_batch(FILE).unwrap();
    let ctx = f.ctx();
    let more = |n: usize, more: &str| claim(&format!("B-{n}"), "9.00").replace(r#""payer_name""#, more);
    let both = format!("{}, {OTHER}", ONE.replace(r#", "payer_name""#, ""));
    let body = format!(r#"{{"claims": [{}, {}]}}"#, more(1, &both), claim("B-2", "10.00"));
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let mut snapshot: Snapshot = f.load(&hash, &send);
    let practice = f.sender(&hash).practice_id;
    let mut seen = 0;
    for _ in 0..2 {
        match f.decide(&send, &snapshot, &ctx) {
            Decision::Open(claims) => {
                assert_eq!(claims.len(), 2);
                snapshot.hold(f.open(practice, &claims));
            }
            Decision::Write(changes) => {
                let statements = f.batch_of_key(&changes, &ctx).statements;
                for statement in &statements {
                    f.assert_indexed(statement, &["VIRTUAL TABLE", "CONSTANT ROW", "SCAN f", "SEARCH w "]);
                }
                seen = statements.len();
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(seen > 5);
}

/// All claims are in appeal in one case, whose level has not been filed yet.
fn appeal(f: &Fixture) {
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    f.db.execute_batch(
        "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by)
           SELECT practice_id, '01a3185c-5000-766f-bc22-217f7bebce30', 'Acme', 1, 'u' FROM claims LIMIT 1;
         INSERT INTO case_levels (practice_id, case_id, level, kind, begun_at, begun_by)
           SELECT practice_id, id, 1, 'internal_appeal', 1, 'u' FROM cases;
         UPDATE claims SET status = 'in_appeal', case_id = '01a3185c-5000-766f-bc22-217f7bebce30', version = version + 1",
    )
    .unwrap();
}

const FILE: &str = "UPDATE case_levels SET filed_on = '2026-01-10'; UPDATE cases SET version = version + 1";

/// The payer's day, and the versions of the case and the level's claim.
fn clock(f: &Fixture) -> String {
    let sql = "SELECT concat_ws(' ', ifnull(l.decision_due, '-'), ifnull(l.decision_source, '-'), k.ask_on, k.version)
        FROM cases k, case_levels l";
    f.db.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_plan_that_comes_with_a_resend_gives_the_payers_day_also_if_the_level_is_filed_in_between() {
    for is_between in [false, true] {
        let mut f = Fixture::new();
        f.send(&claim("A-1", "1.00"), |_| {});
        appeal(&f);
        if !is_between {
            f.db.execute_batch(FILE).unwrap();
        }
        let mut waits = is_between;
        f.send(&with(OTHER), |f| {
            if std::mem::take(&mut waits) {
                f.db.execute_batch(FILE).unwrap();
            }
        });
        assert_eq!(clock(&f), "2026-03-11 29 CFR 2560.503-1(i)(2)(iii)(A) 2026-03-11 3", "{is_between}");
    }
}

#[test]
fn of_the_plans_of_a_send_the_first_day_counts() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    appeal(&f);
    f.db.execute_batch(FILE).unwrap();
    let more = |n: usize, plan: &str| {
        claim(&format!("B-{n}"), "9.00").replace(r#""payer_name""#, &format!(r#""plan_type": "{plan}", "payer_name""#))
    };
    let plans = [more(0, "erisa"), more(1, "medi_cal_managed"), more(2, "other")];
    f.send(&format!(r#"{{"claims": [{}]}}"#, plans.join(",")), |_| {});
    assert_eq!(clock(&f), "2026-02-09 42 CFR 438.408(b)(2) 2026-02-09 3");
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE plan_type IS NOT NULL"), 3);
}
