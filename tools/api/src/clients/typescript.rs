//! The generated files of the client in TypeScript.

use serde_json::Value;

use super::model::{Again, Answer, Call, Model, Parameter, name_of, text};
use super::names::{camel, iterating, pascal};
use crate::Result;

const HEAD: &str = "// Made from the description of the interface.\n\n";

/// `types.ts`: the types of what is sent and answered.
pub(crate) fn types(model: &Model) -> Result<String> {
    let mut out = format!("{HEAD}import type * as T from \"./types.js\";\n\n");
    for (name, schema) in &model.types {
        out.push_str(&comment(&text(schema, "description"), ""));
        out.push_str(&format!("export type {name} = {};\n\n", of(schema)?));
    }
    Ok(out)
}

/// `codes.ts`: a class for each code of an error.
pub(crate) fn codes(model: &Model) -> String {
    let mut out = format!("{HEAD}import {{ ApiError }} from \"./errors.js\";\n\n");
    for (code, status) in &model.codes {
        out.push_str(&format!("/** `{code}`, with `{status}`. */\nexport class {0}Error extends ApiError {{\n  override name = \"{0}Error\";\n}}\n\n", pascal(code)));
    }
    let classes: Vec<String> =
        model.codes.iter().map(|(code, _)| format!("  {code}: {}Error,\n", pascal(code))).collect();
    out.push_str(&format!("/** The class of each code. */\nexport const classes = {{\n{}}};\n\n", classes.concat()));
    out.push_str("/** The code of an error. */\nexport type ErrorCode = keyof typeof classes;\n\n");
    let lines = model.first_codes().map(|(status, code)| format!("  {status}: \"{code}\",\n")).collect::<String>();
    out.push_str(&format!("/** The code of a status whose answer names none. */\nexport const codeOf: {{ readonly [status: number]: ErrorCode }} = {{\n{lines}}};\n"));
    out
}

/// `client.ts`: a method for each call, in groups.
pub(crate) fn client(model: &Model) -> Result<String> {
    let mut out = format!(
        "{HEAD}import {{ ClaimsGroup }} from \"./claims.js\";\nimport {{ Connection, Group, at }} from \"./runtime.js\";\nimport type {{ ClientOptions, Lines, Options }} from \"./runtime.js\";\nimport type * as T from \"./types.js\";\n\n"
    );
    let mut fields = String::new();
    for (group, about, calls) in model.grouped() {
        let base = if group == "claims" { "ClaimsGroup" } else { "Group" };
        out.push_str(&comment(about, ""));
        out.push_str(&format!("export class {} extends {base} {{\n", pascal(group)));
        for call in calls {
            out.push_str(&method(call)?);
        }
        out.push_str("}\n\n");
        fields.push_str(&format!(
            "{}  readonly {} = new {}(this);\n",
            comment(about, "  "),
            camel(group),
            pascal(group)
        ));
    }
    out.push_str("/** A client of the service: a group of methods for each part of the interface. */\n");
    out.push_str(&format!("export class Client extends Connection {{\n{fields}\n  constructor(options: ClientOptions = {{}}) {{\n    super(options);\n  }}\n}}\n"));
    Ok(out)
}

fn method(call: &Call) -> Result<String> {
    let (mut takes, mut gives) = (Vec::new(), Vec::new());
    for part in &call.parts {
        takes.push(format!("{}: {}", camel(&part.name), of(&part.schema)?));
    }
    if call.version {
        takes.push("version: number".to_owned());
        gives.push("version".to_owned());
    }
    if let Some(body) = &call.body {
        let mark = if body.required { "" } else { "?" };
        let form = if body.form { " & { [part: string]: unknown }" } else { "" };
        takes.push(format!("body{mark}: {}{form}", of(&body.schema)?));
        gives.push(if body.form { "form: body" } else { "body" }.to_owned());
    }
    if !call.query.is_empty() {
        let fields = call.query.iter().map(field).collect::<Result<Vec<_>>>()?.join("; ");
        let default = if call.query.iter().any(|one| one.required) { "" } else { " = {}" };
        takes.push(format!("query: {{ {fields} }}{default}"));
        gives.push("query".to_owned());
    }
    gives.push(format!("as: \"{}\"", call.caller.name()));
    match call.again {
        Again::Same => {}
        Again::Keyed => gives.push("again: \"keyed\"".to_owned()),
        Again::Never => gives.push("again: \"never\"".to_owned()),
    }
    let (kind, result) = match &call.answer {
        Answer::Json(schema) => ("json", format!("Promise<{}>", of(schema)?)),
        Answer::Lines => ("lines", "Lines".to_owned()),
        Answer::Bytes => ("bytes", "Promise<Uint8Array>".to_owned()),
        Answer::Nothing => ("nothing", "Promise<void>".to_owned()),
    };
    let path = path(call);
    let about = comment(&format!("{}.\n\n{}", call.summary, call.about), "  ");
    takes.push("options: Options = {}".to_owned());
    let mut out = format!(
        "{about}  {}({}): {result} {{\n    return this.connection.{kind}(\"{}\", {path}, {{ {} }}, options);\n  }}\n\n",
        call.id,
        takes.join(", "),
        call.method,
        gives.join(", "),
    );
    if let Some((key, record)) = &call.records {
        let names: Vec<String> = call.parts.iter().map(|part| camel(&part.name)).collect();
        let before = names.iter().map(|name| format!("{name}, ")).collect::<String>();
        out.push_str(&format!(
            "  /** The records of all pages of {{@link {}}}, one by one. */\n  {}({}): AsyncGenerator<{}, void, undefined> {{\n    return this.connection.pages((cursor) => this.{}({before}{{ ...query, ...cursor }}, options), \"{key}\");\n  }}\n\n",
            call.id,
            iterating(&call.id),
            takes.join(", "),
            of(record)?,
            call.id,
        ));
    }
    Ok(out)
}

