//! Every JSON body has the schema of its declaration.

use std::collections::BTreeMap;
use std::path::Path;

use overturn_core::request::declare::Body;
use overturn_core::{documents, settings, signing, sso};
use overturn_service::described;
use serde_json::{Map, Value, json};

/// The claims interface reads its body in its own way, which copies no text.
const CLAIMS: &str = "post /denials";

/// The declared bodies, by method and path. A path is without `/api/v1`.
macro_rules! declared {
    ($($call:literal: $body:path,)+) => {
        BTreeMap::from([$(($call, <$body>::schema()),)+])
    };
}

fn declared() -> BTreeMap<&'static str, Value> {
    declared! {
        "post /auth/session": described::SignIn,
        "post /auth/session/2fa": described::PresentedFactor,
        "post /auth/2fa/totp/confirm": described::Confirmed,
        "post /auth/session/passkey": described::PasskeySignIn,
        "post /auth/session/2fa/passkey/options": described::AskedFactor,
        "post /auth/passkeys": described::RequestedPasskey,
        "patch /auth/passkeys/{id}": described::NewName,
        "post /auth/password": described::Renewal,
        "post /auth/magic_link": described::LinkAsked,
        "post /auth/magic_link/verify": described::LinkPressed,
        "post /auth/password_reset": described::LinkAsked,
        "post /auth/password_reset/confirm": described::Reset,
        "post /auth/password_reset/preview": described::LinkPressed,
        "post /auth/invitation/preview": described::LinkPressed,
        "post /auth/invitation": described::AcceptedInvitation,
        "post /auth/identities": sso::identities::SeenIdentity,
        "patch /denials/{id}/letter": described::LetterEdit,
        "patch /settings/documents": documents::retention::SettingsEdit,
        "patch /settings/practice": settings::practice::AskedEdit,
        "patch /settings/sso": settings::sso::required::RequiredEdit,
        "post /settings/sso/providers": settings::sso::provider::ProviderRequest,
        "patch /settings/sso/providers/{id}": settings::sso::provider::ProviderEditRequest,
        "post /settings/sso/domains": settings::sso::domain::DomainRequest,
        "post /settings/agreements": settings::agreements::AgreementSignature,
        "post /settings/data_jobs": settings::data_jobs::JobRequest,
        "post /settings/members": settings::members::Invitation,
        "patch /settings/members/{id}": settings::members::RoleChange,
        "post /settings/api_keys": settings::api_keys::RequestedApiKey,
        "post /settings/api_tokens": settings::api_tokens::TokenRequest,
        "post /settings/api_tokens/{id}/regenerate": settings::api_tokens::Regeneration,
        "post /settings/webhooks": described::NewEndpoint,
        "patch /settings/webhooks/{id}": described::EndpointEdit,
        "post /settings/webhooks/{id}/replay": described::Replay,
        "post /staff/claims/take": described::SeveralToTake,
        "post /staff/claims/signing": signing::several::Decisions,
        "post /staff/patients/search": described::PatientSearch,
        "post /staff/practices/{practice}/cases": described::CaseRequest,
        "post /staff/practices/{practice}/cases/{id}/decisions": described::DecisionRequest,
        "post /staff/practices/{practice}/cases/{id}/documents": documents::uses::AttachedDocument,
        "post /staff/practices/{practice}/cases/{id}/levels": described::LevelRequest,
        "patch /staff/practices/{practice}/cases/{id}/levels/{level}": described::LevelEdit,
        "patch /staff/practices/{practice}/claims/{id}/amount": described::PaidAmount,
        "patch /staff/practices/{practice}/claims/{id}/letter": described::LetterEdit,
        "post /staff/practices/{practice}/claims/{id}/moves": described::MoveRequest,
        "post /staff/practices/{practice}/claims/{id}/notes": described::NoteText,
        "post /staff/practices/{practice}/claims/{id}/signing": signing::staff::SigningDecision,
        "post /staff/practices/{practice}/claims/{id}/take": described::ToTake,
        "post /staff/practices/{practice}/reports": described::ReportedClaims,
        "post /staff/practices/{practice}/reports/{id}/documents": documents::uses::AttachedDocument,
    }
}

/// The JSON bodies of the description, by method and path.
fn described(whole: &Value) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (path, calls) in whole["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            let call_of = format!("{method} {}", path.trim_start_matches("/api/v1"));
            if let Some(schema) = call.pointer("/requestBody/content/application~1json/schema")
                && call_of != CLAIMS
            {
                found.insert(call_of, plain(schema, whole));
            }
        }
    }
    found
}

