//! The entry point of the Worker.

use worker::{Context, Env, Request, Response, Result, event};

/// Every request.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> Result<Response> {
    crate::http::serve(request, env, context).await
}
