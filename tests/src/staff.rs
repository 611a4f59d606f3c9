//! The staff's work on the claims of a practice.

use crate::claims::numbered;
use crate::client::{Answer, Client};
use crate::person::Person;
use crate::tenant::Tenant;
use serde_json::{Value, json};

pub const QUEUE: &str = "/api/v1/staff/claims";

/// A staff member who works on a practice's claims.
#[derive(Debug)]
pub struct Worker<'s> {
    pub tenant: &'s Tenant<'s>,
    pub person: Person<'s>,
    pub client: Client,
}

impl<'s> Worker<'s> {
    pub fn on(tenant: &'s Tenant<'s>) -> Self {
        let person = Person::staff(tenant.server);
        let client = person.client();
        Self { tenant, person, client }
    }

    pub fn at(&self, claim: &str) -> String {
        format!("/api/v1/staff/practices/{}/claims/{claim}", self.tenant.id)
    }

    pub fn see(&self, claim: &str) -> Answer {
        let seen = self.client.get(&self.at(claim));
        seen.expect(200);
        seen
    }

    /// Writes to a claim with its current ETag.
    pub fn act(&self, claim: &str, what: &str, body: &Value) -> Answer {
        let tag = self.see(claim).header("etag").unwrap().to_owned();
        self.act_on(claim, &tag, what, body)
    }

    /// Writes to a claim with this ETag.
    pub fn act_on(&self, claim: &str, tag: &str, what: &str, body: &Value) -> Answer {
        let target = format!("{}/{what}", self.at(claim));
        let client = self.client.with("If-Match", tag);
        client.post(&target, body.to_string())
    }

    pub fn take(&self, claim: &str) -> Answer {
        let taken = self.act(claim, "take", &json!({}));
        taken.expect(200);
        taken
    }

    /// Moves a claim to a status that needs no other field.
    pub fn step(&self, claim: &str, status: &str) -> Answer {
        self.act(claim, "moves", &json!({ "status": status }))
    }

    /// Sends claims with these numbers and reviews them.
    pub fn reviewed(&self, numbers: &[&str]) -> Vec<String> {
        self.review(&numbered(numbers))
    }

    /// Sends the claims of a batch and reviews them.
    pub fn review(&self, batch: &Value) -> Vec<String> {
        let sent = self.tenant.send(batch);
        let ids: Vec<String> = (0..sent.claims.len()).map(|n| sent.id(n).into()).collect();
        for id in &ids {
            self.take(id);
        }
        ids
    }

    /// The path of something of the practice, such as `reports`.
    pub fn of_practice(&self, what: &str) -> String {
        format!("/api/v1/staff/practices/{}/{what}", self.tenant.id)
    }

    /// Claims with their current versions, as a report or a case names them.
    pub fn with_versions(&self, claims: &[String]) -> Value {
        let sql = "SELECT id, version FROM claims WHERE practice_id = ?1";
        let rows = self.tenant.rows(sql, &[]);
        let version = |id: &String| rows.iter().find(|row| row["id"] == **id).map(|row| &row["version"]);
        let claims = claims.iter();
        let claims = claims.map(|id| json!({ "id": id, "version": version(id).unwrap_or(&json!(1)) }));
        claims.collect()
    }

    pub fn report(&self, claims: &[String]) -> Answer {
        let body = json!({ "claims": self.with_versions(claims) }).to_string();
        self.client.post(&self.of_practice("reports"), body)
    }

    /// Opens a case. `due_on` is the deadline of its first level.
    pub fn open(&self, claims: &[String], due_on: Option<&str>) -> Answer {
        let claims = self.with_versions(claims);
        let body = json!({ "claims": claims, "kind": "internal_appeal", "due_on": due_on });
        self.client.post(&self.of_practice("cases"), body.to_string())
    }

    pub fn case(&self, id: &str) -> Answer {
        let seen = self.client.get(&self.of_practice(&format!("cases/{id}")));
        seen.expect(200);
        seen
    }

    /// Begins the next level of a case, with the case's current ETag.
    pub fn begin_level(&self, case: &str, body: &Value) -> Answer {
        self.on_case(case).post(&self.of_practice(&format!("cases/{case}/levels")), body.to_string())
    }

    /// Edits a level of a case, with the case's current ETag.
    pub fn edit_level(&self, case: &str, level: i64, body: &Value) -> Answer {
        let target = self.of_practice(&format!("cases/{case}/levels/{level}"));
        let body = body.to_string();
        self.on_case(case).patch(&target, &body)
    }

    /// A client with the current ETag of a case.
    pub fn on_case(&self, case: &str) -> Client {
        let seen = self.case(case);
        self.client.with("If-Match", seen.header("etag").unwrap())
    }
}

/// Every staff write to a claim and a case of a practice: the method, the path below the practice, and a valid body.
pub fn writes(claim: &str, case: &str) -> Vec<(&'static str, String, Value)> {
    let first = json!([{ "id": claim, "version": 2 }]);
    let claim = format!("claims/{claim}");
    let hearing = json!({ "kind": "hearing" });
    let moved = json!({ "status": "received" });
    vec![
        ("POST", format!("{claim}/take"), json!({})),
        ("POST", format!("{claim}/moves"), moved),
        ("POST", format!("{claim}/notes"), json!({ "text": "x" })),
        ("PATCH", format!("{claim}/letter"), json!({ "plan_type": "other" })),
        ("POST", format!("{claim}/signing"), json!({ "status": "needed" })),
        ("POST", "reports".into(), json!({ "claims": first })),
        ("POST", "cases".into(), json!({ "claims": first, "kind": "hearing" })),
        ("PATCH", format!("{claim}/amount"), json!({ "amount_recovered": "80.00" })),
        ("POST", format!("cases/{case}/decisions"), json!({ "outcome": "withdrawn", "decided_on": "2026-01-01" })),
        ("PATCH", format!("cases/{case}/levels/1"), hearing.clone()),
        ("POST", format!("cases/{case}/levels"), hearing),
    ]
}
