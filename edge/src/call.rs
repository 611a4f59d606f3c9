//! One request on its way through the Worker.

use crate::app::App;
use crate::db::Db;
use crate::error::AppError;
use crate::request_body::RequestBody;
use crate::trace::Trace;
use axum::http::{Extensions, Uri};
use overturn_core::base::ctx::Ctx;
use overturn_core::plan::accounts::ClientOrigin;
use std::sync::Arc;
use worker::Context;

/// One request: the app, its instant and ids, and the facts for its log line.
pub(crate) struct Call {
    pub(crate) app: Arc<App>,
    pub(crate) db: Db,
    pub(crate) ctx: Ctx,
    pub(crate) trace: Arc<Trace>,
    pub(crate) body: RequestBody,
    /// The client.
    pub(crate) place: ClientOrigin,
    /// The requested URL.
    pub(crate) url: Uri,
    /// For work after the answer.
    pub(crate) context: Arc<Context>,
}

impl Call {
    /// Does work after the answer.
    pub(crate) fn after_answer(self: &Arc<Self>, work: impl AsyncFnOnce(Arc<Self>) + 'static) {
        let call = Arc::clone(self);
        self.context.wait_until(async move { work(call).await });
    }
}

/// The call of a routed request.
///
/// # Errors
///
/// The request did not come through `http`.
pub(crate) fn of_request(extensions: &Extensions) -> Result<&Arc<Call>, AppError> {
    extensions.get().ok_or(AppError::Internal("call"))
}
