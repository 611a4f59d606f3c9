//! The calls that clients make, and their types, out of both descriptions.

use std::collections::BTreeSet;
use std::path::Path;

use overturn_service::request::reason::ErrorCode;
use schemars::JsonSchema;
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::bundle::{self, OUTSIDE};
use crate::schemas::PLACE;
use crate::{Result, accounts, claims, schemas};

/// Sends that take no `Idempotency-Key`, because they are idempotent by the claim number.
const IDEMPOTENT: [&str; 2] = ["sendClaims", "sendDenials"];

/// Who makes a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Caller {
    /// A billing system with an API key.
    Key,
    /// A person with a session, or an integration with an API token of one of these scopes.
    Person { by_token: bool },
    /// Anyone, without a credential.
    Anyone,
}

/// What may be done when an answer is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    /// The same request changes nothing more.
    Same,
    /// The same request under the same `Idempotency-Key` changes nothing more.
    Keyed,
    Never,
}

/// What a success gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    Json(Value),
    /// Lines of JSON, whose next page the header `Link` names.
    Lines,
    Bytes,
    Nothing,
}

/// A value in a path or a query.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) schema: Value,
    pub(crate) required: bool,
    pub(crate) example: Option<Value>,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) schema: Value,
    pub(crate) example: Option<Value>,
    pub(crate) required: bool,
    /// Whether it is a form with files.
    pub(crate) form: bool,
}

/// One operation, as a client makes it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) group: String,
    /// In upper case.
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) about: String,
    pub(crate) parts: Vec<Parameter>,
    /// Whether it takes the version of the record as `If-Match`.
    pub(crate) version: bool,
    pub(crate) body: Option<Body>,
    pub(crate) query: Vec<Parameter>,
    pub(crate) answer: Answer,
    pub(crate) again: Again,
    pub(crate) caller: Caller,
    /// The statuses of successes, and those of refusals with the reason for each.
    pub(crate) given: Vec<String>,
    pub(crate) refusals: Vec<(String, String)>,
    /// The key of the records of a page, if the answer is one page of several, and the schema of a record.
    pub(crate) records: Option<(String, Value)>,
}

/// Everything that clients and pages are made of.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) calls: Vec<Call>,
    /// The types by their names, without those that nothing uses.
    pub(crate) types: Map<String, Value>,
    /// The groups of calls in their order, with what each is about.
    pub(crate) groups: Vec<(String, String)>,
    /// The codes of errors, with the status of each.
    pub(crate) codes: Vec<(String, u16)>,
}

impl Model {
    /// Reads both descriptions. `docs` is the folder of that name.
    pub(crate) fn read(docs: &Path) -> Result<Self> {
        let whole = joined(docs)?;
        let mut calls = Vec::new();
        for (path, methods) in object(&whole, "/paths")? {
            for method in ["get", "post", "put", "patch", "delete"] {
                if let Some(operation) = methods.get(method) {
                    calls.extend(call(&whole, (method, path), methods, operation)?);
                }
            }
        }
        let mut groups = vec![("claims".to_owned(), "Sending denied claims, and their status.".to_owned())];
        for tag in whole.get("tags").and_then(Value::as_array).into_iter().flatten() {
            groups.push((text(tag, "name"), text(tag, "description")));
        }
        calls.sort_by_key(|call| groups.iter().position(|(name, _)| *name == call.group));
        let types = types(&whole, &calls)?;
        Ok(Self { calls, types, groups, codes: codes() })
    }

    /// The groups that have calls, each with what it is about.
    pub(crate) fn grouped(&self) -> impl Iterator<Item = (&str, &str, Vec<&Call>)> {
        self.groups.iter().filter_map(|(group, about)| {
            let calls: Vec<&Call> = self.calls.iter().filter(|call| call.group == *group).collect();
            (!calls.is_empty()).then_some((&**group, &**about, calls))
        })
    }

    /// The first code of each status: that of an answer that names none.
    pub(crate) fn first_codes(&self) -> impl Iterator<Item = (u16, &str)> {
        let mut seen = Vec::new();
        let codes = self.codes.iter().map(|(code, status)| (*status, &**code));
        codes.filter(move |(status, _)| !seen.contains(status) && (seen.push(*status), true).1)
    }
}

