//! One declaration for a body: what it holds, how it is read, and how it is described.
//!
//! ```text
//! body! { NewToken { name: Printable<200>, scopes: Names<TokenScope>, expires_in_days: Whole<1, 365> } }
//! ```
//!
//! The expansion is a struct with a public field for each key, and its [`Body`]. A kind such as `Whole` is a [`Field`]:
//! it says which values a key takes, and its `Value` is the type of the field. A key that is repeated is a problem in
//! every body.
//!
//! | form | meaning |
//! | --- | --- |
//! | `NewToken { … }` | unknown keys are ignored |
//! | `closed Replay { … }` | they are refused |
//! | `edit WebhookEdit { … }` | they are refused, and a body that changes nothing is refused as well: a caller who mistyped a key would believe that it changed |
//! | `key: When<Kind> where condition` | the key counts only under a condition on the keys before it, which are `Option`s here |
//!
//! A body with another rule about several keys implements [`Body`] by hand, with the same kinds.

#[cfg(feature = "schema")]
pub mod as_taken;
pub mod kinds;
pub mod query;
mod raw;
#[cfg(feature = "schema")]
pub mod schema;

pub use raw::{Key, Keys, Raw, RawObject, Shape};

use crate::request::error::RequestError;
use overturn_core::base::ctx::Ctx;
use overturn_core::request::field::Problems;

/// Which URLs outside the internet may be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Internet,
    /// `http://127.0.0.1:<port>` and `http://localhost:<port>`: a receiver on the developer's own machine.
    ThisMachine,
}

/// What a rule looks at beside the value.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    pub ctx: &'a Ctx,
    pub reach: Reach,
    /// The length of the whole body, in bytes.
    pub length: usize,
}

impl<'a> Terms<'a> {
    #[must_use]
    pub const fn new(ctx: &'a Ctx, reach: Reach) -> Self {
        Self { ctx, reach, length: 0 }
    }
}

/// A kind of field: the type that `body!` declares a key with.
pub trait Field {
    type Value;

    const SHAPE: Shape = Shape::One;

    /// Reads the value of a key. `None` if a problem was added.
    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Self::Value>;

    /// False for the value of a key that is absent.
    fn is_given(_: &Self::Value) -> bool {
        true
    }

    #[cfg(feature = "schema")]
    const GIVEN: schema::Given = schema::Given::Always;

    /// The JSON Schema of the value.
    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value;
}

/// An object that is a body or a part of one.
pub trait Body: Sized {
    const KEYS: &'static [Key];

    /// Reads the keys. `None` if a problem was added.
    fn read(p: &mut Problems, raw: RawObject<'_>, terms: Terms<'_>) -> Option<Self>;

    /// Its name in the descriptions.
    #[cfg(feature = "schema")]
    const NAME: &'static str;

    /// Its JSON Schema.
    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value;

    /// Reads a body.
    ///
    /// # Errors
    ///
    /// [`RequestError::Malformed`], or [`RequestError::Invalid`] with every problem.
    fn parse(body: &[u8], terms: Terms<'_>) -> Result<Self, RequestError> {
        let raw = raw::read(body, Self::KEYS).map_err(RequestError::Malformed)?;
        let mut p = Problems::default();
        let read = Self::read(&mut p, raw, Terms { length: body.len(), ..terms });
        p.settle(read).map_err(RequestError::Invalid)
    }

    /// Reads a body that may be missing. White space is the same as `{}`.
    ///
    /// # Errors
    ///
    /// Those of [`Body::parse`].
    fn parse_if_any(body: &[u8], terms: Terms<'_>) -> Result<Self, RequestError> {
        let is_missing = body.iter().all(u8::is_ascii_whitespace);
        Self::parse(if is_missing { b"{}" } else { body }, terms)
    }
}

macro_rules! body {
    ($(#[doc = $doc:literal])* $(#[derive($($derive:path),+)])? edit $name:ident $fields:tt) => {
        $crate::request::declare::body!(@Some [$($doc)*] [$($($derive),+)?] $name $fields);
    };
    ($(#[doc = $doc:literal])* $(#[derive($($derive:path),+)])? closed $name:ident $fields:tt) => {
        $crate::request::declare::body!(@Only [$($doc)*] [$($($derive),+)?] $name $fields);
    };
    ($(#[doc = $doc:literal])* $(#[derive($($derive:path),+)])? $name:ident $fields:tt) => {
        $crate::request::declare::body!(@Any [$($doc)*] [$($($derive),+)?] $name $fields);
    };
    (@$keys:ident [$($of:literal)*] [$($derive:path),*] $name:ident {
        $($(#[doc = $doc:literal])* $(#[serde($($serde:tt)*)])? $key:ident: $kind:ty $(where $when:expr)?),+ $(,)?
    }) => {
        $(#[doc = $of])*
        #[derive($($derive),*)]
        #[allow(unreachable_pub, reason = "it may be private to its module")]
        pub struct $name {
            $($(#[doc = $doc])* $(#[serde($($serde)*)])? pub $key: <$kind as $crate::request::declare::Field>::Value,)+
        }

        /// Prints no value.
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }

        impl $crate::request::declare::Body for $name {
            const KEYS: &'static [$crate::request::declare::Key] =
                &[$((stringify!($key), <$kind as $crate::request::declare::Field>::SHAPE)),+];

            fn read(
                p: &mut overturn_core::request::field::Problems,
                mut raw: $crate::request::declare::RawObject<'_>,
                terms: $crate::request::declare::Terms<'_>,
            ) -> Option<Self> {
                use $crate::request::declare::{Field, Keys};
                raw.open(p, Keys::$keys);
                $(let $key = <$kind as Field>::read(
                    p, stringify!($key), raw.take(stringify!($key))$(.only_if($when))?, terms,
                );)+
                let body = Self { $($key: $key?,)+ };
                if Keys::$keys == Keys::Some && ![$(<$kind as Field>::is_given(&body.$key)),+].contains(&true) {
                    raw.say_something(p);
                }
                Some(body)
            }

            #[cfg(feature = "schema")]
            const NAME: &'static str = stringify!($name);

            #[cfg(feature = "schema")]
            fn schema() -> serde_json::Value {
                use $crate::request::declare::{Field, Keys, schema};
                let whole = schema::object(Keys::$keys, [$((
                    stringify!($key),
                    schema::described(<$kind as Field>::schema(), &[$($doc),*]),
                    <$kind as Field>::GIVEN,
                )),+]);
                schema::described(whole, &[$($of),*])
            }
        }
    };
}

pub(crate) use body;
