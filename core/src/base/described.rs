//! JSON Schema of values whose form serde does not show, for the descriptions. The Worker has none of it.

#[doc(hidden)]
pub use alloc::borrow::Cow;

/// Describes types. A type with a doc comment has its schema under its name, and all that use it refer to it.
#[macro_export]
macro_rules! described {
    ($($(#[doc = $doc:literal])* $type:ident = $schema:tt)+) => {$(
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                concat!($($doc),*).is_empty()
            }

            fn schema_name() -> $crate::base::described::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut schema = schemars::json_schema!($schema);
                let doc = concat!($($doc, "\n"),*).trim();
                if !doc.is_empty() {
                    schema.insert("description".into(), doc.into());
                }
                schema
            }
        }
    )+};
}
pub use described;