impl Caller {
    /// Its name in the clients.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Person { .. } => "person",
            Self::Anyone => "anyone",
        }
    }
}

/// The description of the wider service with the operations of the claims interface.
fn joined(docs: &Path) -> Result<Value> {
    let (mut whole, claims) = (accounts(docs)?, claims(docs)?);
    let mut paths = claims.get("paths").cloned().ok_or("docs/openapi.yaml has no paths")?;
    outside(&mut paths, &claims);
    for operation in paths.as_object_mut().into_iter().flat_map(|paths| paths.values_mut()) {
        let methods = operation.as_object_mut().into_iter().flat_map(|methods| methods.values_mut());
        let fields = methods.filter_map(Value::as_object_mut);
        fields.for_each(|fields| drop(fields.insert("security".to_owned(), json!([{ "apiKey": [] }]))));
    }
    let all = whole.get_mut("paths").and_then(Value::as_object_mut).ok_or("docs/api has no paths")?;
    all.extend(paths.as_object().cloned().unwrap_or_default());
    bundle::bundle(&mut whole, &claims)?;
    Ok(whole)
}

/// Lets references to schemas of the claims interface point outside, and puts its responses in place of references to them.
fn outside(value: &mut Value, claims: &Value) {
    match value {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str).map(str::to_owned);
            if let Some(name) = target.as_deref().and_then(|target| target.strip_prefix(PLACE)) {
                fields.insert("$ref".to_owned(), format!("{OUTSIDE}{name}").into());
            } else if let Some(target) = target.filter(|target| target.contains("/responses/")) {
                let found = claims.pointer(target.trim_start_matches('#')).and_then(Value::as_object);
                *fields = found.cloned().unwrap_or_default();
            }
            fields.values_mut().for_each(|value| outside(value, claims));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| outside(item, claims)),
        _ => {}
    }
}

/// The call of an operation. `None` for a step of a browser, which answers with a redirect.
fn call(whole: &Value, (method, path): (&str, &str), methods: &Value, operation: &Value) -> Result<Option<Call>> {
    let responses = object(operation, "/responses")?;
    let given: Vec<String> = responses.keys().filter(|status| status.starts_with('2')).cloned().collect();
    if given.is_empty() {
        return Ok(None);
    }
    let id = text(operation, "operationId");
    let all = [methods, operation].into_iter().filter_map(|of| of.get("parameters")?.as_array());
    let all: Vec<&Value> = all.flatten().map(|one| resolved(whole, one)).collect();
    let of_kind = |kind: &str| all.iter().filter(|one| text(one, "in") == kind).map(|one| parameter(one)).collect();
    let has_header = |name: &str| all.iter().any(|one| text(one, "in") == "header" && text(one, "name") == name);
    let answer = answer(whole, responses);
    let query: Vec<Parameter> = of_kind("query");
    let again = match method {
        "get" => Again::Same,
        _ if IDEMPOTENT.contains(&id.as_str()) => Again::Same,
        _ if has_header("Idempotency-Key") => Again::Keyed,
        _ => Again::Never,
    };
    let refusals = responses.iter().filter(|(status, _)| status.as_str() >= "400");
    Ok(Some(Call {
        group: operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or("claims").to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(operation, "summary"),
        about: text(operation, "description"),
        parts: of_kind("path"),
        version: has_header("If-Match"),
        body: operation.get("requestBody").and_then(body),
        records: records(whole, &answer, &query),
        query,
        answer,
        again,
        caller: caller(operation),
        given,
        refusals: refusals.map(|(status, one)| (status.clone(), text(resolved(whole, one), "description"))).collect(),
        id,
    }))
}

fn caller(operation: &Value) -> Caller {
    let security = operation.get("security").and_then(Value::as_array);
    match security {
        Some(ways) if ways.iter().any(|way| way.get("apiKey").is_some()) => Caller::Key,
        Some(ways) if ways.is_empty() => Caller::Anyone,
        Some(ways) => Caller::Person { by_token: ways.iter().any(|way| way.get("apiToken").is_some()) },
        None => Caller::Person { by_token: false },
    }
}

