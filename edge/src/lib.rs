//! Overturn on Cloudflare Workers. This crate owns HTTP, D1, KV, Durable Objects, the clock and entropy; every
//! rule is in `overturn-core`.
//!
//! What needs no Worker ([`store`]'s statements and rows, [`seal`], [`keyring`], [`mail::letters`], [`pages`]) builds
//! natively as well, where it is tested, on SQLite with the real migrations, and makes the demo data.

pub mod keyring;
pub mod mail;
pub mod pages;
pub mod practice_keys;
pub mod seal;
pub mod store;
pub mod weak;
mod wording;

#[cfg(target_arch = "wasm32")]
mod ambient;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod data;
#[cfg(target_arch = "wasm32")]
mod door;
#[cfg(target_arch = "wasm32")]
mod error;
#[cfg(target_arch = "wasm32")]
mod extract;
#[cfg(target_arch = "wasm32")]
mod gate;
#[cfg(target_arch = "wasm32")]
mod handlers;
#[cfg(target_arch = "wasm32")]
mod hashing;
#[cfg(target_arch = "wasm32")]
mod http;
#[cfg(target_arch = "wasm32")]
mod incoming;
#[cfg(target_arch = "wasm32")]
mod known_keys;
#[cfg(target_arch = "wasm32")]
mod kv;
#[cfg(target_arch = "wasm32")]
mod limiter;
#[cfg(target_arch = "wasm32")]
mod outcome;
#[cfg(target_arch = "wasm32")]
mod router;
#[cfg(target_arch = "wasm32")]
mod shield;
#[cfg(target_arch = "wasm32")]
mod tampered;
#[cfg(target_arch = "wasm32")]
mod trace;
#[cfg(target_arch = "wasm32")]
mod trail;
#[cfg(target_arch = "wasm32")]
mod webhooks;

/// Every request.
#[cfg(target_arch = "wasm32")]
#[worker::event(fetch)]
async fn fetch(
    request: worker::Request,
    env: worker::Env,
    context: worker::Context,
) -> worker::Result<worker::Response> {
    http::serve(request, env, context).await
}

/// What practices' endpoints are to be told, at once.
#[cfg(target_arch = "wasm32")]
#[worker::event(queue)]
async fn queue(
    batch: worker::MessageBatch<webhooks::Told>,
    env: worker::Env,
    _: worker::Context,
) -> worker::Result<()> {
    if let Some(teller) = webhooks::Teller::of(&env) {
        webhooks::consume(&batch, &teller).await;
    }
    Ok(())
}

/// What endpoints were to be told and was left behind, the rows of audit trails that are not linked, letters to owners, and the
/// destruction of data that is due.
#[cfg(target_arch = "wasm32")]
#[worker::event(scheduled)]
async fn scheduled(_: worker::ScheduledEvent, env: worker::Env, _: worker::ScheduleContext) {
    if let Some(teller) = webhooks::Teller::of(&env) {
        let trails = trail::sweep(&teller.app, &teller.db);
        futures_util::future::join(webhooks::sweep(&teller), trails).await;
        data::sweep(&teller).await;
    }
}