/// A schema without what only people read, and with one form for what has several: references are followed, alternatives
/// are joined, and a value that may be `null` or blank has `null`.
fn plain(schema: &Value, whole: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    if let Some(Value::String(target)) = fields.get("$ref") {
        return plain(whole.pointer(target.trim_start_matches('#')).unwrap(), whole);
    }
    let each = |of: &Vec<Value>| of.iter().map(|one| plain(one, whole)).collect::<Vec<_>>();
    let mut joined = Map::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("description" | "title" | "example" | "examples", _) => {}
            ("properties", Value::Object(of)) => {
                let of = of.iter().map(|(name, of)| (name.clone(), plain(of, whole))).collect();
                joined.insert(key.clone(), of);
            }
            // An edit whose description names each key for itself must have one of them.
            ("anyOf", Value::Array(any)) if fields.contains_key("properties") => {
                assert!(any.iter().all(|one| one.get("required").is_some()));
                joined.insert("minProperties".into(), 1.into());
            }
            ("anyOf" | "oneOf", Value::Array(any)) => {
                let any = each(any).into_iter().reduce(join).unwrap();
                joined.extend(any.as_object().unwrap().clone());
            }
            ("type", Value::Array(types)) => {
                let (null, types): (Vec<_>, Vec<_>) = types.iter().cloned().partition(|one| one == "null");
                let [one] = &types[..] else { panic!("{types:?}") };
                joined.extend([("type".into(), one.clone()), ("null".into(), (!null.is_empty()).into())]);
            }
            ("const", one) => {
                joined.insert("enum".into(), json!([one]));
            }
            ("enum", Value::Array(names)) if names.contains(&Value::Null) => {
                let names = names.iter().filter(|name| !name.is_null()).cloned().collect();
                joined.extend([("enum".into(), names), ("null".into(), true.into())]);
            }
            _ => {
                joined.insert(key.clone(), plain(value, whole));
            }
        }
    }
    for key in ["required", "enum"] {
        if let Some(Value::Array(names)) = joined.get_mut(key) {
            names.sort_by_key(Value::to_string);
        }
    }
    if joined.get("required") == Some(&json!([])) {
        joined.remove("required");
    }
    if joined.get("type") == Some(&json!("null")) || is_blank(&joined) {
        joined = Map::from_iter([("null".into(), true.into())]);
    }
    joined.into()
}

/// True for text without any character that counts.
fn is_blank(schema: &Map<String, Value>) -> bool {
    schema.get("maxLength") == Some(&json!(0)) || schema.get("pattern") == Some(&json!(r"^[\s\u0085]*$"))
}

/// One schema for two: every property, the names of both, and what both require.
fn join(one: Value, other: Value) -> Value {
    let (Value::Object(mut one), Value::Object(other)) = (one, other) else { panic!("no objects") };
    for (key, other) in other {
        let joined = match (key.as_str(), one.remove(&key), other) {
            (_, None, other) => other,
            ("properties", Some(Value::Object(mut of)), Value::Object(others)) => {
                for (name, other) in others {
                    let joined = match of.remove(&name) {
                        Some(one) => join(one, other),
                        None => other,
                    };
                    of.insert(name, joined);
                }
                of.into()
            }
            ("enum", Some(Value::Array(names)), Value::Array(others)) => {
                let mut names = [names, others].concat();
                names.sort_by_key(Value::to_string);
                names.into()
            }
            ("required", Some(Value::Array(names)), Value::Array(others)) => {
                names.into_iter().filter(|name| others.contains(name)).collect()
            }
            (_, Some(one), other) => {
                assert_eq!(one, other, "{key}");
                one
            }
        };
        one.insert(key, joined);
    }
    one.into()
}

/// What the descriptions say more narrowly than the service reads it, with the reason.
const NARROWER: [&str; 2] = [
    // Its form is that of a hash, which any other text is not the id of.
    "post /auth/identities/properties/id/minLength",
    "post /auth/identities/properties/id/pattern",
];

/// What differs, as `path: described | declared`.
fn differences(path: &str, described: &Value, declared: &Value, found: &mut Vec<String>) {
    match (described, declared) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let of = |fields: &Map<String, Value>| fields.get(key).cloned().unwrap_or_default();
                differences(&format!("{path}/{key}"), &of(one), &of(other), found);
            }
        }
        (one, other) if one == other || NARROWER.contains(&path) => {}
        // What may be absent may be `null`, which a description need not say.
        (Value::Null, Value::Bool(true)) if path.ends_with("/null") => {}
        (one, other) => found.push(format!("{path}: {one} | {other}")),
    }
}

#[test]
fn every_body_is_described_as_it_is_declared() {
    let whole = super::accounts(Path::new(super::DOCS)).unwrap();
    let (described, declared) = (described(&whole), declared());
    let mut found = Vec::new();
    for (call, schema) in &described {
        let declared = declared.get(call.as_str()).map(|declared| plain(declared, &whole));
        differences(call, schema, &declared.unwrap_or_default(), &mut found);
    }
    found.extend(
        declared.keys().filter(|call| !described.contains_key(**call)).map(|call| format!("{call} is not described")),
    );
    assert!(found.is_empty(), "described | declared:\n{}", found.join("\n"));
}
