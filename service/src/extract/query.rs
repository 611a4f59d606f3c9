//! The query of an address.

use form_urlencoded::Parse;
use http::Uri;
use std::borrow::Cow;

/// The names and values of a query, decoded, in their order.
pub(crate) fn query(url: &Uri) -> Parse<'_> {
    form_urlencoded::parse(url.query().unwrap_or_default().as_bytes())
}

/// The values that a query has under a name.
pub(crate) fn values<'u>(url: &'u Uri, name: &'static str) -> impl Iterator<Item = Cow<'u, str>> {
    query(url).filter_map(move |(known, value)| (known == name).then_some(value))
}
