//! JSON Schema, for the descriptions and for the console. The Worker has none of it.

use super::raw::Keys;
use alloc::vec::Vec;
use serde_json::{Map, Value, json};

/// Text with a character that is no white space.
pub(crate) const NOT_BLANK: &str = r"[^\s\u0085]";
/// Text with a character that [`is_printable`](crate::base::text::is_printable) refuses.
pub(crate) const NOT_PRINTABLE: &str = r"[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]";

/// The schema of an object.
pub fn object<const N: usize>(keys: Keys, fields: [(&str, Value, bool); N]) -> Value {
    let required: Vec<&str> = fields.iter().filter(|(_, _, is_required)| *is_required).map(|(key, ..)| *key).collect();
    let properties: Map<_, _> = fields.into_iter().map(|(key, schema, _)| (key.into(), schema)).collect();
    let schema = json!({ "type": "object", "required": required, "properties": properties });
    match keys {
        Keys::Any => schema,
        Keys::Only => with(schema, "additionalProperties", false),
        Keys::Some => with(with(schema, "additionalProperties", false), "minProperties", 1),
    }
}

/// The schema with one more word.
pub fn with(mut schema: Value, word: &str, value: impl Into<Value>) -> Value {
    if let Some(words) = schema.as_object_mut() {
        words.insert(word.into(), value.into());
    }
    schema
}

/// The schema of a kind around another one.
pub(crate) fn around(name: &str, mut schema: Value) -> Value {
    match schema.as_object_mut() {
        Some(words) if !words.contains_key("enum") && words.contains_key("type") => {
            if name == "Optional" {
                words.remove("minItems");
            }
            let kind = words.remove("type");
            with(schema, "type", json!([kind, "null"]))
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
