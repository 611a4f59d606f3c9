//! A message of GitHub about keys that it found, and the answer to it.

use super::revocation::FoundKey;
use crate::call::Call;
use crate::extract::ParseBody;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::BodyTaken;
use crate::prelude::*;
use overturn_core::base::token::Realm;
use overturn_core::request::problem::{Problem, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A text that looks like a key, and where it was found. A key that is left out is empty.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Match {
    token: String,
    #[serde(rename = "type")]
    kind: String,
    url: Option<String>,
}

/// The matches of a message.
pub(crate) struct LeakMessage(Vec<Match>);

impl ParseBody for LeakMessage {
    #[cfg(any(test, feature = "schema"))]
    fn taken() -> BodyTaken {
        let text = |about: &str| json!({ "type": "string", "description": about });
        let one = json!({
            "type": "object",
            "required": ["token", "type"],
            "properties": {
                "token": text("The text that was found."),
                "type": text("The name of its form at GitHub."),
                "url": text("Where it was found. May be empty."),
                "source": text("In what it was found, such as `commit`. We do not read it."),
            },
        });
        let schema = json!({ "type": "array", "description": "What GitHub found.", "items": one });
        BodyTaken::Declared { name: "LeakMessage", schema, required: true }
    }

    fn parse(body: &[u8], _: &Call) -> Result<Self, RequestError> {
        Self::read(body)
    }
}

impl LeakMessage {
    pub(super) fn read(body: &[u8]) -> Result<Self, RequestError> {
        let read = serde_json::from_slice(body).map(Self);
        read.map_err(|_| RequestError::Malformed(Problem::of_body(Rule::Array)))
    }

    /// The texts that may be keys of this installation, each once, with the first place in which it was found.
    pub(super) fn keys(&self, realm: Realm) -> Vec<FoundKey> {
        let mut seen = BTreeSet::new();
        let first = self.0.iter().filter(|one| seen.insert(&*one.token));
        first.filter_map(|one| FoundKey::read(&one.token, one.url.as_deref(), realm)).collect()
    }

    /// What we know of each text. `keys` are [`Self::keys`], and `known` the hashes of those that exist.
    pub(super) fn judged(&self, keys: &[FoundKey], known: &BTreeSet<String>) -> Vec<JudgedToken> {
        let hashes: BTreeMap<&str, &str> = keys.iter().map(|key| (key.text(), key.hash())).collect();
        let mut seen = BTreeSet::new();
        let first = self.0.iter().filter(|one| seen.insert(&*one.token));
        let judged = first.map(|one| {
            let hash = hashes.get(&*one.token).copied();
            let label = match hash.is_some_and(|hash| known.contains(hash)) {
                true => LeakLabel::TruePositive,
                false => LeakLabel::FalsePositive,
            };
            // A text that cannot be a key is not hashed.
            let raw = hash.is_none().then(|| one.token.clone());
            JudgedToken { token_hash: hash.map(Into::into), token_raw: raw, token_type: one.kind.clone(), label }
        });
        judged.collect()
    }
}

names! {
    /// Whether a text is a key of this service.
    LeakLabel {
        /// It works, or it did before it was revoked or expired.
        TruePositive = "true_positive",
        FalsePositive = "false_positive",
    }
}

/// What we know of a text that GitHub found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct JudgedToken {
    /// SHA-256 of the text, if it has the form of a key of this service.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    token_hash: Option<String>,
    /// The text, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    token_raw: Option<String>,
    /// The `type` of the message.
    token_type: String,
    label: LeakLabel,
}
