//! The generated files of the client in Python.

use serde_json::Value;

use super::model::{Again, Answer, Call, Model, Parameter, name_of, text};
use super::names::{iterating, pascal, snake};
use crate::Result;

const HEAD: &str = "Made from the description of the interface.";

/// Words that no name can be.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// `types.py`: the types of what is sent and answered.
pub(crate) fn types(model: &Model) -> Result<String> {
    let mut made = Made::default();
    for (name, schema) in &model.types {
        made.define(name, schema)?;
    }
    let head = "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict, Union\n\nif TYPE_CHECKING:\n    from typing_extensions import NotRequired, TypeAlias\n\nFile = tuple[str, bytes]\n\"\"\"The name of a file, and its content.\"\"\"\n";
    Ok(format!("\"\"\"The types of what is sent and answered. {HEAD}\"\"\"\n\n{head}{}", made.out))
}

/// `codes.py`: a class for each code of an error.
pub(crate) fn codes(model: &Model) -> String {
    let mut out = format!("\"\"\"A class for each code of an error. {HEAD}\"\"\"\n\nfrom .errors import ApiError\n");
    for (code, status) in &model.codes {
        out.push_str(&format!(
            "\n\nclass {}Error(ApiError):\n    \"\"\"`{code}`, with `{status}`.\"\"\"\n",
            pascal(code)
        ));
    }
    let classes = model.codes.iter().map(|(code, _)| format!("    \"{code}\": {}Error,\n", pascal(code)));
    let classes = classes.collect::<String>();
    let of = model.first_codes().map(|(status, code)| format!("    {status}: \"{code}\",\n")).collect::<String>();
    out.push_str(&format!("\n\nCLASSES = {{\n{classes}}}\n\"\"\"The class of each code.\"\"\"\n\nCODE_OF = {{\n{of}}}\n\"\"\"The code of a status whose answer names none.\"\"\"\n"));
    out
}

/// `client.py`: a method for each call, in groups.
pub(crate) fn client(model: &Model) -> Result<String> {
    let mut out = format!(
        "\"\"\"A client of the service. {HEAD}\"\"\"\n\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator, Sequence\nfrom typing import Any, Literal, Union\n\nfrom . import types as T\nfrom .claims import ClaimsGroup\nfrom .runtime import Connection, Group, at\n"
    );
    let mut fields = String::new();
    for (group, about, calls) in model.grouped() {
        let base = if group == "claims" { "ClaimsGroup" } else { "Group" };
        out.push_str(&format!("\n\nclass {}({base}):\n{}", pascal(group), comment(about, "    ")));
        for call in calls {
            out.push_str(&method(call)?);
        }
        fields.push_str(&format!("        self.{} = {}(self)\n", snake(group), pascal(group)));
    }
    out.push_str("\n\nclass Client(Connection):\n    \"\"\"A client of the service: a group of methods for each part of the interface.\"\"\"\n\n");
    out.push_str(&format!("    def __init__(self, base_url: Union[str, None] = None, **options: Any) -> None:\n        super().__init__(base_url, **options)\n{fields}"));
    Ok(out)
}

