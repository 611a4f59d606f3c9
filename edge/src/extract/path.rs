//! The typed ids in a path. A segment that is not an id matches no record, and only a caller that may ask learns that.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use overturn_core::base::id::PracticeId;
use std::convert::Infallible;
use uuid::Uuid;

/// The id of a record.
pub(crate) struct PathId<T>(pub(crate) T);

/// The ids of a record and of its child.
pub(crate) struct PathIds<T, U>(pub(crate) T, pub(crate) U);

/// The practice in a staff path.
pub(crate) struct OfPractice(pub(crate) PracticeId);

/// The practice in a staff path, and one of its records.
pub(crate) struct InPractice<T>(pub(crate) PracticeId, pub(crate) T);

/// The number of a level at the end of a path. No level has the number 0, which stands for what is not a number.
pub(crate) struct PathLevel(pub(crate) i64);

impl<S: Sync, T: From<Uuid>> FromRequestParts<S> for PathId<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let [id] = ids(parts);
        Ok(Self(id.into()))
    }
}

impl<S: Sync, T: From<Uuid>, U: From<Uuid>> FromRequestParts<S> for PathIds<T, U> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let [record, part] = ids(parts);
        Ok(Self(record.into(), part.into()))
    }
}

impl<S: Sync> FromRequestParts<S> for OfPractice {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let [practice] = ids(parts);
        Ok(Self(practice.into()))
    }
}

impl<S: Sync, T: From<Uuid>> FromRequestParts<S> for InPractice<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let [practice, id] = ids(parts);
        Ok(Self(practice.into(), id.into()))
    }
}

impl<S: Sync> FromRequestParts<S> for PathLevel {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let last = parts.uri.path().rsplit('/').next();
        let number = last.and_then(|last| last.parse().ok());
        Ok(Self(number.unwrap_or(0)))
    }
}

/// The ids of a path in order, filled up with the nil id, which no record has. If a segment is not an id, the next one
/// takes its place; it is an id of another kind of record, so it matches nothing.
fn ids<const N: usize>(parts: &Parts) -> [Uuid; N] {
    let segments = parts.uri.path().split('/');
    let mut ids = segments.filter_map(|segment| segment.parse().ok());
    [(); N].map(|()| ids.next().unwrap_or(Uuid::nil()))
}
