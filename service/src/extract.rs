//! The inputs of handlers. Most handlers need only [`ReadRequest`] or [`WriteRequest`].

pub(crate) mod body;
mod claims;
mod credential;
mod from_call;
mod headers;
mod operations;
mod pages;
mod path;
mod provider;
mod query;
mod read;
mod sign_in;
#[cfg(any(test, feature = "schema"))]
pub(crate) mod takes;
mod write;

pub(crate) use body::{AnyBody, Body, MaybeBody, ParseBody};
pub(crate) use claims::{KeyRequest, SendRequest};
pub(crate) use credential::{DeviceCookie, PasskeyCookie, Presented, PresentedKey, PresentedKind, bearer, cookie};
pub(crate) use from_call::FromCall;
pub(crate) use headers::{
    CSRF_TOKEN, FETCH_SITE, IDEMPOTENCY_KEY, IfMatch, IfNoneMatch, KEY_IDENTIFIER, KEY_SIGNATURE, PASSIVE_READ,
};
pub(crate) use operations::{OperatorRequest, PublicRequest, PublicWrite};
pub(crate) use pages::{Form, PatientForm, PatientLink};
pub(crate) use path::{
    AttachedPath, DeliveryPath, InPractice, PathId, PathLevel, PathPractice, practice as named_practice,
};
pub(crate) use provider::{BeginningBrowser, IdentityCookie, ProviderForm, ProviderRequest};
pub(crate) use query::{query, values};
pub(crate) use read::ReadRequest;
pub(crate) use sign_in::{NamesCell, SignInRequest};
pub(crate) use write::{Once, WriteRequest};