fn method(call: &Call) -> Result<String> {
    // What the types need beside the named ones stands in `types.py` only, so an inline object is a dictionary here.
    let (mut takes, mut named, mut gives, mut passed) = (vec!["self".to_owned()], Vec::new(), Vec::new(), Vec::new());
    for part in &call.parts {
        takes.push(format!("{}: {}", word(&part.name), inline(&part.schema)?));
        passed.push(word(&part.name));
    }
    if call.version {
        takes.push("version: int".to_owned());
        gives.push("version=version".to_owned());
    }
    if let Some(body) = &call.body {
        let kind = if body.form { "dict[str, Any]".to_owned() } else { inline(&body.schema)? };
        takes.push(if body.required { format!("body: {kind}") } else { format!("body: Union[{kind}, None] = None") });
        gives.push(if body.form { "form=body" } else { "body=body" }.to_owned());
    }
    for one in &call.query {
        named.push(field(one)?);
    }
    if !call.query.is_empty() {
        let pairs: Vec<String> =
            call.query.iter().map(|one| format!("\"{}\": {}", one.name, word(&one.name))).collect();
        gives.push(format!("query={{{}}}", pairs.join(", ")));
    }
    gives.push(format!("caller=\"{}\"", call.caller.name()));
    match call.again {
        Again::Same => {}
        Again::Keyed => {
            gives.push("again=\"keyed\", idempotency_key=idempotency_key".to_owned());
            named.push("idempotency_key: Union[str, None] = None".to_owned());
        }
        Again::Never => gives.push("again=\"never\"".to_owned()),
    }
    if !named.is_empty() {
        takes.push("*".to_owned());
    }
    let (kind, result) = match &call.answer {
        Answer::Json(schema) => ("json", inline(schema)?),
        Answer::Lines => ("lines", "Iterator[Any]".to_owned()),
        Answer::Bytes => ("bytes", "bytes".to_owned()),
        Answer::Nothing => ("nothing", "None".to_owned()),
    };
    let about = comment(&format!("{}.\n\n{}", call.summary, call.about), "        ");
    let all = takes.iter().chain(&named).cloned().collect::<Vec<_>>().join(", ");
    let name = snake(&call.id);
    let mut out = format!(
        "\n    def {name}({all}) -> {result}:\n{about}        return self._connection.as_{kind}(\"{}\", {}, {})\n",
        call.method,
        path(call),
        gives.join(", "),
    );
    if let Some((key, record)) = &call.records {
        let others = call.query.iter().filter(|one| one.name != "cursor").map(|one| word(&one.name));
        passed.extend(others.map(|name| format!("{name}={name}")));
        passed.push("cursor=at or cursor".to_owned());
        out.push_str(&format!(
            "\n    def {}({all}) -> Iterator[{}]:\n        \"\"\"The records of all pages of `{name}`, one by one.\"\"\"\n        return self._connection.pages(lambda at: self.{name}({}), \"{key}\")\n",
            snake(&iterating(&call.id)),
            inline(record)?,
            passed.join(", "),
        ));
    }
    Ok(out)
}

fn field(one: &Parameter) -> Result<String> {
    let kind = inline(&one.schema)?;
    let kind = kind.strip_prefix("list[").map_or(kind.clone(), |rest| format!("Sequence[{rest}"));
    let name = word(&one.name);
    Ok(if one.required { format!("{name}: {kind}") } else { format!("{name}: Union[{kind}, None] = None") })
}

fn path(call: &Call) -> String {
    if call.parts.is_empty() {
        return format!("\"{}\"", call.path);
    }
    let names: Vec<String> = call.parts.iter().map(|part| format!("{0}={1}", part.name, word(&part.name))).collect();
    format!("at(\"{}\", {})", call.path, names.join(", "))
}

