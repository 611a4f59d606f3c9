//! The ids in a path, by the names that the route gives them. A segment that is not an id matches no record. Only a
//! caller that may make the request learns that.

use super::query::values;
use crate::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use overturn_core::base::id::{DocumentId, MessageId, PracticeId, WebhookId};
use std::borrow::Cow;
use std::str::FromStr;
use uuid::Uuid;

/// The pattern of the route that a request matched, such as `/api/v1/denials/{id}`. The router adds it to the request.
#[derive(Clone, Copy)]
pub(crate) struct Route(pub(crate) &'static str);

/// The id of a record: `{id}`.
pub(crate) struct PathId<T>(pub(crate) T);

/// A message to an endpoint: `{id}` of the endpoint, and `{delivery_id}`.
pub(crate) struct DeliveryPath {
    pub(crate) webhook: WebhookId,
    pub(crate) message: MessageId,
}

/// A practice in a path of the staff: `{practice}`.
pub(crate) struct PathPractice(pub(crate) PracticeId);

/// A practice in a path of the staff, and a record of it: `{practice}` and `{id}`.
pub(crate) struct InPractice<T>(pub(crate) PracticeId, pub(crate) T);

/// A document that is attached to a record of a practice: `{practice}`, `{id}` of the record, and `{document}`.
pub(crate) struct AttachedPath {
    pub(crate) practice: PracticeId,
    pub(crate) record: Uuid,
    pub(crate) document: DocumentId,
}

/// The number of a level: `{level}`. A segment that is not a number gives 0, which no level has.
pub(crate) struct PathLevel(pub(crate) i64);

/// A provider in a path: `{provider}`. It is the id of a provider in the configuration or of a practice's provider; the
/// empty text if the segment is neither.
pub(crate) struct PathProvider(pub(crate) String);

impl<S: Sync, T: From<Uuid>> FromRequestParts<S> for PathId<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(id(parts, "id")?.into()))
    }
}

impl<S: Sync> FromRequestParts<S> for DeliveryPath {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self {
            webhook: WebhookId(id(parts, "id")?),
            message: MessageId(id(parts, "delivery_id")?),
        })
    }
}

impl<S: Sync> FromRequestParts<S> for PathPractice {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(PracticeId(id(parts, PRACTICE)?)))
    }
}

impl<S: Sync, T: From<Uuid>> FromRequestParts<S> for InPractice<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(
            PracticeId(id(parts, PRACTICE)?),
            id(parts, "id")?.into(),
        ))
    }
}

impl<S: Sync> FromRequestParts<S> for AttachedPath {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self {
            practice: PracticeId(id(parts, PRACTICE)?),
            record: id(parts, "id")?,
            document: DocumentId(id(parts, "document")?),
        })
    }
}

impl<S: Sync> FromRequestParts<S> for PathLevel {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let number = part(parts, "level").ok_or(NO_PART)?;
        Ok(Self(number.parse().unwrap_or(0)))
    }
}

impl<S: Sync> FromRequestParts<S> for PathProvider {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let segment = part(parts, "provider").ok_or(NO_PART)?;
        let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let id = Some(segment).filter(|id| id.len() <= PROVIDER_MAX && id.bytes().all(is_id));
        Ok(Self(id.unwrap_or_default().to_owned()))
    }
}

/// The longest id of a provider: a UUID.
const PROVIDER_MAX: usize = 36;

const PRACTICE: &str = "practice";

/// The beginning of every route of the staff.
const OF_STAFF: &str = "/api/v1/staff/";

/// The route of a handler does not name a part that the handler takes.
const NO_PART: AppError = AppError::Internal("a part of the path");

/// The practice that a request of the staff names: `{practice}` in its path, or `practice_id` in its query. `None` if it
/// names none, or if the name is not an id. Only routes of the staff name a practice, because everyone else's practice
/// comes from the credential.
pub(super) fn practice(parts: &Parts) -> Option<PracticeId> {
    let Route(pattern) = parts.extensions.get()?;
    if !pattern.starts_with(OF_STAFF) {
        return None;
    }
    let named = match part(parts, PRACTICE) {
        Some(segment) => Cow::Borrowed(segment),
        None => values(&parts.uri, "practice_id").last()?,
    };
    named.trim().parse().ok().map(PracticeId)
}

