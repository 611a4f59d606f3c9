//! The input of a reading handler.

use super::credential::Presented;
use super::from_call::FromCall;
use super::headers::{IfNoneMatch, accept};
use super::query::query;
#[cfg(any(test, feature = "schema"))]
use super::takes::{Caller, Takes};
use crate::auth::rights::Action;
use crate::call::Call;
use crate::error::AppError;
use crate::request::accept::ListForm;
use crate::request::error::RequestError;
use crate::request::query::{AnyQuery, ListQuery};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use std::cell::RefCell;
use std::rc::Rc;

/// A read: the call, its credential, the caller's `ETag`s, and the page of a list.
pub(crate) struct ReadRequest<P = AnyQuery> {
    pub(crate) call: Rc<Call>,
    pub(crate) presented: Presented,
    /// What the route lets its callers do.
    pub(crate) action: Action,
    pub(crate) known: IfNoneMatch,
    /// The form that the caller asks for. Only lists that can be CSV look at it.
    pub(crate) form: ListForm,
    /// The page, or the problems of the query. Only a caller that may read the list learns of them.
    pub(crate) page: Result<P, RequestError>,
    /// The cells whose part of the answer is missing.
    pub(crate) missing: RefCell<Vec<Cell>>,
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

impl<P: ListQuery> FromCall for ReadRequest<P> {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.caller = Some(Caller::Person);
        takes.known = true;
        takes.query = P::parameters();
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        let action = call.action()?;
        let presented = Presented::from_call(&call).await?;
        let known = IfNoneMatch::from_call(&call).await?;
        let form = accept(&call.headers);
        let page = P::parse_for(query(&call.url), form).map_err(RequestError::Invalid);
        Ok(Self { call, presented, action, known, form, page, missing: RefCell::default() })
    }
}
