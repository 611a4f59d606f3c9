//! Answers with a secret that only the first answer to a request shows.

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
#[cfg(feature = "schema")]
use serde_json::{Value, json};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::marker::PhantomData;

/// What is shown once.
pub(crate) trait ShownOnce {
    /// Its key in the answer.
    const KEY: &'static str;
}

/// An answer `T`, or one that also has an `S` as in [`WithOnce`].
pub(crate) struct OrOnce<T, S>(PhantomData<(T, S)>);

/// An answer `T` that also has an `S`. If the request is repeated with its idempotency key, `S` is `null`.
pub(crate) struct WithOnce<T, S>(PhantomData<(T, S)>);

/// The key of what is shown once, as a part of a name.
#[cfg(feature = "schema")]
fn shown<S: ShownOnce>() -> String {
    let words = S::KEY.split('_').filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| format!("{}{rest}", first.to_uppercase())).collect()
}

#[cfg(feature = "schema")]
impl<T: JsonSchema, S: ShownOnce + JsonSchema> JsonSchema for OrOnce<T, S> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Or{}", T::schema_name(), shown::<S>()).into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        json_schema!({ "oneOf": [schemas.subschema_for::<T>(), schemas.subschema_for::<WithOnce<T, S>>()] })
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema, S: ShownOnce + JsonSchema> JsonSchema for WithOnce<T, S> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}With{}", T::schema_name(), shown::<S>()).into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let (first, once) = (T::json_schema(schemas), schemas.subschema_for::<S>());
        let with = |described: &str, more: &[(&str, Value)]| {
            let mut whole = first.clone();
            whole.insert("description".into(), described.into());
            let words = whole.ensure_object();
            for (key, schema) in more {
                if let Value::Object(properties) = words.entry("properties").or_insert_with(|| json!({})) {
                    properties.insert((*key).into(), schema.clone());
                }
                if let Value::Array(required) = words.entry("required").or_insert_with(|| json!([])) {
                    required.push((*key).into());
                }
            }
            whole
        };
        let note = "The value that only the first answer showed.";
        let note = json!({ "description": note, "type": "string", "minLength": 1 });
        let repeated = [(S::KEY, json!({ "type": "null" })), ("not_repeated", note)];
        json_schema!({
            "oneOf": [
                with("The first answer.", &[(S::KEY, once.into())]),
                with("The same answer, repeated under its `Idempotency-Key`.", &repeated),
            ]
        })
    }
}
