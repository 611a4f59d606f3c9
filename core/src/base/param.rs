//! Values as parameters of SQL statements. A value that has to be sealed has no parameter of its own: see
//! `sql!`.

use crate::base::instant::Instant;
use alloc::string::String;
use serde::Serialize;

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Param {
    /// Text, JSON included.
    Text(String),
    /// A whole number below 2^53, because D1 binds every number as a double.
    Int(i64),
    /// No value.
    Null,
}

/// A value that may be stored unencrypted.
pub trait Plain {
    fn param(self) -> Param;
}

/// A list or an object as JSON, which a statement reads with `json_each`.
pub struct Json<T>(pub T);

impl<T: Serialize> Plain for Json<T> {
    fn param(self) -> Param {
        // All keys are text, so writing cannot fail.
        Param::Text(serde_json::to_string(&self.0).unwrap_or_default())
    }
}

impl<T: Plain> Plain for Option<T> {
    fn param(self) -> Param {
        self.map_or(Param::Null, Plain::param)
    }
}

impl Plain for Param {
    fn param(self) -> Param {
        self
    }
}

impl Plain for &str {
    fn param(self) -> Param {
        Param::Text(self.into())
    }
}

impl Plain for String {
    fn param(self) -> Param {
        Param::Text(self)
    }
}

impl Plain for &String {
    fn param(self) -> Param {
        Param::Text(self.clone())
    }
}

impl Plain for Instant {
    fn param(self) -> Param {
        Param::Int(self.0)
    }
}

impl Plain for i64 {
    fn param(self) -> Param {
        Param::Int(self)
    }
}

impl Plain for u16 {
    fn param(self) -> Param {
        Param::Int(self.into())
    }
}

impl Plain for usize {
    fn param(self) -> Param {
        Param::Int(i64::try_from(self).unwrap_or(i64::MAX))
    }
}
