//! SQL statements with their parameters, as a decision adds them to its change.

use overturn_core::base::param::{Param, Plain};
use overturn_core::base::sealed::SealedPlace;
use serde::Serialize;
use std::fmt;

/// A statement and its parameters, `?1` first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement<P = Param> {
    pub sql: &'static str,
    pub params: Vec<P>,
}

impl<P> Statement<P> {
    pub fn new(sql: &'static str, params: impl Into<Vec<P>>) -> Self {
        Self { sql, params: params.into() }
    }
}

/// A parameter of a statement that writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteParam {
    Plain(Param),
    Sealed(Seal),
    KeyOf(KeyOf),
    Rows(Rows),
}

/// A value that is sealed for its place before it reaches the database. `Debug` prints only the place.
#[derive(Clone, PartialEq, Eq)]
pub struct Seal {
    pub place: SealedPlace,
    pub value: Vec<u8>,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seal({:?})", self.place)
    }
}

impl Seal {
    #[must_use]
    pub fn new(place: SealedPlace, value: &[u8]) -> Self {
        Self { place, value: value.into() }
    }

    /// A value that is sealed as JSON.
    #[must_use]
    pub fn json(place: SealedPlace, value: &impl Serialize) -> Self {
        // All keys are text, so writing cannot fail.
        Self { place, value: serde_json::to_vec(value).unwrap_or_default() }
    }
}

/// The version of the key that seals this place. It is stored beside the sealed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyOf(pub SealedPlace);

/// Rows, as JSON arrays that a statement reads with `json_each`. A value of a row can be sealed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows(pub Vec<Vec<WriteParam>>);

impl Rows {
    pub fn of<T, const N: usize>(of: impl IntoIterator<Item = T>, row: impl Fn(T) -> [WriteParam; N]) -> Self {
        Self(of.into_iter().map(|one| row(one).into()).collect())
    }
}

/// A value that a statement takes as a parameter. Every statement takes a plain value; only one that writes takes a value
/// to seal.
pub trait Bind<P> {
    fn bind(self) -> P;
}

impl<T: Plain> Bind<Param> for T {
    fn bind(self) -> Param {
        self.param()
    }
}

impl<T: Plain> Bind<WriteParam> for T {
    fn bind(self) -> WriteParam {
        WriteParam::Plain(self.param())
    }
}

impl Bind<WriteParam> for Seal {
    fn bind(self) -> WriteParam {
        WriteParam::Sealed(self)
    }
}

impl Bind<WriteParam> for KeyOf {
    fn bind(self) -> WriteParam {
        WriteParam::KeyOf(self)
    }
}

impl Bind<WriteParam> for Rows {
    fn bind(self) -> WriteParam {
        WriteParam::Rows(self)
    }
}

impl Statement<WriteParam> {
    /// The places of its sealed values.
    pub fn sealed(&self) -> impl Iterator<Item = SealedPlace> {
        let of_rows = self.params.iter().filter_map(|param| match param {
            WriteParam::Rows(Rows(rows)) => Some(rows),
            _ => None,
        });
        let all = self.params.iter().chain(of_rows.flatten().flatten());
        all.filter_map(|param| match param {
            WriteParam::Sealed(seal) => Some(seal.place),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_core::base::id::{PracticeId, WebhookId};
    use uuid::Uuid;

    #[test]
    fn a_value_to_seal_names_its_place_and_is_not_printed() {
        let place = SealedPlace::WebhookSecret { practice: PracticeId(Uuid::nil()), id: WebhookId(Uuid::nil()) };
        let seal = Seal::new(place, b"secret");
        let rows = Rows::of([seal.clone()], |seal| [KeyOf(place).bind(), seal.bind()]);
        let params = [1_i64.bind(), KeyOf(place).bind(), seal.bind(), rows.bind()];
        let statement = Statement::<WriteParam>::new("?1 ?2 ?3 ?4", params);
        assert!(statement.sealed().eq([place, place]));
        assert!(!format!("{statement:?}").contains("115"), "the bytes of the secret");
    }
}
