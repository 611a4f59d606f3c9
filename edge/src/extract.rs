//! The inputs of handlers. Most handlers need only [`ReadRequest`] or [`WriteRequest`].

pub(crate) mod body;
mod credential;
mod headers;
mod pages;
mod path;
mod read;
mod sign_in;
mod write;

pub(crate) use body::{AnyBody, Body, ParseBody, parse_body};
pub(crate) use credential::{DeviceCookie, Operator, Presented, PresentedKey, PresentedKind};
pub(crate) use headers::{CSRF_TOKEN, FETCH_SITE, IDEMPOTENCY_KEY, IfMatch, IfNoneMatch};
pub(crate) use pages::{Form, Linked, SignedBy};
pub(crate) use path::{InPractice, OfPractice, PathId, PathIds, PathLevel};
pub(crate) use read::ReadRequest;
pub(crate) use sign_in::{FormRequest, SignInRequest};
pub(crate) use write::{Once, WriteRequest};
