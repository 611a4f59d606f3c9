//! The same call in curl, TypeScript and Python, with the values of the examples.

use serde_json::map::Map;
use serde_json::{Value, json};

use super::model::{Again, Answer, Call, Caller, Model, Parameter, text};
use super::names::{camel, iterating, snake};
use super::sample;
use crate::Result;

/// The width at which a value goes on several lines.
const WIDTH: usize = 100;

/// A call with values, in each language.
pub(crate) struct Snippet {
    pub(crate) curl: String,
    pub(crate) typescript: String,
    pub(crate) python: String,
}

/// The values of a call.
struct Values<'c> {
    call: &'c Call,
    parts: Vec<(&'c Parameter, Value)>,
    query: Vec<(&'c Parameter, Value)>,
    body: Option<Value>,
    /// The fields and the files of a form.
    form: Vec<(&'static str, Part)>,
}

enum Part {
    Text(&'static str),
    Json(Value),
    File(&'static str),
}

/// The snippets of a call.
pub(crate) fn of(model: &Model, call: &Call) -> Result<Snippet> {
    let values = Values::of(model, call)?;
    Ok(Snippet { curl: values.curl(), typescript: values.typescript(), python: values.python() })
}

/// What the tests need to answer the snippets of all calls: the request that each must make, and an answer.
pub(crate) fn all(model: &Model) -> Result<Value> {
    let one = |call: &Call| {
        let (values, made) = (Values::of(model, call)?, of(model, call)?);
        let query: Map<String, Value> =
            values.query.iter().map(|(of, value)| (of.name.clone(), plain(value).into())).collect();
        Ok(json!({
            "id": call.id, "method": call.method, "path": values.path(), "query": query, "body": values.body,
            "files": values.form.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            "version": call.version, "keyed": call.again == Again::Keyed, "caller": caller(call.caller),
            "status": call.given.first(), "answer": match &call.answer {
                Answer::Json(schema) => sample::of(model, schema),
                Answer::Lines | Answer::Bytes => json!("{}\n"),
                Answer::Nothing => Value::Null,
            },
            "curl": made.curl, "typescript": made.typescript, "python": made.python,
        }))
    };
    Ok(model.calls.iter().map(one).collect::<Result<Vec<_>>>()?.into())
}

fn caller(caller: Caller) -> &'static str {
    match caller {
        Caller::Key => "key",
        Caller::Person { by_token: true } => "token",
        Caller::Person { by_token: false } => "session",
        Caller::Anyone => "anyone",
    }
}

impl<'c> Values<'c> {
    fn of(model: &Model, call: &'c Call) -> Result<Self> {
        let value = |one: &'c Parameter| {
            let found = one.example.clone().unwrap_or_else(|| sample::of(model, &one.schema));
            (one, found)
        };
        let form: Vec<(&str, Part)> = match call.id.as_str() {
            _ if !call.body.as_ref().is_some_and(|body| body.form) => Vec::new(),
            "uploadDocument" => vec![
                ("claim_number", Part::Text("CH-2025-00417")),
                ("kind", Part::Text("denial_letter")),
                ("file", Part::File("letter.pdf")),
            ],
            "uploadDocuments" => vec![
                (
                    "manifest",
                    Part::Json(json!({ "first": { "claim_number": "CH-2025-00417", "kind": "denial_letter" } })),
                ),
                ("first", Part::File("letter.pdf")),
            ],
            id => return Err(format!("no example of the form of {id}").into()),
        };
        let body = call.body.as_ref().filter(|body| !body.form);
        Ok(Self {
            call,
            parts: call.parts.iter().map(value).collect(),
            query: call.query.iter().filter(|one| one.required).map(value).collect(),
            body: body.map(|body| body.example.clone().unwrap_or_else(|| sample::of(model, &body.schema))),
            form,
        })
    }

    fn path(&self) -> String {
        let parts = self.parts.iter();
        parts.fold(self.call.path.clone(), |path, (of, value)| path.replace(&format!("{{{}}}", of.name), &plain(value)))
    }

    fn curl(&self) -> String {
        let call = self.call;
        let query: Vec<String> = self.query.iter().map(|(of, value)| format!("{}={}", of.name, plain(value))).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let mut words = vec![format!("\"$OVERTURN_URL{}{mark}{}\"", self.path(), query.join("&"))];
        let is_plain = call.method == "GET" || (call.method == "POST" && call.body.is_some());
        if !is_plain {
            words.insert(0, format!("-X {}", call.method));
        }
        match call.caller {
            Caller::Key => words.push("-H \"Authorization: Bearer $OVERTURN_API_KEY\"".to_owned()),
            Caller::Person { by_token: true } => {
                words.push("-H \"Authorization: Bearer $OVERTURN_API_TOKEN\"".to_owned())
            }
            Caller::Person { by_token: false } => {
                words.push("-H \"Cookie: $OVERTURN_COOKIES\"".to_owned());
                if call.method != "GET" {
                    words.push("-H \"X-CSRF-Token: $OVERTURN_CSRF\"".to_owned());
                }
            }
            Caller::Anyone => {}
        }
        if call.again == Again::Keyed {
            words.push("-H \"Idempotency-Key: $(uuidgen)\"".to_owned());
        }
        if call.version {
            words.push("-H 'If-Match: \"1\"'".to_owned());
        }
        for (name, part) in &self.form {
            words.push(match part {
                Part::Text(text) => format!("-F {name}={text}"),
                Part::Json(value) => format!("-F '{name}={value}'"),
                Part::File(file) => format!("-F {name}=@{file}"),
            });
        }
        if let Some(body) = &self.body {
            words.push("-H 'Content-Type: application/json'".to_owned());
            words.push(format!("-d '{}'", body.to_string().replace('\'', "'\\''")));
        }
        if call.answer == Answer::Bytes {
            words.push("-o document".to_owned());
        }
        format!("curl -sS {}", words.join(" \\\n  "))
    }

    /// The values between the parentheses.
    fn arguments(&self, style: Style) -> String {
        let mut given: Vec<String> = self.parts.iter().map(|(_, value)| style.value(value)).collect();
        if self.call.version {
            given.push("1".to_owned());
        }
        given.extend(self.body.as_ref().map(|body| style.value(body)));
        if !self.form.is_empty() {
            let parts = self.form.iter().map(|(name, part)| {
                let value = match (part, style) {
                    (Part::Text(text), _) => format!("{text:?}"),
                    (Part::Json(value), _) => style.flat(value),
                    (Part::File(file), Style::TypeScript) => format!("new File([await readFile({file:?})], {file:?})"),
                    (Part::File(file), Style::Python) => format!("({file:?}, open({file:?}, \"rb\").read())"),
                };
                format!("{}: {value}", style.key(name))
            });
            given.push(format!("{{ {} }}", parts.collect::<Vec<_>>().join(", ")));
        }
        match style {
            Style::TypeScript if !self.query.is_empty() => {
                let query: Vec<_> =
                    self.query.iter().map(|(of, value)| format!("{}: {}", of.name, style.flat(value))).collect();
                given.push(format!("{{ {} }}", query.join(", ")));
            }
            Style::Python => {
                given.extend(self.query.iter().map(|(of, value)| format!("{}={}", of.name, style.flat(value))))
            }
            Style::TypeScript => {}
        }
        given.join(", ")
    }

    fn typescript(&self) -> String {
        let (call, given) = (self.call, self.arguments(Style::TypeScript));
        let group = format!("client.{}", camel(&call.group));
        let files = if self.form.is_empty() { "" } else { "import { readFile } from \"node:fs/promises\";\n\n" };
        match &call.answer {
            _ if call.records.is_some() => {
                format!("for await (const one of {group}.{}({given})) console.log(one);", iterating(&call.id))
            }
            Answer::Lines => format!("for await (const one of {group}.{}({given})) console.log(one);", call.id),
            Answer::Nothing => format!("await {group}.{}({given});", call.id),
            Answer::Json(_) | Answer::Bytes => format!("{files}console.log(await {group}.{}({given}));", call.id),
        }
    }

    fn python(&self) -> String {
        let (call, given) = (self.call, self.arguments(Style::Python));
        let group = format!("client.{}", snake(&call.group));
        match &call.answer {
            _ if call.records.is_some() => {
                format!("for one in {group}.{}({given}):\n    print(one)", snake(&iterating(&call.id)))
            }
            Answer::Lines => format!("for one in {group}.{}({given}):\n    print(one)", snake(&call.id)),
            Answer::Nothing => format!("{group}.{}({given})", snake(&call.id)),
            Answer::Json(_) | Answer::Bytes => format!("print({group}.{}({given}))", snake(&call.id)),
        }
    }
}

/// A value in a path or a query.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// How a language writes values.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    TypeScript,
    Python,
}

impl Style {
    fn key(self, name: &str) -> String {
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if self == Self::TypeScript && is_name { name.to_owned() } else { format!("{name:?}") }
    }

    /// On one line.
    fn flat(self, value: &Value) -> String {
        match value {
            Value::Null if self == Self::Python => "None".to_owned(),
            Value::Bool(true) if self == Self::Python => "True".to_owned(),
            Value::Bool(false) if self == Self::Python => "False".to_owned(),
            Value::Array(all) => format!("[{}]", all.iter().map(|one| self.flat(one)).collect::<Vec<_>>().join(", ")),
            Value::Object(all) if all.is_empty() => "{}".to_owned(),
            Value::Object(all) => {
                let pairs = all.iter().map(|(key, one)| format!("{}: {}", self.key(key), self.flat(one)));
                format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }

    /// On several lines if it is long.
    fn value(self, value: &Value) -> String {
        let flat = self.flat(value);
        if flat.len() <= WIDTH {
            return flat;
        }
        let (open, inner, close) = match value {
            Value::Array(all) => ("[", all.iter().map(|one| self.value(one)).collect::<Vec<_>>(), "]"),
            Value::Object(all) => {
                let pairs = all.iter().map(|(key, one)| format!("{}: {}", self.key(key), self.value(one)));
                ("{", pairs.collect(), "}")
            }
            _ => return flat,
        };
        let lines: Vec<String> = inner.iter().map(|one| format!("  {},", one.replace('\n', "\n  "))).collect();
        format!("{open}\n{}\n{close}", lines.join("\n"))
    }
}

/// The description of a parameter's or a field's type, for a table.
pub(crate) fn kind(schema: &Value) -> String {
    if let Some(name) = super::model::name_of(schema) {
        return format!("`{name}`");
    }
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        let names = names.iter().filter_map(Value::as_str).filter(|name| !name.is_empty());
        return names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(first) = schema.get(word).and_then(|ways| ways.get(0)) {
            return kind(first);
        }
    }
    let kind = match schema.get("type") {
        Some(Value::Array(some)) => {
            some.iter().filter_map(Value::as_str).find(|one| *one != "null").unwrap_or_default()
        }
        Some(Value::String(one)) => one,
        _ => return String::new(),
    };
    match (kind, text(schema, "format").as_str()) {
        ("array", _) => format!("list of {}", self::kind(schema.get("items").unwrap_or(&Value::Null))),
        ("string", "") => "text".to_owned(),
        ("string", "uuid") => "UUID".to_owned(),
        ("string", format) => format.to_owned(),
        (other, _) => other.to_owned(),
    }
}
