//! Mailed links: requesting and using them.

use super::context::setting;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::SignInRequest;
use crate::pipeline;
use crate::pipeline::after_commit;
use crate::response;
use crate::response::Response;
use crate::sign_in_limits;
use http::StatusCode;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::link::{self, LinkAsked, LinkPressed, OpenedLink, StoredLink};
use overturn_core::accounts::new_session::SignInContext;
use overturn_core::accounts::sign_in;
use overturn_core::base::secret::LinkToken;
use overturn_core::plan::accounts::LinkKind;
use overturn_core::plan::change::Change;
use overturn_core::plan::{Actor, Write};
use overturn_store::accounts::queries;
use serde::Serialize;
use std::rc::Rc;

/// Decides the email for an account.
pub(crate) type DecideLetter = fn(&Account, SignInContext<'_>) -> Option<Change>;

/// Answers a request for a link, in the same way and after the same work for every address.
///
/// 1. Is the body valid? `400`, `413`, `422`. Were there too many emails? `429`.
/// 2. Look the account up, and store the link. For an address without an account, write a row that no account has.
/// 3. `202`, or `503` if the database did not take it. The email is sent after the answer, so neither its text nor its
///    time shows whether there is an account.
pub(crate) async fn ask(request: SignInRequest, send: DecideLetter) -> Result<Response, AppError> {
    let SignInRequest { call, body, .. } = request;
    let email_key = call.parse::<LinkAsked>(&body?)?.email.key();
    sign_in_limits::letter(&call, &email_key).await?;
    make(&call, &email_key, send).await.map_err(|refusal| match refusal {
        // The account changed while its link was made. A refusal of its own would show that there is one.
        AppError::Request(_) => AppError::Unavailable("the account has changed"),
        fault => fault,
    })?;
    let answer = link::accepted();
    Ok(after_commit::answer(answer.status, &answer.body))
}

/// Makes the link for the active account of an address, or as much work if there is none.
async fn make(call: &Rc<Call>, email_key: &str, send: DecideLetter) -> Result<(), AppError> {
    let account = queries::account_of_address(email_key);
    let account = call.db.read(&account).await?;
    let setting = setting(call)?;
    let decided = account.and_then(|account| {
        let change = send(&account, setting)?;
        Some((Actor::User(account.user_id), change))
    });
    if let Some((actor, change)) = decided {
        pipeline::commit_signing_in(call, actor, change).await?;
    } else {
        let count = vec![link::count_unknown()];
        let plan = pipeline::plan(&call.ctx, Actor::Service, Vec::new(), count);
        pipeline::run(&call.db, &call.app, &plan).await?;
    }
    Ok(())
}

/// The stored state of a link.
pub(crate) async fn stored(call: &Call, token: &LinkToken) -> Result<Option<StoredLink>, AppError> {
    Ok(call.db.read(&queries::link(&token.hash())).await?)
}

/// Shows what a link is for. The link stays usable.
pub(crate) async fn preview<T: Serialize>(
    request: SignInRequest,
    kind: LinkKind,
    view: fn(&OpenedLink<'_>) -> T,
) -> Result<Response, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let token = call.parse::<LinkPressed>(&body?)?.token;
    let stored = stored(&call, &token).await?;
    let opened = link::open(&token, stored.as_ref(), kind, call.ctx.now)?;
    Ok(response::json(StatusCode::OK, &view(&opened)))
}

/// Opens a link for a purpose. A failure gets a row in the account's trail, after the answer.
pub(crate) fn open<'l>(
    call: &Rc<Call>,
    token: &LinkToken,
    stored: Option<&'l StoredLink>,
    kind: LinkKind,
) -> Result<OpenedLink<'l>, AppError> {
    let opened = link::open(token, stored, kind, call.ctx.now);
    if let (Err(_), Some(stored)) = (&opened, stored) {
        let entry = sign_in::failure(&stored.account, &call.place, &call.ctx);
        let actor = Actor::User(stored.account.user_id);
        pipeline::record_in_background(call, actor, vec![Write::Audit(entry)]);
    }
    Ok(opened?)
}
