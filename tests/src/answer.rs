//! Send responses, checked against the interface.

use crate::client::{Answer, keys};
use serde_json::Value;
use uuid::Uuid;

/// The `error` of an item whose number belongs to another patient's claim.
pub const OTHER_PATIENT: &str = "claim.claim_number is already used for a different patient";
/// The `error` of an item whose number belongs to another claim of the patient.
pub const OTHER_CLAIM: &str = "claim.claim_number is already used for a different claim";

#[derive(Clone, Debug)]
pub struct Sent {
    /// The results, one for each item.
    pub claims: Vec<Item>,
    /// The submission that the new claims joined.
    pub submission_id: Option<String>,
    pub request_id: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub claim_number: String,
    /// True if this request created the claim.
    pub created: bool,
    /// The id and status, or the error.
    pub outcome: Result<Accepted, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub id: String,
    pub status: String,
}

impl Sent {
    /// Reads the answer to a request body, and fails if it breaks the interface.
    pub fn read(body: &Value, answer: &Answer) -> Self {
        assert!([200, 201].contains(&answer.status), "{}", answer.text());
        assert_eq!(keys(&answer.json), ["claims", "submission_id"]);
        let claims: Vec<Item> = answer.json["claims"].as_array().unwrap().iter().map(item).collect();
        let numbers: Vec<&str> = claims.iter().map(|item| &*item.claim_number).collect();
        assert_eq!(numbers, numbers_of(body), "one result an item, in the order sent");
        let created = claims.iter().any(|item| item.created);
        assert_eq!(answer.status, if created { 201 } else { 200 });
        let submission_id = match &answer.json["submission_id"] {
            Value::Null => None,
            id => Some(uuid(id)),
        };
        assert_eq!(submission_id.is_some(), created);
        Self { claims, submission_id, request_id: answer.request_id().into() }
    }

    /// Which items were created, in the order sent.
    pub fn created(&self) -> Vec<bool> {
        self.claims.iter().map(|item| item.created).collect()
    }

    /// The id of an item that was accepted.
    pub fn id(&self, n: usize) -> &str {
        &self.claims[n].outcome.as_ref().unwrap().id
    }

    /// The errors of the refused items, `None` for the others.
    pub fn errors(&self) -> Vec<Option<&str>> {
        let errors = self.claims.iter().map(|item| item.outcome.as_ref().err());
        errors.map(|error| error.map(String::as_str)).collect()
    }
}

fn item(value: &Value) -> Item {
    let text = |name: &str| value[name].as_str().unwrap().to_owned();
    let outcome = if value.get("error").is_some() {
        assert_eq!(keys(value), ["claim_number", "created", "error"]);
        Err(text("error"))
    } else {
        assert_eq!(keys(value), ["claim_number", "created", "id", "status"]);
        Ok(Accepted { id: uuid(&value["id"]), status: text("status") })
    };
    let created = value["created"].as_bool().unwrap();
    assert!(!created || outcome.is_ok(), "what is refused is not created");
    Item { claim_number: text("claim_number"), created, outcome }
}

fn uuid(value: &Value) -> String {
    let text = value.as_str().unwrap();
    let uuid: Uuid = text.parse().unwrap();
    assert_eq!(uuid.to_string(), text);
    text.into()
}

/// The claim numbers of a send, in order.
pub fn numbers_of(body: &Value) -> Vec<&str> {
    let single = std::slice::from_ref(body);
    let items = body["claims"].as_array().map_or(single, Vec::as_slice);
    let numbers = items.iter().map(|item| item["claim"]["claim_number"].as_str());
    numbers.map(Option::unwrap).collect()
}
