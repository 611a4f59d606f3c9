//! `/api/v1/leaks/github`: the partner program of GitHub's secret scanning (docs.github.com, "Secret scanning partner
//! program").

use super::message::{JudgedToken, LeakMessage};
use super::revocation::revoke;
use crate::app::App;
use crate::call::Call;
use crate::extract::{KEY_IDENTIFIER, KEY_SIGNATURE, PublicWrite};
use crate::key_sets::KeySet;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::response;
use crate::sign_in_limits;
use data_encoding::HEXLOWER;
use http::{HeaderName, StatusCode};
use overturn_core::identity::Verdict;
use overturn_core::identity::signatures::CheckSignature;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The longest headers that are read. GitHub's have 64 and 96 characters.
const HEADER_MAX: usize = 200;

/// `reportLeaksOfGithub`: Report keys that GitHub found.
///
/// For GitHub's secret scanning only. `Github-Public-Key-Signature` signs the body by ECDSA, P-256 and SHA-256, under the
/// key that `Github-Public-Key-Identifier` names in GitHub's list. We revoke each API key and API token that works and tell
/// the owners of its practice. The answer labels every text once.
pub(crate) async fn receive(request: PublicWrite<LeakMessage>) -> Result<Gives<Vec<JudgedToken>>, AppError> {
    let call = &request.call;
    sign_in_limits::leak_message(call).await?;
    let signature = header(call, &KEY_SIGNATURE)?;
    let key = published(&call.app, header(call, &KEY_IDENTIFIER)?).await?;
    let body = request.bytes().await?;
    check(call, key, signature, &body).await?;
    let message = LeakMessage::read(&body)?;
    let keys = message.keys(call.app.settings.realm);
    let known = revoke(call, Actor::Github, &keys).await?;
    Ok(response::json(StatusCode::OK, &message.judged(&keys, &known)).into())
}

/// A refused signature. Nothing says which part of it is wrong.
const UNSIGNED: RequestError = RequestError::SignInFailed;

fn header<'c>(call: &'c Call, name: &HeaderName) -> Result<&'c str, RequestError> {
    let value = call.headers.get(name).and_then(|value| value.to_str().ok());
    value.filter(|value| (1..=HEADER_MAX).contains(&value.len())).ok_or(UNSIGNED)
}

/// The public key with an identifier, as PEM. If GitHub's list does not have it, there may be a newer list.
async fn published(app: &App, identifier: &str) -> Result<String, AppError> {
    let address = &*app.settings.identity.github_keys;
    // No id of a provider has such a sign.
    let list = KeySet { of: "github:leaks", address, list: "public_keys" };
    if let Some(key) = key_of(&list.keys(app).await?, identifier) {
        return Ok(key);
    }
    let renewed = list.renewed(app).await?;
    let key = renewed.and_then(|keys| key_of(&keys, identifier));
    Ok(key.ok_or(UNSIGNED)?)
}

pub(super) fn key_of(list: &Value, identifier: &str) -> Option<String> {
    let mut keys = list.get("public_keys")?.as_array()?.iter();
    let key = keys.find(|key| key.get("key_identifier").and_then(Value::as_str) == Some(identifier))?;
    Some(key.get("key")?.as_str()?.to_owned())
}

/// Refuses a body that the key did not sign. Only its hash is passed on to the identity checks.
async fn check(call: &Call, key: String, signature: &str, body: &[u8]) -> Result<(), AppError> {
    let digest = HEXLOWER.encode(&Sha256::digest(body));
    let question = CheckSignature { key, digest, signature: signature.into() };
    match call.app.identity.ask(&question).await? {
        Verdict::Accepted(()) => Ok(()),
        Verdict::Refused(refusal) => {
            pipeline::log_refused(call, "github_leaks", &refusal.reason, &refusal.detail);
            Err(UNSIGNED.into())
        }
    }
}