/// The id in the segment of this name. A segment that is not an id gives the nil id, which no record has.
fn id(parts: &Parts, name: &str) -> Result<Uuid, AppError> {
    let segment = part(parts, name).ok_or(NO_PART)?;
    Ok(Uuid::from_str(segment).unwrap_or(Uuid::nil()))
}

/// The segment of the path that the route calls by this name. It is not percent-decoded, because no id needs that.
fn part<'p>(parts: &'p Parts, name: &str) -> Option<&'p str> {
    let Route(pattern) = parts.extensions.get()?;
    let mut segments = pattern.split('/').zip(parts.uri.path().split('/'));
    let is_named = |pattern: &str| {
        let inner = pattern.strip_prefix('{');
        inner.and_then(|inner| inner.strip_suffix('}')) == Some(name)
    };
    let (_, segment) = segments.find(|(pattern, _)| is_named(pattern))?;
    Some(segment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;
    use futures_util::FutureExt;
    use overturn_core::base::id::ClaimId;

    const ROUTE: &str = "/api/v1/staff/practices/{practice}/claims/{id}/levels/{level}";
    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn parts(route: &'static str, path: &str) -> Parts {
        let request = Request::builder().uri(path).extension(Route(route));
        request.body(()).unwrap().into_parts().0
    }

    fn taken<T: FromRequestParts<(), Rejection = AppError>>(parts: &mut Parts) -> Option<T> {
        let taken = T::from_request_parts(parts, &()).now_or_never();
        taken.unwrap().ok()
    }

    #[test]
    fn a_segment_that_is_not_an_id_shifts_no_other() {
        for (first, second, practice, claim) in [
            (&*ONE.to_string(), &*TWO.to_string(), ONE, TWO),
            ("none", &*TWO.to_string(), Uuid::nil(), TWO),
            (&*ONE.to_string(), "none", ONE, Uuid::nil()),
            ("%30", "", Uuid::nil(), Uuid::nil()),
        ] {
            let path = format!("/api/v1/staff/practices/{first}/claims/{second}/levels/3");
            let mut parts = parts(ROUTE, &path);
            let InPractice(of, ClaimId(id)) = taken(&mut parts).unwrap();
            assert_eq!((of.0, id), (practice, claim), "{path}");
            let PathLevel(level) = taken(&mut parts).unwrap();
            assert_eq!(level, 3);
            // The pipeline checks the same practice that the handler reads.
            let checked = super::practice(&parts).unwrap_or(PracticeId(Uuid::nil()));
            assert_eq!(checked, of);
        }
    }

    #[test]
    fn a_practice_in_the_query_is_checked_like_one_in_the_path_on_routes_of_the_staff_only() {
        let staff = "/api/v1/staff/payers";
        let named = |route, query: &str| {
            let parts = parts(route, &format!("{route}?{query}"));
            super::practice(&parts).map(|PracticeId(id)| id)
        };
        assert_eq!(named(staff, &format!("practice_id={ONE}")), Some(ONE));
        assert_eq!(named(staff, &format!("practice_id=+{ONE}+")), Some(ONE));
        let twice = format!("practice_id={TWO}&practice_id={ONE}");
        assert_eq!(named(staff, &twice), Some(ONE), "the query reads the last");
        for none in ["", "practice_id=", "practice_id=x", "practice=1"] {
            assert_eq!(named(staff, none), None, "{none}");
        }
        let own = "/api/v1/denials/payers";
        assert_eq!(named(own, &format!("practice_id={ONE}")), None);
    }

    #[test]
    fn the_order_of_the_ids_does_not_matter_but_their_names_do() {
        let path = format!("/deliveries/{ONE}/of/{TWO}");
        let mut swapped = parts("/deliveries/{delivery_id}/of/{id}", &path);
        let DeliveryPath { webhook, message } = taken(&mut swapped).unwrap();
        assert_eq!((webhook.0, message.0), (TWO, ONE));
        let mut other = parts("/deliveries/{delivery}/of/{id}", &path);
        assert!(taken::<DeliveryPath>(&mut other).is_none());
        assert!(taken::<PathPractice>(&mut other).is_none());
        assert!(taken::<PathLevel>(&mut other).is_none());
        assert!(taken::<PathId<ClaimId>>(&mut other).is_some());
    }
}
