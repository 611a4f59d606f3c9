//! The end of an agreement, and the return and destruction of all data.

mod destruction;
mod returned;

use overturn_tests::prelude::*;
use overturn_tests::signing::{self, patient};
use overturn_tests::tenant::AGREEMENT_VERSION;
use std::sync::OnceLock;

const AGREEMENTS: &str = "/api/v1/settings/agreements";
const JOBS: &str = "/api/v1/settings/data_jobs";

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "LIMITS": "unlimited" })))
}

/// A practice with an owner.
struct Practice {
    tenant: Tenant<'static>,
    owner: Person<'static>,
}

impl Practice {
    fn new() -> Self {
        Self::on(server())
    }

    fn on(server: &'static Server) -> Self {
        let tenant = Tenant::new(server);
        let owner = Person::of(&tenant, Role::Owner);
        Self { tenant, owner }
    }

    /// The agreement in force.
    fn agreement(&self) -> String {
        let read = self.owner.client().get(AGREEMENTS);
        let id = &read.json["agreements"][0]["signed"]["id"];
        id.as_str().expect("an agreement in force").to_owned()
    }

    fn end_by(client: &Client, id: &str) -> Answer {
        client.post(&format!("{AGREEMENTS}/{id}/end"), String::new())
    }

    fn end(&self) {
        let ended = Self::end_by(&self.owner.client(), &self.agreement());
        ended.expect(200);
        assert!(ended.json["ended_at"].is_string());
    }

    fn sign(&self) -> Answer {
        let signature =
            json!({ "kind": "baa", "version": AGREEMENT_VERSION, "signer_name": "Ann Lee", "signer_title": "Owner" });
        self.owner.client().post(AGREEMENTS, signature.to_string())
    }

    fn request(&self, body: &Value) -> Answer {
        self.owner.client().post(JOBS, body.to_string())
    }

    fn destroy(&self) -> Answer {
        self.request(&json!({ "kind": "destruction", "practice_name": "Practice" }))
    }

    fn job(&self, id: &str) -> Value {
        let read = self.owner.client().get(&format!("{JOBS}/{id}"));
        read.expect(200);
        read.json
    }

    fn cancel(&self, id: &str) -> Answer {
        let target = format!("{JOBS}/{id}/cancel");
        self.owner.client().post(&target, String::new())
    }

    /// Sends claims in every stage of the work. Each sealed field begins with `Q`.
    fn fill(&self) {
        let texts = [
            ("patient.first_name", "Qfirst"),
            ("patient.last_name", "Qlast"),
            ("patient.account_number", "Qaccount"),
            ("patient.member_id", "Qmember"),
            ("claim.procedure_code", "Qprocedure"),
            ("claim.denial_reason", "Qreason"),
            ("claim.payer_claim_number", "Qpayernumber"),
        ];
        let filled = |number: &str| {
            let claim = with(item(number), "patient.date_of_birth", "1980-02-29");
            texts.into_iter().fold(claim, |claim, (field, text)| with(claim, field, text))
        };
        let worker = Worker::on(&self.tenant);
        let batch =
            json!({ "claims": [filled("Qnumber-1"), filled("Qnumber-2"), filled("Qnumber-3"), filled("Qnumber-4")] });
        let ids = worker.review(&batch);
        let made = |answer: Answer| answer.expect(201);
        made(worker.act(&ids[0], "notes", &json!({ "text": "Qnote" })));
        made(worker.open(&ids[1..2], Some("2030-01-01")));
        made(worker.report(&ids[2..3]));
        let decided = worker.act(&ids[3], "signing", &json!({ "status": "needed" }));
        decided.expect(200);
        let token = self.link("Qnumber-4").expect("a link");
        let client = patient(server());
        let proof = signing::proof(&client, &token);
        let signed = signing::sign(&client, &token, &proof, &[("name", "Qsigner")]);
        signed.expect(200);
        let hook = json!({ "url": "https://hooks.example.com/q", "events": ["report.delivered"] });
        made(self.owner.client().post("/api/v1/settings/webhooks", hook.to_string()));
        made(worker.report(&ids[..1]));
    }

    fn link(&self, number: &str) -> Option<String> {
        let told = self.tenant.client().status(number);
        let link = told.json["claim"]["signing"]["link"].as_str();
        link.map(overturn_tests::signing::token_of)
    }

    fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) AS n FROM {table} WHERE practice_id = ?1");
        self.tenant.number(&sql)
    }
}