/// A name as a parameter.
fn word(name: &str) -> String {
    let name = snake(name);
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The type of a schema in a signature.
fn inline(schema: &Value) -> Result<String> {
    let mut made = Made { inline: true, ..Made::default() };
    made.of("", schema)
}

/// The types that were made.
#[derive(Default)]
struct Made {
    out: String,
    /// Whether objects without a name are plain dictionaries, and named types stand in another module.
    inline: bool,
}

impl Made {
    fn define(&mut self, name: &str, schema: &Value) -> Result<()> {
        let about = text(schema, "description");
        if schema.get("properties").is_some() && schema.get("oneOf").is_none() && schema.get("allOf").is_none() {
            return self.class(name, schema);
        }
        let kind = self.of(name, schema)?;
        self.out.push_str(&format!("\n{name}: TypeAlias = {kind:?}\n{}", comment(&about, "")));
        Ok(())
    }

    /// A dictionary with these keys.
    fn class(&mut self, name: &str, schema: &Value) -> Result<()> {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut fields = Vec::new();
        for (key, property) in &properties {
            let kind = self.of(&format!("{name}{}", pascal(key)), property)?;
            let is_required = required.iter().any(|one| one == key);
            let kind = if is_required { kind } else { format!("NotRequired[{kind}]") };
            fields.push((key, kind, text(property, "description")));
        }
        let is_plain =
            |key: &str| !KEYWORDS.contains(&key) && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let about = comment(&text(schema, "description"), "    ");
        if fields.iter().all(|(key, ..)| is_plain(key)) {
            let lines: String = fields
                .iter()
                .map(|(key, kind, about)| format!("    {key}: {kind}\n{}", comment(about, "    ")))
                .collect();
            let body =
                if about.is_empty() && lines.is_empty() { "    pass\n".to_owned() } else { format!("{about}{lines}") };
            self.out.push_str(&format!("\n\nclass {name}(TypedDict):\n{body}"));
        } else {
            let pairs: String = fields.iter().map(|(key, kind, _)| format!("    {key:?}: {kind:?},\n")).collect();
            self.out.push_str(&format!("\n\n{name} = TypedDict({name:?}, {{\n{pairs}}})\n"));
        }
        Ok(())
    }

    /// The type of a schema. An object without a name gets one.
    fn of(&mut self, name: &str, schema: &Value) -> Result<String> {
        if let Some(named) = name_of(schema) {
            return Ok(if self.inline { format!("T.{named}") } else { named.to_owned() });
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let values: Vec<String> = values.iter().map(literal).collect();
            return Ok(format!("Literal[{}]", values.join(", ")));
        }
        if let Some(value) = schema.get("const") {
            return Ok(format!("Literal[{}]", literal(value)));
        }
        // Python has no type for what is several types at once.
        let first = schema.get("allOf").and_then(|all| all.get(0));
        if let Some(first) = first {
            return self.of(name, first);
        }
        for word in ["oneOf", "anyOf"] {
            if let Some(ways) = schema.get(word).and_then(Value::as_array) {
                let mut kinds = Vec::new();
                for (n, way) in ways.iter().enumerate() {
                    kinds.push(self.of(&format!("{name}{}", n.saturating_add(1)), way)?);
                }
                kinds.retain(|kind| kind != "Any");
                if !kinds.is_empty() {
                    return Ok(union(kinds));
                }
            }
        }
        self.plain(name, schema)
    }

    /// The type of a schema by its word `type`.
    fn plain(&mut self, name: &str, schema: &Value) -> Result<String> {
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(some)) => some.iter().filter_map(Value::as_str).collect(),
            _ => return Ok("Any".to_owned()),
        };
        let mut ways = Vec::new();
        for kind in kinds {
            ways.push(match kind {
                "string" if schema.get("format").is_some_and(|format| format == "binary") => "File".to_owned(),
                "string" => "str".to_owned(),
                "integer" => "int".to_owned(),
                "number" => "float".to_owned(),
                "boolean" => "bool".to_owned(),
                "null" => "None".to_owned(),
                "array" => {
                    format!("list[{}]", self.of(&format!("{name}Item"), schema.get("items").unwrap_or(&Value::Null))?)
                }
                "object" if self.inline => "dict[str, Any]".to_owned(),
                "object" if schema.get("properties").is_some() => {
                    self.class(name, schema)?;
                    name.to_owned()
                }
                "object" => {
                    let value = schema.get("additionalProperties").filter(|one| one.is_object()).cloned();
                    format!("dict[str, {}]", self.of(&format!("{name}Value"), &value.unwrap_or_default())?)
                }
                other => return Err(format!("no type for {other}").into()),
            });
        }
        Ok(union(ways))
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        other => other.to_string(),
    }
}

fn union(mut ways: Vec<String>) -> String {
    let mut seen = Vec::new();
    ways.retain(|way| !seen.contains(way) && (seen.push(way.clone()), true).1);
    match ways.as_slice() {
        [one] => one.clone(),
        _ => format!("Union[{}]", ways.join(", ")),
    }
}

/// A docstring.
fn comment(about: &str, indent: &str) -> String {
    let about = about.trim().replace('\\', "\\\\").replace("\"\"\"", "'''");
    match about.lines().collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        [one] if !one.ends_with('"') => format!("{indent}\"\"\"{one}\"\"\"\n"),
        many => {
            let lines = many.join(&format!("\n{indent}")).replace(&format!("\n{indent}\n"), "\n\n");
            format!("{indent}\"\"\"{lines}\n{indent}\"\"\"\n")
        }
    }
}
