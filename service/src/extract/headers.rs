//! The headers that handlers read.

use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::Takes;
use crate::call::Call;
use crate::error::AppError;
use crate::request::accept::ListForm;
use crate::request::if_match::Seen;
use http::HeaderMap;
use http::header::{ACCEPT, HeaderName, IF_MATCH, IF_NONE_MATCH};
use std::rc::Rc;

pub(crate) const CSRF_TOKEN: HeaderName = HeaderName::from_static("x-csrf-token");
/// The header of a read that its person did not ask for.
pub(crate) const PASSIVE_READ: HeaderName = HeaderName::from_static("x-passive-read");
/// The header in which a browser says which site a request comes from.
pub(crate) const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The header that names the public key of a message of GitHub.
pub(crate) const KEY_IDENTIFIER: HeaderName = HeaderName::from_static("github-public-key-identifier");
/// The header that signs it.
pub(crate) const KEY_SIGNATURE: HeaderName = HeaderName::from_static("github-public-key-signature");

/// The form of a list that `Accept` asks for. Several headers count as one.
pub(crate) fn accept(headers: &HeaderMap) -> ListForm {
    let values = headers.get_all(ACCEPT).into_iter();
    let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    ListForm::of(&values.join(","))
}

/// The `ETag`s that the caller already has.
pub(crate) struct IfNoneMatch(pub(crate) Option<String>);

impl IfNoneMatch {
    /// True if the caller has this tag.
    pub(crate) fn knows(&self, tag: &str) -> bool {
        let known = self.0.as_deref().unwrap_or_default();
        known.split(',').any(|known| {
            let known = known.trim();
            known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
        })
    }
}

impl FromCall for IfNoneMatch {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.known = true;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let value = call.headers.get(IF_NONE_MATCH);
        let value = value.and_then(|value| value.to_str().ok());
        Ok(Self(value.map(Into::into)))
    }
}

/// The version of a record that the caller has seen, from its `ETag`.
pub(crate) struct IfMatch(pub(crate) Seen);

impl FromCall for IfMatch {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.version = true;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let value = call.headers.get(IF_MATCH);
        let value = value.map(|value| value.to_str().unwrap_or_default());
        Ok(Self(Seen::parse(value)))
    }
}
