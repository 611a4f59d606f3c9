//! The input of a reading handler.

use super::credential::Presented;
use super::headers::{IfNoneMatch, accept};
use super::query::query;
use crate::call::{Call, of_request};
use crate::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use overturn_core::base::ctx::Ctx;
use overturn_core::request::accept::ListForm;
use overturn_core::request::error::RequestError;
use overturn_core::request::page::Page;
use overturn_core::request::query::ListQuery;
use std::sync::Arc;

/// A read: the call, its credential, the caller's `ETag`s, and the page of a list.
pub(crate) struct ReadRequest<P = Page> {
    pub(crate) call: Arc<Call>,
    pub(crate) presented: Presented,
    pub(crate) known: IfNoneMatch,
    /// The form that the caller asks for. Only lists that can be CSV look at it.
    pub(crate) form: ListForm,
    /// The page, or the problems of the query. Only a caller that may read the list learns of them.
    pub(crate) page: Result<P, RequestError>,
}

impl<P> ReadRequest<P> {
    /// The hash of the credential, by which queries find the practice.
    pub(crate) fn credential(&self) -> &str {
        &self.presented.hash
    }

    pub(crate) fn ctx(&self) -> &Ctx {
        &self.call.ctx
    }

    /// The `Link` header of the next page: the same query with its cursor.
    pub(crate) fn next(&self, cursor: &str) -> String {
        let url = &self.call.url;
        let mut next = form_urlencoded::Serializer::new(String::new());
        next.extend_pairs(query(url).filter(|(name, _)| name != "cursor"));
        next.append_pair("cursor", cursor);
        format!("<{}?{}>; rel=\"next\"", url.path(), next.finish())
    }
}

impl<P: ListQuery, S: Sync> FromRequestParts<S> for ReadRequest<P> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        let presented = Presented::from_request_parts(parts, state).await?;
        let Ok(known) = IfNoneMatch::from_request_parts(parts, state).await;
        let form = accept(&parts.headers);
        let page = P::parse_for(query(&parts.uri), form).map_err(RequestError::Invalid);
        Ok(Self {
            call,
            presented,
            known,
            form,
            page,
        })
    }
}
