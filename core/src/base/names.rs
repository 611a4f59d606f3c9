//! Enumerations with a name for each variant, used in requests, answers and the store.

/// Defines an enumeration with a name for each variant.
macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $name:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $($(#[$of])* #[serde(rename = $text)] $name,)+
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
            pub fn known() -> alloc::string::String {
                alloc::format!("one of {}", [$($text,)+].join(", "))
            }
        }
    };
}

pub(crate) use names;
