//! Enumerations with a name for each variant, used in requests, answers and the store.

use alloc::format;
#[doc(hidden)]
pub use alloc::string::String;
use alloc::vec::Vec;

/// Names of a closed list: an enumeration of `names!`, or some of its variants.
pub trait Choice {
    type Value: Copy + PartialEq + 'static;

    const ALL: &'static [Self::Value];

    fn name(one: Self::Value) -> &'static str;

    /// What the list and its names mean.
    #[cfg(feature = "schema")]
    fn about() -> String {
        String::new()
    }

    /// What a name must be.
    fn words() -> String {
        listed(&Self::ALL.iter().map(|one| Self::name(*one)).collect::<Vec<_>>(), "or")
    }
}

/// `a, b and c`.
pub fn listed(names: &[&str], last: &str) -> String {
    match names {
        [names @ .., one] if !names.is_empty() => format!("{} {last} {one}", names.join(", ")),
        names => names.concat(),
    }
}

/// All names, for a message that lists the known ones.
#[must_use]
pub fn known(names: &[&str]) -> String {
    format!("one of {}", names.join(", "))
}

/// The description of an enumeration, with that of each of its names.
#[cfg(feature = "schema")]
#[must_use]
pub fn about(schema: &serde_json::Map<String, serde_json::Value>) -> String {
    let text = |of: &serde_json::Value| of.as_str().map(|text| text.replace('\n', " "));
    let names = schema.get("oneOf").and_then(serde_json::Value::as_array).into_iter().flatten();
    let lines = names.filter_map(|one| {
        let (name, about) = (text(one.get("const")?)?, text(one.get("description")?)?);
        Some(format!("- `{name}`: {about}"))
    });
    let own = schema.get("description").and_then(serde_json::Value::as_str);
    let lines = lines.collect::<Vec<_>>().join("\n");
    let parts = own.into_iter().chain([&*lines]).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Defines an enumeration with a name for each variant.
#[macro_export]
macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $name:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $type {
            $($(#[$of])* #[serde(rename = $text)] $name,)+
        }

        impl $crate::base::param::Plain for $type {
            fn param(self) -> $crate::base::param::Param {
                $crate::base::param::Plain::param(self.name())
            }
        }

        impl $crate::base::names::Choice for $type {
            type Value = Self;
            const ALL: &'static [Self] = &Self::ALL;
            fn name(one: Self) -> &'static str {
                one.name()
            }
            #[cfg(feature = "schema")]
            fn about() -> $crate::base::names::String {
                schemars::schema_for!(Self).as_object().map($crate::base::names::about).unwrap_or_default()
            }
            fn words() -> $crate::base::names::String {
                Self::known()
            }
        }

        impl $type {
            /// Every variant, in this order.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$name),+];

            /// The name in requests, in answers and in the store.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// The variant with this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }

            /// All names, for a message that lists the known ones.
            #[must_use]
            pub fn known() -> $crate::base::names::String {
                $crate::base::names::known(&[$($text,)+])
            }
        }
    };
}

pub(crate) use names;
