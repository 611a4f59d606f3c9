//! The ids in a path, by the names that the route gives them. A segment that is not an id matches no record. Only a
//! caller that may make the request learns that.

use super::from_call::FromCall;
use super::query::values;
#[cfg(any(test, feature = "schema"))]
use super::takes::Takes;
use crate::call::{Call, Route};
use crate::error::AppError;
use overturn_core::base::id::{DocumentId, MessageId, PracticeId, WebhookId};
use std::borrow::Cow;
use std::rc::Rc;
use std::str::FromStr;
use uuid::Uuid;

/// What a handler takes of its route.
pub(crate) trait FromRoute: Sized {
    /// The parts that it takes.
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str];

    /// Reads it from the path.
    ///
    /// # Errors
    ///
    /// The route does not name the part.
    fn from_route(route: Route<'_>) -> Result<Self, AppError>;
}

impl<T: FromRoute> FromCall for T {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.parts.extend(T::PARTS);
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        T::from_route(call.route())
    }
}

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

impl<T: From<Uuid>> FromRoute for PathId<T> {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &["id"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        Ok(Self(id(route, "id")?.into()))
    }
}

impl FromRoute for DeliveryPath {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &["id", "delivery_id"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        Ok(Self { webhook: WebhookId(id(route, "id")?), message: MessageId(id(route, "delivery_id")?) })
    }
}

impl FromRoute for PathPractice {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &[PRACTICE];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        Ok(Self(PracticeId(id(route, PRACTICE)?)))
    }
}

impl<T: From<Uuid>> FromRoute for InPractice<T> {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &[PRACTICE, "id"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        Ok(Self(PracticeId(id(route, PRACTICE)?), id(route, "id")?.into()))
    }
}

impl FromRoute for AttachedPath {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &[PRACTICE, "id", "document"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        Ok(Self {
            practice: PracticeId(id(route, PRACTICE)?),
            record: id(route, "id")?,
            document: DocumentId(id(route, "document")?),
        })
    }
}

impl FromRoute for PathLevel {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &["level"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        let number = part(route, "level").ok_or(NO_PART)?;
        Ok(Self(number.parse().unwrap_or(0)))
    }
}

impl FromRoute for PathProvider {
    #[cfg(any(test, feature = "schema"))]
    const PARTS: &'static [&'static str] = &["provider"];

    fn from_route(route: Route<'_>) -> Result<Self, AppError> {
        let segment = part(route, "provider").ok_or(NO_PART)?;
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
pub(crate) fn practice(route: Route<'_>) -> Option<PracticeId> {
    if !route.pattern.starts_with(OF_STAFF) {
        return None;
    }
    let named = match part(route, PRACTICE) {
        Some(segment) => Cow::Borrowed(segment),
        None => values(route.url, "practice_id").last()?,
    };
    named.trim().parse().ok().map(PracticeId)
}

/// The id in the segment of this name. A segment that is not an id gives the nil id, which no record has.
fn id(route: Route<'_>, name: &str) -> Result<Uuid, AppError> {
    let segment = part(route, name).ok_or(NO_PART)?;
    Ok(Uuid::from_str(segment).unwrap_or(Uuid::nil()))
}

/// The segment of the path that the route calls by this name. It is not percent-decoded, because no id needs that.
fn part<'r>(route: Route<'r>, name: &str) -> Option<&'r str> {
    let mut segments = route.pattern.split('/').zip(route.url.path().split('/'));
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
    use overturn_core::base::id::ClaimId;

    const ROUTE: &str = "/api/v1/staff/practices/{practice}/claims/{id}/levels/{level}";
    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn taken<T: FromRoute>(pattern: &'static str, path: &str) -> Option<T> {
        let url = path.parse().unwrap();
        T::from_route(Route { pattern, url: &url }).ok()
    }

    fn checked(pattern: &'static str, path: &str) -> Option<Uuid> {
        let url = path.parse().unwrap();
        practice(Route { pattern, url: &url }).map(|PracticeId(id)| id)
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
            let InPractice(of, ClaimId(id)) = taken(ROUTE, &path).unwrap();
            assert_eq!((of.0, id), (practice, claim), "{path}");
            let PathLevel(level) = taken(ROUTE, &path).unwrap();
            assert_eq!(level, 3);
            // The pipeline checks the same practice that the handler reads.
            assert_eq!(checked(ROUTE, &path).unwrap_or(Uuid::nil()), of.0);
        }
    }

    #[test]
    fn a_practice_in_the_query_is_checked_like_one_in_the_path_on_routes_of_the_staff_only() {
        let staff = "/api/v1/staff/payers";
        let named = |route, query: &str| checked(route, &format!("{route}?{query}"));
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
        let swapped = "/deliveries/{delivery_id}/of/{id}";
        let DeliveryPath { webhook, message } = taken(swapped, &path).unwrap();
        assert_eq!((webhook.0, message.0), (TWO, ONE));
        let other = "/deliveries/{delivery}/of/{id}";
        assert!(taken::<DeliveryPath>(other, &path).is_none());
        assert!(taken::<PathPractice>(other, &path).is_none());
        assert!(taken::<PathLevel>(other, &path).is_none());
        assert!(taken::<PathId<ClaimId>>(other, &path).is_some());
    }
}
