//! Values that an answer has in the form of a body.

use super::Field;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;
use std::marker::PhantomData;

/// A value of an answer that a body takes in the same form.
pub struct AsTaken<F>(PhantomData<F>);

impl<F: Field> JsonSchema for AsTaken<F> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AsTaken".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        F::schema().try_into().unwrap_or_default()
    }
}