fn field(one: &Parameter) -> Result<String> {
    let mark = if one.required { "" } else { "?" };
    Ok(format!("{}{mark}: {}", key(&one.name), of(&one.schema)?))
}

/// The path as an expression.
fn path(call: &Call) -> String {
    if call.parts.is_empty() {
        return format!("\"{}\"", call.path);
    }
    let path = call.parts.iter().fold(call.path.clone(), |path, part| {
        path.replace(&format!("{{{}}}", part.name), &format!("${{{}}}", camel(&part.name)))
    });
    format!("at`{path}`")
}

fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

/// The type of a schema.
fn of(schema: &Value) -> Result<String> {
    if let Some(name) = name_of(schema) {
        return Ok(format!("T.{name}"));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Ok(union(values.iter().map(ToString::to_string).collect()));
    }
    if let Some(value) = schema.get("const") {
        return Ok(value.to_string());
    }
    let mut together = Vec::new();
    if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
        together.extend(all.iter().map(of).collect::<Result<Vec<_>>>()?);
    }
    for word in ["oneOf", "anyOf"] {
        let ways = schema.get(word).and_then(Value::as_array);
        let ways = ways.map(|ways| ways.iter().map(of).collect::<Result<Vec<_>>>()).transpose()?;
        together.extend(ways.map(union).filter(|way| way != "unknown"));
    }
    if together.is_empty() || schema.get("properties").is_some() {
        together.push(plain(schema)?);
    }
    together.dedup();
    match together.as_slice() {
        [one] => Ok(one.clone()),
        _ => Ok(together.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" & ")),
    }
}

/// The type of a schema by its word `type`.
fn plain(schema: &Value) -> Result<String> {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(some)) => some.iter().filter_map(Value::as_str).collect(),
        _ => return Ok("unknown".to_owned()),
    };
    let ways = kinds.into_iter().map(|kind| {
        Ok(match kind {
            "string" if schema.get("format").is_some_and(|format| format == "binary") => "Blob".to_owned(),
            "string" => "string".to_owned(),
            "integer" | "number" => "number".to_owned(),
            "boolean" => "boolean".to_owned(),
            "null" => "null".to_owned(),
            "array" => format!("Array<{}>", of(schema.get("items").unwrap_or(&Value::Null))?),
            "object" => object(schema)?,
            other => return Err(format!("no type for {other}").into()),
        })
    });
    Ok(union(ways.collect::<Result<Vec<_>>>()?))
}

fn object(schema: &Value) -> Result<String> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        let of_value =
            schema.get("additionalProperties").filter(|one| one.is_object()).map_or(Ok("unknown".to_owned()), of)?;
        return Ok(format!("{{ [key: string]: {of_value} }}"));
    };
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut out = "{\n".to_owned();
    for (name, property) in properties {
        let mark = if required.iter().any(|one| one == name) { "" } else { "?" };
        let type_of = of(property)?.replace('\n', "\n  ");
        out.push_str(&comment(&text(property, "description"), "  "));
        out.push_str(&format!("  {}{mark}: {type_of};\n", key(name)));
    }
    out.push('}');
    Ok(out)
}

fn union(mut ways: Vec<String>) -> String {
    let mut seen = Vec::new();
    ways.retain(|way| !seen.contains(way) && (seen.push(way.clone()), true).1);
    if ways.is_empty() || ways.iter().any(|way| way == "unknown") {
        return "unknown".to_owned();
    }
    ways.join(" | ")
}

/// A comment for an editor.
fn comment(about: &str, indent: &str) -> String {
    let about = about.trim().replace("*/", "*\u{2215}");
    match about.lines().collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        [one] => format!("{indent}/** {one} */\n"),
        many => {
            let lines: String =
                many.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{indent}/**\n{lines}{indent} */\n")
        }
    }
}