/// Runs the scheduled job.
fn strike(client: &Client) {
    let raw = client.exchange("POST", "/.tests/sweep", Some(b""));
    assert_eq!(raw.status, 204, "{}", String::from_utf8_lossy(&raw.body));
}

fn id(answer: &Answer) -> String {
    answer.json["id"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
}

#[test]
fn an_owner_ends_the_agreement_and_all_access_ends_at_once() {
    let practice = Practice::new();
    let worker = Worker::on(&practice.tenant);
    let claims = worker.reviewed(&["A-1"]);
    let mut inbox = server().mails_to(&practice.owner.email);
    practice.tenant.client().status("A-1").expect(200);
    let agreement = practice.agreement();
    practice.end();
    let refused = practice.tenant.client().status("A-1");
    assert_eq!((refused.status, &refused.json["code"]), (403, &json!("baa_required")));
    let claim = worker.of_practice(&format!("claims/{}", claims[0]));
    worker.client.get(&claim).expect(403);
    practice.owner.client().get("/api/v1/denials").expect(403);
    let trail = practice.tenant.audit("agreement.ended");
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0]["record"], agreement);
    assert_eq!(trail[0]["actor"], format!("user:{}", practice.owner.id));
    strike(&server().client());
    let letter = inbox.take();
    assert_eq!(letter.subject, "The agreement of your practice has ended");
    assert!(!letter.text.contains("://"), "{}", letter.text);
    assert_eq!(practice.count("notices"), 0);

    let again = Practice::end_by(&practice.owner.client(), &agreement);
    assert_eq!(again.status, 200, "to end it again is no error");
    assert_eq!(practice.tenant.audit("agreement.ended").len(), 1);
    let signed = practice.sign();
    signed.expect(201);
    assert_ne!(id(&signed), agreement, "a new agreement");
    practice.tenant.client().status("A-1").expect(200);
    worker.client.get(&claim).expect(200);
}

#[test]
fn of_owners_who_end_it_in_parallel_one_succeeds_and_a_reader_in_between_sees_nothing() {
    let practice = Practice::new();
    let worker = Worker::on(&practice.tenant);
    let claims = worker.reviewed(&["A-1"]);
    let claim = worker.of_practice(&format!("claims/{}", claims[0]));
    let agreement = practice.agreement();
    let owners = [(); 3].map(|()| practice.tenant.owner());
    let mut calls: Vec<Box<dyn FnOnce() -> u16 + Send + '_>> = Vec::new();
    for owner in &owners {
        calls.push(Box::new(|| Practice::end_by(owner, &agreement).status));
    }
    for _ in 0..6 {
        calls.push(Box::new(|| worker.client.get(&claim).status));
    }
    let statuses = at_once(calls);
    assert!(statuses[..3].contains(&200), "{statuses:?}");
    assert!(statuses[..3].iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
    assert!(statuses[3..].iter().all(|status| [200, 403].contains(status)), "{statuses:?}");
    assert_eq!(practice.tenant.audit("agreement.ended").len(), 1);
    // Every disclosure has its audit row, and every row is from before the end.
    let shown = statuses[3..].iter().filter(|status| **status == 200).count();
    let sql = "SELECT count(*) AS n FROM audit a WHERE a.practice_id = ?1 AND a.action = 'claim.read'
       AND a.record = (SELECT id FROM claims WHERE practice_id = ?1)";
    let seen_before = 1;
    let read = usize::try_from(practice.tenant.number(sql)).unwrap();
    assert_eq!(read, shown + seen_before);
}

#[test]
fn nothing_is_signed_while_a_destruction_is_open() {
    let practice = Practice::new();
    practice.end();
    let job = id(&practice.destroy());
    let refused = practice.sign();
    assert!(refused.nested(409).1.contains("cancel it"), "{}", refused.text());
    let late = practice.owner.client();
    assert_eq!(practice.cancel(&job).json["state"], "cancelled");
    // A destruction that is requested between load and commit stops the signature.
    let requested = "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, due_at, totals)
                VALUES (?1, 'x', 'destruction', 'waiting', 1, 'operator', 9e15, '{}')";
    let signature =
        json!({ "kind": "baa", "version": AGREEMENT_VERSION, "signer_name": "Ann Lee", "signer_title": "Owner" });
    let late = late.overtaken_by(requested, &[&practice.tenant.id.to_string()]);
    late.post(AGREEMENTS, signature.to_string()).expect(409);
    assert_eq!(practice.count("agreements"), 1);
}
