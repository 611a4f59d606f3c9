//! Rules for the routes of the staff: who may call them, for which practice, and that a write of a claim, a report or a case
//! takes effect once.

use crate::api_tokens::{bearer, make};
use crate::closed::Practice;
use crate::documents::{pdf, uploaded};
use overturn_tests::prelude::*;
use overturn_tests::staff::writes;
use overturn_tests::tenant::random;

type Call = (&'static str, String, Value);

impl Practice {
    fn of_practice(&self, practice: &Tenant<'_>) -> Vec<Call> {
        let document = json!({ "document_id": self.report });
        let more = [
            ("GET", format!("claims/{}", self.claims[0]), Value::Null),
            ("GET", format!("claims/{}/related", self.claims[0]), Value::Null),
            ("GET", format!("claims/{}/signature", self.claims[0]), Value::Null),
            ("DELETE", format!("claims/{}/signing/link", self.claims[0]), Value::Null),
            ("GET", format!("reports/{}", self.report), Value::Null),
            ("POST", format!("reports/{}/documents", self.report), document.clone()),
            ("DELETE", format!("reports/{}/documents/{}", self.report, self.report), Value::Null),
            ("GET", format!("cases/{}", self.case), Value::Null),
            ("POST", format!("cases/{}/documents", self.case), document),
            ("DELETE", format!("cases/{}/documents/{}", self.case, self.report), Value::Null),
            ("GET", "reports".into(), Value::Null),
            ("GET", "cases".into(), Value::Null),
            ("GET", "documents".into(), Value::Null),
        ];
        let all = writes(&self.claims[0], &self.case).into_iter().chain(more);
        let full = |what: String| format!("/api/v1/staff/practices/{}/{what}", practice.id);
        all.map(|(method, what, body)| (method, full(what), body)).collect()
    }

    fn calls(&self) -> Vec<Call> {
        let claims = json!([{ "practice_id": self.tenant.id, "id": self.claims[0], "version": 2 }]);
        let search = json!({ "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29" });
        let path = |what: &str| format!("/api/v1/staff/{what}");
        let mut calls = self.of_practice(&self.tenant);
        calls.extend([
            ("POST", path("claims/take"), json!({ "claims": claims })),
            ("POST", path("claims/signing"), json!({ "claims": claims, "decision": "needed" })),
            ("POST", path("patients/search"), search),
            ("POST", path("filters"), json!({ "name": "Mine", "query": "taken_by=me" })),
            ("PATCH", path(&format!("filters/{}", self.report)), json!({ "name": "Mine" })),
            ("DELETE", path(&format!("filters/{}", self.report)), Value::Null),
        ]);
        let lists = ["claims", "cases", "cells", "summary", "practices", "colleagues", "payers", "filters"];
        calls.extend(lists.map(|what| ("GET", path(what), Value::Null)));
        calls
    }

    fn rows(&self) -> Vec<Vec<Value>> {
        let tables =
            ["claims", "claim_events", "claim_notes", "reports", "cases", "case_levels", "signing_links", "audit"];
        let rows = |table: &str| {
            let mut rows = self.tenant.rows(&format!("SELECT * FROM {table} WHERE practice_id = ?1"), &[]);
            // The audit chain is linked after the answers.
            for row in rows.iter_mut().filter_map(Value::as_object_mut) {
                row.remove("previous");
            }
            rows
        };
        tables.map(rows).into()
    }
}

fn call(client: &Client, (method, target, body): &Call) -> Answer {
    let body = (*body != Value::Null).then(|| body.to_string());
    let body = body.as_ref().map(String::as_bytes);
    let body = body.or_else(|| (*method == "DELETE").then_some(b""));
    client.with("If-Match", Practice::version(target)).request(method, target, body)
}

#[test]
fn only_staff_read_and_change_claims_and_nobody_by_a_forged_form() {
    let world = Practice::new();
    let people = Role::OF_PRACTICE.map(|role| Person::of(&world.tenant, role).client());
    let token = bearer(&make(&people[0]));
    let auditor = Person::auditor(Server::shared()).client();
    let strangers = [Server::shared().client(), world.tenant.client()];
    let forged = Person::staff(Server::shared()).client().with("X-CSRF-Token", "x");
    let before = world.rows();
    for one in world.calls() {
        for client in people.iter().chain([&token, &auditor]) {
            assert_eq!(call(client, &one).nested(403).0, "not_authorized", "{one:?}");
        }
        for stranger in &strangers {
            assert_eq!(call(stranger, &one).nested(401).0, "not_authenticated", "{one:?}");
        }
        if one.0 != "GET" {
            assert_eq!(call(&forged, &one).nested(403).0, "not_authorized", "{one:?}");
        }
    }
    assert_eq!(world.rows(), before);
}

#[test]
fn what_another_practice_has_is_not_there() {
    let (world, other) = (Practice::new(), Tenant::shared());
    let staff = Person::staff(Server::shared()).client();
    let document = uploaded(&world.tenant.member(), &pdf(100), "a.pdf");
    let document = document["id"].as_str().unwrap().to_owned();
    let of_document = [("GET", ""), ("GET", "/content"), ("DELETE", "")].map(|(method, what)| {
        (method, format!("/api/v1/staff/practices/{}/documents/{document}{what}", other.id), Value::Null)
    });
    let before = world.rows();
    for one in world.of_practice(&other).into_iter().chain(of_document) {
        let answer = call(&staff, &one);
        let is_list =
            ["/reports", "/cases", "/documents"].iter().any(|list| one.1.ends_with(&format!("{}{list}", other.id)));
        match (is_list, one.0) {
            (true, "GET") => {
                let lists = |id: &str| answer.text().contains(id);
                assert!(![&world.case, &world.report, &document].into_iter().any(|id| lists(id)), "{}", answer.text());
            }
            (true, _) => assert_eq!(answer.details(), ["claims[0] must be a claim of the practice"], "{one:?}"),
            (false, _) => assert_eq!(answer.nested(404).0, "not_found", "{one:?}"),
        }
    }
    for wrong in ["x", "00000000-0000-0000-0000-000000000000"] {
        let target = format!("/api/v1/staff/practices/{}/claims/{wrong}", world.tenant.id);
        staff.get(&target).nested(404);
    }
    assert_eq!(world.rows(), before);
}

impl Practice {
    /// A write that succeeds: what it needs is there.
    fn ready(&self, (method, target, body): Call) -> Call {
        if target.ends_with("/levels") {
            let decided =
                "UPDATE case_levels SET filed_on = '2026-01-05', decided_on = '2026-01-06', outcome = 'upheld'
                           WHERE practice_id = ?1";
            self.tenant.change(decided, &[]);
        } else if target.ends_with("/amount") {
            let recovered =
                "UPDATE claims SET status = 'recovered', recovered_cents = 100 WHERE practice_id = ?1 AND id = ?2";
            self.tenant.change_claims(recovered, &[&self.claims[0]]);
            let paid = "INSERT INTO level_claims (practice_id, case_id, level, claim_id, recovered_cents, recovered_at)
                        SELECT k.practice_id, k.id, 1, ?2, 100, 1 FROM cases k WHERE k.practice_id = ?1 LIMIT 1";
            self.tenant.change(paid, &[&self.claims[0]]);
        } else if target.ends_with("/signing/link") {
            let needed = self.worker.act(&self.claims[0], "signing", &json!({ "status": "needed" }));
            assert_eq!(needed.status, 200, "{}", needed.text());
        }
        (method, target, body)
    }
}

#[test]
fn a_write_whose_answer_is_lost_takes_effect_once_and_its_key_repeats_the_answer() {
    let all = |world: &Practice| {
        let all = world.of_practice(&world.tenant).into_iter();
        let all = all.filter(|(method, ..)| *method != "GET");
        // No document of this server has been scanned.
        all.filter(|(_, target, _)| !target.contains("/documents")).collect::<Vec<_>>()
    };
    let writes = all(&Practice::new()).len();
    assert_eq!(writes, 12);
    for n in 0..writes {
        let world = Practice::new();
        let one = world.ready(all(&world).remove(n));
        let worker = &world.worker;
        let audited = || world.tenant.count("audit");
        let before = audited();
        let key = uuid::Builder::from_random_bytes(random()).into_uuid();
        let once = worker.client.with("Idempotency-Key", &key.to_string());
        let first = call(&once.losing_commit(), &one);
        assert!(first.status < 300, "{one:?} {}", first.text());
        let after = audited();
        assert!(after > before, "{one:?}");
        let again = call(&once, &one);
        assert_eq!((again.status, &again.json), (first.status, &first.json), "{one:?}");
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(audited(), after, "{one:?}");
        world.tenant.check();
    }
}
