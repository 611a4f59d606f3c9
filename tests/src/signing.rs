//! Claims that need a patient's signature, and the signing page.

use crate::claims::item;
use crate::client::{Answer, Client};
use crate::link::submit;
use crate::person::Person;
use crate::sealed;
use crate::server::Server;
use crate::tenant::{Tenant, keyring};
use overturn_core::base::id::{ClaimId, SignatureId};
use overturn_core::base::sealed::SealedPlace;
use serde_json::{Value, json};

/// The path of the signing page, and of the form for the date of birth.
pub const SIGN: &str = "/sign";
/// The path of the form for the signature.
pub const SIGNATURE: &str = "/sign/signature";
/// The date of birth of every patient in these tests.
pub const BORN: [(&str, &str); 3] = [("month", "2"), ("day", "29"), ("year", "1980")];
/// The number of the claim.
pub const NUMBER: &str = "S-1";

/// A claim in a separate practice, and a staff member who works on it.
#[derive(Debug)]
pub struct Case<'s> {
    pub tenant: Tenant<'s>,
    pub staff: Person<'s>,
    pub id: String,
}

impl<'s> Case<'s> {
    /// A claim without a decision about a signature.
    pub fn undecided() -> Case<'static> {
        Case::of(Tenant::shared(), &item(NUMBER))
    }

    /// A claim of an existing practice.
    pub fn of(tenant: Tenant<'s>, claim: &Value) -> Self {
        assert_eq!(tenant.send(claim).created(), [true]);
        let id = tenant.row(NUMBER)["id"].as_str().unwrap().to_owned();
        let staff = Person::staff(tenant.server);
        Self { tenant, staff, id }
    }

    /// A claim that needs a signature, and the token of its link.
    pub fn needed() -> (Case<'static>, String) {
        Case::needed_on(Server::shared())
    }

    /// The same on this server.
    pub fn needed_on(server: &'s Server) -> (Self, String) {
        let case = Self::of(Tenant::new(server), &item(NUMBER));
        case.decide("needed").expect(200);
        let token = case.token();
        (case, token)
    }

    /// A staff path below the claim.
    pub fn path(&self, below: &str) -> String {
        let (practice, claim) = (self.tenant.id, &self.id);
        format!("/api/v1/staff/practices/{practice}/claims/{claim}{below}")
    }

    /// A staff client with the claim's current ETag.
    pub fn work(&self) -> Client {
        let version = &self.tenant.row(NUMBER)["version"];
        let client = self.staff.client();
        client.with("If-Match", &format!("\"{version}\""))
    }

    /// The staff decides whether a signature is needed.
    pub fn decide(&self, status: &str) -> Answer {
        let body = json!({ "status": status }).to_string();
        self.work().post(&self.path("/signing"), body)
    }

    pub fn link(&self) -> Option<String> {
        let told = self.tenant.client().status(NUMBER);
        let link = &told.json["claim"]["signing"]["link"];
        link.as_str().map(Into::into)
    }

    pub fn token(&self) -> String {
        token_of(&self.link().expect("a link"))
    }

    /// The links of the claim, oldest first.
    pub fn links(&self) -> Vec<Value> {
        let sql = "SELECT * FROM signing_links WHERE practice_id = ?1 ORDER BY id";
        self.tenant.rows(sql, &[])
    }

    pub fn signatures(&self) -> Vec<Value> {
        let sql = "SELECT * FROM signatures WHERE practice_id = ?1 ORDER BY id";
        let rows = self.tenant.rows(sql, &[]);
        let opened = |row: &Value| {
            let id = |name: &str| row[name].as_str().unwrap().parse().unwrap();
            let place = SealedPlace::Signature {
                practice: self.tenant.id,
                claim: ClaimId(id("claim_id")),
                id: SignatureId(id("id")),
            };
            let opened = sealed::opened(&self.tenant, &keyring(), place, row);
            serde_json::from_slice(&opened).unwrap()
        };
        rows.iter().map(opened).collect()
    }
}

/// A client with nothing but a link.
pub fn patient(server: &Server) -> Client {
    server.client().with("User-Agent", "A phone")
}

/// The token of a signing link: it is in the query, because the page works without script.
pub fn token_of(link: &str) -> String {
    link.split_once("?token=").expect("a token").1.into()
}

pub fn open(client: &Client, token: &str) -> Answer {
    client.get(&format!("{SIGN}?token={token}"))
}

pub fn born(client: &Client, token: &str, date: [(&str, &str); 3]) -> Answer {
    submit(client, SIGN, &[&[("token", token)], &date[..]].concat())
}

/// Sends the correct date of birth, and returns the proof from the answer.
pub fn proof(client: &Client, token: &str) -> String {
    let shown = born(client, token, BORN);
    shown.expect(200);
    hidden(&shown, "proof")
}

/// Signs with these fields, the token, the proof and the consent: as the patient, unless they say otherwise.
pub fn sign(client: &Client, token: &str, proof: &str, fields: &[(&str, &str)]) -> Answer {
    let all = [("token", token), ("proof", proof), ("consent", "yes")];
    let is_said = fields.iter().any(|(name, _)| *name == "relation");
    let relation: &[_] = if is_said { &[] } else { &[("relation", "patient")] };
    submit(client, SIGNATURE, &[&all[..], relation, fields].concat())
}

/// The value of a hidden field of a page.
pub fn hidden(page: &Answer, name: &str) -> String {
    let text = page.text();
    let before = format!("name=\"{name}\" value=\"");
    let (_, rest) = text.split_once(&before).expect("a hidden field");
    rest.split('"').next().unwrap().into()
}
