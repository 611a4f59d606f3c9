//! JSON Schema, for the descriptions and for the console. The Worker has none of it.

use super::raw::Keys;
use serde_json::{Map, Value, json};

/// Text with a character that is no white space.
pub(crate) const NOT_BLANK: &str = r"[^\s\u0085]";
/// Text with a character that [`is_printable`](overturn_core::base::text::is_printable) refuses.
pub(crate) const NOT_PRINTABLE: &str = r"[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]";

/// Text that counts as none.
const BLANK: &str = r"^[\s\u0085]*$";

/// When a key has to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    Always,
    /// It may be absent or `null`.
    OrNull,
    /// It may be absent, `null` or blank.
    OrBlank,
    /// It may be absent. `null` and blank text clear what is stored.
    OrCleared,
}

/// The schema of an object.
pub fn object<const N: usize>(keys: Keys, fields: [(&str, Value, Given); N]) -> Value {
    let required: Vec<&str> =
        fields.iter().filter(|(_, _, given)| *given == Given::Always).map(|(key, ..)| *key).collect();
    let says = |(key, _, given): &(&str, Value, Given)| match given {
        // `null` in an edit says nothing.
        Given::OrNull => json!({ "required": [key], "properties": { *key: { "not": { "type": "null" } } } }),
        _ => json!({ "required": [key] }),
    };
    let something: Vec<Value> = fields.iter().map(says).collect();
    let properties: Map<_, _> = fields.into_iter().map(|(key, schema, _)| (key.into(), schema)).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema = with(schema, "required", required);
    }
    match keys {
        Keys::Any => schema,
        Keys::Only => with(schema, "additionalProperties", false),
        Keys::Some => with(with(schema, "additionalProperties", false), "anyOf", something),
    }
}

/// The text of a doc comment.
#[must_use]
pub fn text(doc: &[&str]) -> String {
    let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
    lines.join("\n").trim().into()
}

/// The schema with the text of a doc comment.
pub fn described(schema: Value, doc: &[&str]) -> Value {
    let text = text(doc);
    if text.is_empty() { schema } else { with(schema, "description", text) }
}

/// The schema with one more word.
pub fn with(mut schema: Value, word: &str, value: impl Into<Value>) -> Value {
    if let Some(words) = schema.as_object_mut() {
        words.insert(word.into(), value.into());
    }
    schema
}

/// The schema of a kind around another one.
pub(crate) fn around(given: Given, mut schema: Value) -> Value {
    let Some(words) = schema.as_object_mut() else {
        return schema;
    };
    let is_text = words.get("type") == Some(&json!("string")) && !words.contains_key("enum");
    match given {
        Given::Always => schema,
        Given::OrBlank | Given::OrCleared if is_text => {
            json!({ "anyOf": [schema, { "type": "string", "pattern": BLANK }, { "type": "null" }] })
        }
        _ if !words.contains_key("enum") && words.contains_key("type") => {
            if given == Given::OrBlank {
                words.remove("minItems");
            }
            let kind = words.remove("type");
            with(schema, "type", json!([kind, "null"]))
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
