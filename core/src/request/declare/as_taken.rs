//! Values that an answer has in the form of a body.

use super::Field;
use alloc::borrow::Cow;
use core::marker::PhantomData;
use schemars::{JsonSchema, Schema, SchemaGenerator};

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
