//! Overturn on Cloudflare Workers. This crate owns HTTP, D1, KV, Durable Objects, the clock and entropy; every
//! rule is in `overturn-core`.
//! It builds natively, too, for the tests of what it writes: pages, letters and settings.

mod accounts;
mod app;
mod call;
mod claims;
mod config;
mod cookies;
mod db;
mod error;
mod extract;
mod hashing;
mod head;
mod html;
mod http;
mod ip_ban;
mod kv;
mod mail;
mod operations;
mod pipeline;
mod platform;
mod rate_limiter;
mod request_body;
mod response;
mod router;
mod settings;
mod shape;
mod sign_in_limits;
mod signing;
mod trace;
mod webhooks;
mod wording;
mod work;

/// Every request.
#[worker::event(fetch)]
async fn fetch(
    request: worker::Request,
    env: worker::Env,
    context: worker::Context,
) -> worker::Result<worker::Response> {
    http::serve(request, env, context).await
}

/// What practices' endpoints are to be told, at once.
#[worker::event(queue)]
async fn queue(
    batch: worker::MessageBatch<pipeline::queue::QueueMessage>,
    env: worker::Env,
    _: worker::Context,
) -> worker::Result<()> {
    if let Some(dispatcher) = webhooks::Dispatcher::of(&env) {
        webhooks::consume(&batch, &dispatcher).await;
    }
    Ok(())
}

/// What endpoints were to be told and was left behind, the rows of audit trails that are not linked, letters to owners, and the
/// destruction of data that is due.
#[worker::event(scheduled)]
async fn scheduled(_: worker::ScheduledEvent, env: worker::Env, _: worker::ScheduleContext) {
    if let Some(dispatcher) = webhooks::Dispatcher::of(&env) {
        let trails = settings::trail::sweep(&dispatcher.app, &dispatcher.db);
        futures_util::future::join(webhooks::sweep(&dispatcher), trails).await;
        settings::data_jobs::sweep(&dispatcher).await;
    }
}
