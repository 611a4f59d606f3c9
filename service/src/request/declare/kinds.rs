//! The kinds of fields: values. `choice` has names and other text of a form, `around` kinds around other kinds.

mod around;
pub mod choice;

#[cfg(test)]
mod tests;

pub use around::{Changed, Clearable, Inside, Optional, When};
pub use choice::{AnyNames, Form, Id, Names};
pub(crate) use choice::{form, some_of};

use super::{Field, Raw, Shape, Terms};
#[cfg(feature = "schema")]
use crate::request::declare::schema;
#[cfg(feature = "schema")]
use crate::request::email;
use crate::request::email::EmailAddress;
use crate::request::error::RequestError;
use crate::request::secret::SecretError;
use overturn_core::base::date::Date;
use overturn_core::base::money::Cents;
use overturn_core::claims::codes;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
#[cfg(feature = "schema")]
use serde_json::{Value, json};
use std::marker::PhantomData;
use std::str::FromStr;

/// The longest token that is read.
const TOKEN_MAX: usize = 128;

/// Text that is not blank, of at most so many characters.
pub struct Text<const MAX: usize>;

impl<const MAX: usize> Field for Text<MAX> {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<String> {
        field::required(p, name, raw.text(), MAX).map(Into::into)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "maxLength": MAX, "pattern": schema::NOT_BLANK })
    }
}

/// [`Text`] of printable characters, for what people read, such as a number or a name.
pub struct Printable<const MAX: usize>;

impl<const MAX: usize> Field for Printable<MAX> {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<String> {
        field::printable(p, name, raw.text(), MAX).map(Into::into)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        schema::with(Text::<MAX>::schema(), "not", json!({ "pattern": schema::NOT_PRINTABLE }))
    }
}

/// A whole number within a range, both ends included.
pub struct Whole<const LEAST: i64, const MOST: i64>;

impl<const LEAST: i64, const MOST: i64> Field for Whole<LEAST, MOST> {
    type Value = i64;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<i64> {
        match raw {
            Raw::Whole(number) if (LEAST..=MOST).contains(&number) => return Some(number),
            Raw::Absent | Raw::Null => p.add(name, Rule::Required),
            _ => p.add(name, Rule::Whole(LEAST, MOST)),
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

/// `true` or `false`.
pub struct Flag;

impl Field for Flag {
    type Value = bool;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<bool> {
        match raw {
            Raw::Flag(flag) => return Some(flag),
            Raw::Absent | Raw::Null => p.add(name, Rule::Required),
            _ => p.add(name, Rule::Flag),
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

/// An address that can receive mail.
pub struct Email;

impl Field for Email {
    type Value = EmailAddress;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<EmailAddress> {
        EmailAddress::read(p, name, raw.text())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "format": "email", "maxLength": email::MAX })
    }
}

/// A date in the past or in the future.
pub struct Day;

impl Field for Day {
    type Value = Date;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Date> {
        if raw.is_missing(Shape::One) {
            p.add(name, Rule::DateRequired);
        }
        field::any_date(p, name, raw.text())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "format": "date" })
    }
}

/// A date that is not in the future.
pub struct PastDay;

impl Field for PastDay {
    type Value = Date;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Date> {
        field::required_date(p, name, raw.text(), terms.ctx)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        Day::schema()
    }
}

/// An amount of money.
pub struct Amount;

impl Field for Amount {
    type Value = Cents;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Cents> {
        if raw.is_missing(Shape::One) {
            p.add(name, Rule::Required);
        }
        field::amount(p, name, &raw.text())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"^0*([1-9][0-9]{0,15}\.[0-9]{2}|0\.(0[1-9]|[1-9][0-9]))$" })
    }
}

/// Text without the white space around it.
pub struct Trimmed<F>(PhantomData<F>);

impl<F: Field<Value = String>> Field for Trimmed<F> {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<String> {
        F::read(p, name, raw, terms).map(|text| text.trim().into())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        F::schema()
    }
}

/// A secret that the service gave out. Text that cannot be one is the refusal of one that is unknown, which a body with
/// problems does not get to.
pub struct Token<T>(PhantomData<T>);

impl<T: FromStr<Err = SecretError>> Field for Token<T> {
    type Value = Result<T, RequestError>;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Self::Value> {
        let token = field::required(p, name, raw.text(), TOKEN_MAX)?.parse();
        Some(token.map_err(|SecretError| RequestError::SignInFailed))
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        schema::described(Text::<TOKEN_MAX>::schema(), &["The token, exactly as you received it."])
    }
}

form! {
    /// An adjustment or remark code, in any spelling.
    DenialCode: String = "an adjustment or remark code", codes::recognise,
    { "type": "string", "pattern": "^((CO|CR|OA|PI|PR)-[0-9]{1,3}|(MA|N|M)[0-9]{1,4})$" }
}
