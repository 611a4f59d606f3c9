//! When a practice's agreement ends or it is switched off, all access to its patient data ends at once.

use overturn_tests::prelude::*;
use overturn_tests::signing::{self, Case, NUMBER, born, patient, proof, sign};

/// The two ways in which a practice closes, and the errors for staff and members.
const CLOSED: [(&str, &str); 2] = [
    (
        "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1 AND ended_at IS NULL",
        "a signed business associate agreement is required",
    ),
    ("UPDATE practices SET state = 'inactive' WHERE id = ?1", "the organization is not an active practice"),
];

/// Opens the practice again: signs a new agreement if there is none, and switches it on.
const OPENED: [&str; 2] = [
    "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
     SELECT ?1, lower(hex(randomblob(16))), 'baa', '1', 'Ann', 'Owner', 2 WHERE NOT EXISTS (
       SELECT 1 FROM agreements WHERE practice_id = ?1 AND ended_at IS NULL)",
    "UPDATE practices SET state = 'active' WHERE id = ?1",
];

/// Every table with patient data that requests can write.
const TABLES: [&str; 13] = [
    "claims",
    "claim_events",
    "claim_notes",
    "reports",
    "report_claims",
    "cases",
    "case_claims",
    "case_levels",
    "level_claims",
    "signing_links",
    "signatures",
    "audit",
    "deliveries",
];

/// The rows without the links of the trail, which the job of each minute adds.
fn stored(tenant: &Tenant<'_>) -> Vec<Vec<Value>> {
    let mut tables = Vec::new();
    for table in TABLES {
        let mut rows = tenant.rows(&format!("SELECT * FROM {table} WHERE practice_id = ?1"), &[]);
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            row.remove("previous");
        }
        tables.push(rows);
    }
    tables
}

/// A practice with a claim in each stage of the work.
pub(crate) struct Practice {
    pub(crate) tenant: Tenant<'static>,
    pub(crate) worker: Worker<'static>,
    pub(crate) claims: Vec<String>,
    pub(crate) case: String,
    pub(crate) report: String,
}

impl Practice {
    pub(crate) fn new() -> Self {
        let tenant: &'static Tenant<'static> = Box::leak(Box::new(Tenant::shared()));
        let worker = Worker::on(tenant);
        let claims = worker.reviewed(&["A-1", "A-2", "A-3"]);
        let id = |answer: overturn_tests::client::Answer| answer.id().to_owned();
        let case = id(worker.open(&claims[1..2], None));
        let report = id(worker.report(&claims[2..]));
        Self {
            tenant: Tenant { server: tenant.server, id: tenant.id, key: tenant.key.clone() },
            worker,
            claims,
            case,
            report,
        }
    }

    /// The staff's reads.
    fn reads(&self) -> [String; 6] {
        let claim = &self.claims[0];
        [
            format!("claims/{claim}"),
            format!("claims/{claim}/signature"),
            "cases".into(),
            format!("cases/{}", self.case),
            "reports".into(),
            format!("reports/{}", self.report),
        ]
        .map(|what| self.worker.of_practice(&what))
    }

    /// The staff's writes. Each succeeds while the practice is open.
    fn writes(&self) -> Vec<(&'static str, String, Value)> {
        let writes = overturn_tests::staff::writes(&self.claims[0], &self.case);
        let at = |(method, what, body): (_, String, _)| (method, self.worker.of_practice(&what), body);
        writes.into_iter().map(at).collect()
    }

    pub(crate) fn version(target: &str) -> &'static str {
        match target {
            // The decision that made the link changed the claim.
            _ if target.ends_with("/signing/link") => "\"3\"",
            _ if target.contains("/cases/") => "\"1\"",
            _ => "\"2\"",
        }
    }
}

fn queued(practice: &Practice) -> usize {
    let target = format!("{QUEUE}?practice_id={}", practice.tenant.id);
    let page = practice.worker.client.get(&target);
    page.expect(200);
    page.json["claims"].as_array().unwrap().len()
}