fn parameter(one: &Value) -> Parameter {
    let schema = one.get("schema").cloned().unwrap_or_default();
    let first = schema.get("examples").and_then(|all| all.get(0)).cloned();
    Parameter {
        name: text(one, "name"),
        about: text(one, "description"),
        required: one.get("required") == Some(&json!(true)),
        example: one.get("example").cloned().or(first),
        schema,
    }
}

fn body(body: &Value) -> Option<Body> {
    let (media, content) = body.get("content")?.as_object()?.iter().next()?;
    let first = content.get("examples").and_then(Value::as_object).and_then(|all| all.values().next());
    let example = content.get("example").or_else(|| first?.get("value"));
    Some(Body {
        schema: content.get("schema")?.clone(),
        example: example.cloned(),
        required: body.get("required") == Some(&json!(true)),
        form: media.starts_with("multipart/"),
    })
}

fn answer(whole: &Value, responses: &Map<String, Value>) -> Answer {
    let first =
        responses.iter().find(|(status, one)| status.starts_with('2') && resolved(whole, one).get("content").is_some());
    let Some(content) = first.and_then(|(_, one)| resolved(whole, one).get("content")?.as_object()) else {
        return Answer::Nothing;
    };
    let json = content.get("application/json");
    match json.and_then(|json| json.get("schema")).cloned() {
        Some(mut schema) => {
            let shown = json.and_then(|json| json.get("examples")?.as_object()?.values().next()?.get("value"));
            if let (Some(shown), Some(words)) = (shown, schema.as_object_mut()) {
                words.insert("examples".to_owned(), json!([shown]));
            }
            Answer::Json(schema)
        }
        None if content.contains_key("application/x-ndjson") => Answer::Lines,
        None => Answer::Bytes,
    }
}

/// The records of a page that has a `next_cursor`.
fn records(whole: &Value, answer: &Answer, query: &[Parameter]) -> Option<(String, Value)> {
    let Answer::Json(schema) = answer else { return None };
    let properties = resolved(whole, schema).get("properties")?.as_object()?;
    if !properties.contains_key("next_cursor") || !query.iter().any(|one| one.name == "cursor") {
        return None;
    }
    properties.iter().find_map(|(key, one)| Some((key.clone(), one.get("items")?.clone())))
}

/// The schemas that the calls use, and those that these use.
fn types(whole: &Value, calls: &[Call]) -> Result<Map<String, Value>> {
    let (mut waiting, mut seen) = (Vec::new(), BTreeSet::new());
    for call in calls {
        if let Answer::Json(schema) = &call.answer {
            collect(schema, &mut waiting);
        }
        call.body.iter().for_each(|body| collect(&body.schema, &mut waiting));
        call.parts.iter().chain(&call.query).for_each(|one| collect(&one.schema, &mut waiting));
    }
    waiting.extend(["Reason".to_owned(), "ClaimsItem".to_owned()]);
    let all = object(whole, "/components/schemas")?;
    let mut found = Map::new();
    while let Some(name) = waiting.pop() {
        if seen.insert(name.clone()) {
            let schema = all.get(&name).ok_or_else(|| format!("no schema {name}"))?;
            collect(schema, &mut waiting);
            found.insert(name, schema.clone());
        }
    }
    found.sort_keys();
    Ok(found)
}

fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            names.extend(name_of(value).map(str::to_owned));
            fields.iter().filter(|(key, _)| *key != "examples").for_each(|(_, value)| collect(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}

/// The type that a schema refers to.
pub(crate) fn name_of(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PLACE)
}

/// What a reference points to, or the value itself.
fn resolved<'w>(whole: &'w Value, value: &'w Value) -> &'w Value {
    let target = value.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
    target.and_then(|target| whole.pointer(target)).unwrap_or(value)
}

fn object<'v>(value: &'v Value, pointer: &str) -> Result<&'v Map<String, Value>> {
    let found = value.pointer(pointer).and_then(Value::as_object);
    found.ok_or_else(|| format!("the description has no {pointer}").into())
}

/// The text of a key, or nothing.
pub(crate) fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

/// The comment of each code begins with its status.
fn codes() -> Vec<(String, u16)> {
    let schema = Value::from(ErrorCode::json_schema(&mut schemas::generator()));
    let all = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let code = |one: &Value| {
        let status = text(one, "description").split('`').nth(1)?.parse().ok()?;
        Some((text(one, "const"), status))
    };
    all.iter().filter_map(code).collect()
}
