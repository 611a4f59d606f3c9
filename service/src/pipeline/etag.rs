//! `ETag`s of reads.

use crate::extract::IfNoneMatch;
use crate::request::if_match;
use crate::response;
use crate::response::Response;
use data_encoding::HEXLOWER;
use http::StatusCode;
use http::header::ETAG;
use sha2::{Digest, Sha256};

/// A body with its `ETag`, or `304` if the caller already has it.
pub(crate) fn tagged(known: &IfNoneMatch, body: String) -> Response {
    tagged_as(known, body, response::text)
}

/// [`tagged`] for a body of another media type.
pub(crate) fn tagged_as(
    known: &IfNoneMatch,
    body: String,
    respond: impl FnOnce(StatusCode, String) -> Response,
) -> Response {
    let tag = format!("\"{}\"", digest(&body));
    conditional(known, tag, body, respond)
}

/// [`tagged`] for a record that is changed with `If-Match`: its version comes first.
pub(super) fn versioned(known: &IfNoneMatch, version: i64, body: String) -> Response {
    let tag = if_match::tag(version, &digest(&body));
    conditional(known, tag, body, response::text)
}

fn digest(body: &str) -> String {
    HEXLOWER.encode(Sha256::digest(body).get(..16).unwrap_or_default())
}

/// A body with a tag, or `304` if the caller has this tag.
fn conditional(
    known: &IfNoneMatch,
    tag: String,
    body: String,
    respond: impl FnOnce(StatusCode, String) -> Response,
) -> Response {
    if known.knows(&tag) {
        response::with(StatusCode::NOT_MODIFIED, [(ETAG, tag)], "")
    } else {
        let mut response = respond(StatusCode::OK, body);
        response::set(&mut response, ETAG, tag);
        response
    }
}
