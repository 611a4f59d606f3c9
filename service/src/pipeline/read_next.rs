//! A read whose rows depend on the rows of an earlier batch.

use super::authorize::person::authorize;
use crate::db::statements;
use crate::error::AppError;
use crate::extract::ReadRequest;
use crate::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::request::error::RequestError;
use overturn_store::Queries;
use serde::Serialize;

impl<P: Clone> ReadRequest<P> {
    /// Answers with `view` of the rows that `next` asks for, once it has the rows of `first`. Both batches authorize the
    /// caller, and the request counts once.
    pub(crate) async fn show_next<A: Queries, B: Queries, T: Serialize>(
        &self,
        action: Action,
        first: A,
        next: impl FnOnce(A::Rows) -> B,
        view: impl FnOnce(&Person, B::Rows) -> Result<T, RequestError>,
    ) -> Result<Response, AppError> {
        let (_, rows) = self.read(action, first).await?;
        let load = next(rows);
        let statements = (statements(&load), false);
        let (person, done) = authorize(&self.call, &self.presented, action, statements).await?;
        Ok(self.respond(&view(&person, load.rows(&mut done.iter())?)?))
    }
}
