//! Overturn on Cloudflare Workers. This crate owns HTTP, D1, KV, Durable Objects, the clock and entropy; every
//! rule is in `overturn-core`.
//! It builds natively, too, for the tests of what it writes: pages, letters and settings.

pub mod cookies;
pub mod mail;
pub mod pages;
pub mod setting_checks;
mod wording;

mod accounts;
mod after_commit;
mod app;
mod assets;
mod call;
mod claims;
mod data;
mod db;
mod error;
mod extract;
mod handlers;
mod hashing;
mod head;
mod http;
mod ip_ban;
mod known_keys;
mod kv;
mod pipeline;
mod platform;
mod rate_limiter;
mod request_body;
mod response;
mod router;
mod settings;
mod shape;
mod sign_in_limits;
mod tampered;
mod trace;
mod trail;
mod webhooks;

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
    batch: worker::MessageBatch<webhooks::QueueMessage>,
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
        let trails = trail::sweep(&dispatcher.app, &dispatcher.db);
        futures_util::future::join(webhooks::sweep(&dispatcher), trails).await;
        data::sweep(&dispatcher).await;
    }
}