#[test]
fn staff_read_and_write_nothing_of_a_practice_that_is_closed() {
    let practice = Practice::new();
    let client = &practice.worker.client;
    assert_eq!(queued(&practice), 3);
    for target in practice.reads() {
        // This claim has no signature.
        let expected = if target.ends_with("/signature") { 404 } else { 200 };
        assert_eq!(client.get(&target).status, expected, "{target}");
    }
    let before = stored(&practice.tenant);
    for (closes, said) in CLOSED {
        practice.tenant.change(closes, &[]);
        let queue = format!("{QUEUE}?practice_id={}", practice.tenant.id);
        assert_eq!(client.get(&queue).nested(403).1, said);
        for target in practice.reads() {
            let refused = client.get(&target);
            assert_eq!(refused.nested(403).1, said, "{target}");
        }
        for (method, target, body) in practice.writes() {
            let seen = client.with("If-Match", Practice::version(&target));
            let refused = seen.request(method, &target, Some(body.to_string().as_bytes()));
            assert_eq!(refused.nested(403).1, said, "{target}");
        }
        assert_eq!(stored(&practice.tenant), before);
        for opens in OPENED {
            practice.tenant.change(opens, &[]);
        }
    }
    assert_eq!(queued(&practice), 3);
    client.get(&practice.reads()[0]).expect(200);
}

/// A client whose practice closes between the load and the commit.
fn in_mid_flight(client: &Client, practice: &Tenant<'_>, closes: &str) -> Client {
    client.overtaken_by(closes, &[&practice.id.to_string()])
}

#[test]
fn an_agreement_that_ends_while_a_request_is_under_way_stops_it() {
    let practice = Practice::new();
    let claim = practice.worker.of_practice(&format!("claims/{}", practice.claims[0]));
    let before = stored(&practice.tenant);
    for (closes, said) in CLOSED {
        let client = in_mid_flight(&practice.worker.client, &practice.tenant, closes);
        let reopen = || OPENED.iter().for_each(|opens| practice.tenant.change(opens, &[]));
        let refused = client.get(&claim);
        assert_eq!(refused.nested(403).1, said, "{}", refused.text());
        reopen();
        let writes = practice.writes().into_iter();
        // The first level has no outcome and the claim is not recovered, so these writes are refused before the commit.
        let early = ["/levels", "/amount"];
        let writes = writes.filter(|(_, target, _)| !early.iter().any(|end| target.ends_with(end)));
        for (method, target, body) in writes {
            let seen = client.with("If-Match", Practice::version(&target));
            let refused = seen.request(method, &target, Some(body.to_string().as_bytes()));
            assert_eq!(refused.nested(403).1, said, "{target}");
            reopen();
        }
        assert_eq!(stored(&practice.tenant), before);
    }
    practice.worker.client.get(&claim).expect(200);
}

#[test]
fn a_kept_answer_of_a_practice_that_is_closed_is_not_repeated() {
    let practice = Practice::new();
    let target = practice.worker.of_practice(&format!("claims/{}/notes", practice.claims[0]));
    let key = ctx_id();
    let client = practice.worker.client.with("Idempotency-Key", &key);
    let note = json!({ "text": "Called the payer" }).to_string();
    client.post(&target, note.clone()).expect(201);
    let (closes, said) = CLOSED[0];
    practice.tenant.change(closes, &[]);
    assert_eq!(client.post(&target, note).nested(403).1, said);
}

fn ctx_id() -> String {
    overturn_tests::tenant::ctx().request_id.to_string()
}

#[test]
fn the_patients_page_is_shut_at_every_step() {
    for (closes, _) in CLOSED {
        let (case, token) = Case::needed();
        let client = patient(case.tenant.server);
        signing::open(&client, &token).expect(200);
        let shown = proof(&client, &token);
        let before = stored(&case.tenant);
        case.tenant.change(closes, &[]);
        signing::open(&client, &token).expect(404);
        born(&client, &token, signing::BORN).expect(404);
        let refused = sign(&client, &token, &shown, &[("name", "Jane Doe")]);
        refused.expect(404);
        let without_links = |stored: Vec<Vec<Value>>| -> Vec<Vec<Value>> {
            // An attempt at a date of birth is counted before any other check.
            let tables = stored.into_iter().zip(TABLES);
            tables.filter(|(_, table)| *table != "signing_links").map(|(rows, _)| rows).collect()
        };
        assert_eq!(without_links(stored(&case.tenant)), without_links(before));
        assert!(!refused.text().contains("Jane"), "{}", refused.text());
    }
}

