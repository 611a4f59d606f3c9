//! Overturn on Cloudflare Workers. This crate owns HTTP, D1, KV, Durable Objects, the clock and entropy. All rules are
//! in `overturn-core`. It also builds natively, to test its pages, emails and settings.

mod accounts;
mod app;
mod assets;
mod background;
mod bucket;
mod byte_reader;
mod call;
mod claims;
mod config;
mod console;
mod cookies;
mod db;
mod documents;
mod error;
mod extract;
mod fetch;
mod hashing;
mod head;
mod html;
mod http;
mod identity;
mod ip_ban;
mod kv;
mod mail;
mod multipart;
mod operations;
mod patience;
mod pipeline;
mod platform;
mod rate_limiter;
mod recent;
mod request_body;
mod response;
mod router;
mod scanner;
mod settings;
mod shape;
mod sign_in_limits;
mod signing;
mod sso;
mod summaries;
mod trace;
mod webhooks;
mod wording;
mod work;

use background::Background;

/// Every request.
#[worker::event(fetch)]
async fn fetch(
    request: worker::Request,
    env: worker::Env,
    context: worker::Context,
) -> worker::Result<worker::Response> {
    http::serve(request, env, context).await
}

/// Sends webhook messages at once.
#[worker::event(queue)]
async fn queue(
    batch: worker::MessageBatch<pipeline::queue::QueueMessage>,
    env: worker::Env,
    _: worker::Context,
) -> worker::Result<()> {
    if let Some(background) = Background::of(&env) {
        webhooks::consume(&batch, &background).await;
    }
    Ok(())
}

/// Sends leftover webhook messages, links audit rows, warns about certificates, emails owners, and runs due destructions.
#[worker::event(scheduled)]
async fn scheduled(_: worker::ScheduledEvent, env: worker::Env, _: worker::ScheduleContext) {
    if let Some(background) = Background::of(&env) {
        let trails = settings::trail::sweep(&background.app, &background.db);
        futures_util::future::join(webhooks::sweep(&background), trails).await;
        settings::sso::sweep(&background).await;
        settings::data_jobs::sweep(&background).await;
        documents::sweep::sweep(&background).await;
    }
}
