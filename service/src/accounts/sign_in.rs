//! The steps after a first factor, whichever it was.

use crate::call::Call;
use crate::pipeline;
use crate::prelude::*;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::sign_in::{Passed, failure};
use overturn_core::plan::Actor;
use std::rc::Rc;

/// Commits what a right first factor leads to. `402` with a continuation token if there is a second one.
pub(crate) async fn proceed(call: &Rc<Call>, passed: Passed) -> Result<Response, AppError> {
    let actor = Actor::User(passed.user_id);
    let response = pipeline::commit_signing_in(call, actor, passed.change).await?;
    match passed.ask {
        Some(token) => Err(RequestError::TwoFactorRequired(Some(token)).into()),
        None => Ok(response),
    }
}

/// Adds a wrong first factor to the account's trail, after the answer.
pub(super) fn record_failure(call: &Rc<Call>, account: &Account) {
    let entry = failure(account, &call.place, &call.ctx);
    pipeline::record_in_background(call, Actor::User(account.user_id), vec![Write::Audit(entry)]);
}