#[test]
fn a_page_that_closes_in_mid_flight_shows_nothing_and_takes_no_signature() {
    for (closes, _) in CLOSED {
        let (case, token) = Case::needed();
        let client = patient(case.tenant.server);
        let shown = proof(&client, &token);
        let reopen = || OPENED.iter().for_each(|opens| case.tenant.change(opens, &[]));
        let late = in_mid_flight(&client, &case.tenant, closes);
        let seen = case.tenant.audit("signing.shown").len();
        let refused = born(&late, &token, signing::BORN);
        refused.expect(404);
        assert_eq!(case.tenant.audit("signing.shown").len(), seen);
        reopen();
        let refused = sign(&late, &token, &shown, &[("name", "Jane Doe")]);
        refused.expect(404);
        assert!(case.signatures().is_empty());
        reopen();
        let signed = sign(&client, &token, &shown, &[("name", "Jane Doe")]);
        signed.expect(200);
    }
}

#[test]
fn a_page_that_is_shown_again_is_refused_when_the_practice_closes_in_mid_flight() {
    for (closes, _) in CLOSED {
        let (case, token) = Case::needed();
        let client = patient(case.tenant.server);
        let shown = proof(&client, &token);
        let late = in_mid_flight(&client, &case.tenant, closes);
        let reopen = || OPENED.iter().for_each(|opens| case.tenant.change(opens, &[]));
        let rows = || {
            let seen = ["signing.shown", "signing.copy_shown"];
            seen.map(|action| case.tenant.audit(action).len())
        };
        // The same request shows the page while the practice is open.
        let refused_late = |fields: &[(&str, &str)], status: u16| {
            let before = rows();
            let refused = sign(&late, &token, &shown, fields);
            refused.expect(404);
            assert!(!refused.text().contains("Jane"), "{}", refused.text());
            assert_eq!(rows(), before);
            reopen();
            let page = sign(&client, &token, &shown, fields);
            assert_eq!(page.status, status, "{}", page.text());
            assert!(page.text().contains("Jane"), "{}", page.text());
            assert_ne!(rows(), before);
        };
        let nameless = [("name", "")];
        refused_late(&nameless, 422);
        let renamed = "UPDATE claims SET payer_name = ?2 WHERE practice_id = ?1";
        let payer = case.tenant.row(NUMBER)["payer_name"].clone();
        case.tenant.change(renamed, &["Another payer"]);
        let named = [("name", "Jane Doe")];
        refused_late(&named, 422);
        case.tenant.change(renamed, &[payer.as_str().unwrap()]);
        sign(&client, &token, &shown, &named).expect(200);
        refused_late(&named, 200);
    }
}

#[test]
fn a_signature_is_not_shown_once_the_practice_is_closed() {
    for (closes, said) in CLOSED {
        let (case, token) = Case::needed();
        let client = patient(case.tenant.server);
        let shown = proof(&client, &token);
        let again = || sign(&client, &token, &shown, &[("name", "Jane Doe")]);
        again().expect(200);
        let kept = again();
        kept.expect(200);
        assert!(kept.text().contains("Jane Doe"));
        let signature = case.path("/signature");
        case.staff.client().get(&signature).expect(200);
        case.tenant.change(closes, &[]);
        let refused = again();
        refused.expect(404);
        assert!(!refused.text().contains("Jane"));
        assert_eq!(case.staff.client().get(&signature).nested(403).1, said);
    }
}

#[test]
fn keys_and_members_get_the_reason() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let sent = tenant.send(&item(NUMBER));
    let denial = format!("/api/v1/denials/{}", sent.id(0));
    for (closes, said) in CLOSED {
        tenant.client().status(NUMBER).expect(200);
        owner.get(&denial).expect(200);
        tenant.change(closes, &[]);
        tenant.client().status(NUMBER).expect(403);
        tenant.client().send(&item(NUMBER)).expect(403);
        for target in ["/api/v1/denials", &denial] {
            assert_eq!(owner.get(target).nested(403).1, said);
        }
        let unknown = "00000000-0000-7000-8000-000000000000";
        let replay = format!("/api/v1/settings/webhooks/{unknown}/deliveries/{unknown}/replay");
        assert_eq!(owner.post(&replay, String::new()).nested(403).1, said);
        for opens in OPENED {
            tenant.change(opens, &[]);
        }
    }
}
