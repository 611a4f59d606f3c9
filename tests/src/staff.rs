//! What staff do with the claims of a practice.

use crate::claims::numbered;
use crate::client::{Answer, Client};
use crate::person::Person;
use crate::tenant::Tenant;
use serde_json::{Value, json};

/// The staff's queue.
pub const QUEUE: &str = "/api/v1/staff/claims";

/// Somebody of the staff at work on a practice's claims.
#[derive(Debug)]
pub struct Worker<'s> {
    /// The practice.
    pub tenant: &'s Tenant<'s>,
    /// Who works.
    pub person: Person<'s>,
    /// The page they work on.
    pub client: Client,
}

impl<'s> Worker<'s> {
    /// Somebody of the staff.
    #[must_use]
    pub fn on(tenant: &'s Tenant<'s>) -> Self {
        let person = Person::staff(tenant.server);
        let client = person.client();
        Self {
            tenant,
            person,
            client,
        }
    }

    /// Where a claim of the practice is.
    #[must_use]
    pub fn at(&self, claim: &str) -> String {
        format!("/api/v1/staff/practices/{}/claims/{claim}", self.tenant.id)
    }

    /// The claim as it is seen now.
    #[must_use]
    pub fn see(&self, claim: &str) -> Answer {
        let seen = self.client.get(&self.at(claim));
        assert_eq!(seen.status, 200, "{}", seen.text());
        seen
    }

    /// A write on the claim as it is now.
    #[must_use]
    pub fn act(&self, claim: &str, what: &str, body: &Value) -> Answer {
        let tag = self.see(claim).header("etag").unwrap().to_owned();
        self.act_on(claim, &tag, what, body)
    }

    /// A write on the claim as it was seen under a tag.
    #[must_use]
    pub fn act_on(&self, claim: &str, tag: &str, what: &str, body: &Value) -> Answer {
        let target = format!("{}/{what}", self.at(claim));
        let client = self.client.with("If-Match", tag);
        client.post(&target, body.to_string())
    }

    /// The claim is theirs, and under review if nobody had reviewed it.
    #[must_use]
    pub fn take(&self, claim: &str) -> Answer {
        let taken = self.act(claim, "take", &json!({}));
        assert_eq!(taken.status, 200, "{}", taken.text());
        taken
    }

    /// The claim moves to a status that takes nothing else.
    #[must_use]
    pub fn step(&self, claim: &str, status: &str) -> Answer {
        self.act(claim, "moves", &json!({ "status": status }))
    }

    /// Claims of these numbers that are all being reviewed by them.
    #[must_use]
    pub fn reviewed(&self, numbers: &[&str]) -> Vec<String> {
        self.review(&numbered(numbers))
    }

    /// The claims of a batch, all being reviewed by them.
    #[must_use]
    pub fn review(&self, batch: &Value) -> Vec<String> {
        let sent = self.tenant.send(batch);
        let ids: Vec<String> = (0..sent.claims.len()).map(|n| sent.id(n).into()).collect();
        for id in &ids {
            let _taken = self.take(id);
        }
        ids
    }

    /// Where something of the practice is, such as `reports`.
    #[must_use]
    pub fn of_practice(&self, what: &str) -> String {
        format!("/api/v1/staff/practices/{}/{what}", self.tenant.id)
    }

    /// Delivers a report.
    #[must_use]
    pub fn report(&self, claims: &[String]) -> Answer {
        let body = json!({ "claims": claims }).to_string();
        self.client.post(&self.of_practice("reports"), body)
    }

    /// Opens a case whose first level is due on a day.
    #[must_use]
    pub fn open(&self, claims: &[String], due_on: Option<&str>) -> Answer {
        let body = json!({ "claims": claims, "kind": "internal_appeal", "due_on": due_on });
        self.client
            .post(&self.of_practice("cases"), body.to_string())
    }

    /// A case as it is seen now.
    #[must_use]
    pub fn case(&self, id: &str) -> Answer {
        let seen = self.client.get(&self.of_practice(&format!("cases/{id}")));
        assert_eq!(seen.status, 200, "{}", seen.text());
        seen
    }

    /// Begins the next level of a case as it is now.
    #[must_use]
    pub fn begin_level(&self, case: &str, body: &Value) -> Answer {
        self.on_case(case).post(
            &self.of_practice(&format!("cases/{case}/levels")),
            body.to_string(),
        )
    }

    /// Records what is known of a level of a case as it is now.
    #[must_use]
    pub fn edit_level(&self, case: &str, level: i64, body: &Value) -> Answer {
        let target = self.of_practice(&format!("cases/{case}/levels/{level}"));
        let body = body.to_string();
        self.on_case(case)
            .request("PATCH", &target, Some(body.as_bytes()))
    }

    /// A client that has seen a case as it is now.
    #[must_use]
    pub fn on_case(&self, case: &str) -> Client {
        let seen = self.case(case);
        self.client.with("If-Match", seen.header("etag").unwrap())
    }
}

/// What staff write on a claim and a case of a practice: the method, the record below the practice, and the body. Each would be
/// taken from somebody who may work there.
#[must_use]
pub fn writes(claim: &str, case: &str) -> Vec<(&'static str, String, Value)> {
    let first = json!([claim]);
    let claim = format!("claims/{claim}");
    let hearing = json!({ "kind": "hearing" });
    let moved = json!({ "status": "received" });
    vec![
        ("POST", format!("{claim}/take"), json!({})),
        ("POST", format!("{claim}/moves"), moved),
        ("POST", format!("{claim}/notes"), json!({ "text": "x" })),
        (
            "POST",
            format!("{claim}/signing"),
            json!({ "status": "needed" }),
        ),
        ("POST", "reports".into(), json!({ "claims": first })),
        (
            "POST",
            "cases".into(),
            json!({ "claims": first, "kind": "hearing" }),
        ),
        ("PATCH", format!("cases/{case}/levels/1"), hearing.clone()),
        ("POST", format!("cases/{case}/levels"), hearing),
    ]
}
