//! Overturn on Cloudflare Workers: how the platform does what `overturn_service::host` asks for. It knows no rule and no
//! SQL of the service.

mod app;
mod assets;
mod body;
mod byte_reader;
mod clock;
mod crypto;
mod d1;
mod fetch;
mod identity;
mod kv;
mod limiter;
mod mail;
mod network;
mod queue;
mod r2;
mod request;

use overturn_service::host::QueueMessage;

/// Every request.
#[worker::event(fetch)]
async fn fetch(
    request: worker::Request,
    env: worker::Env,
    context: worker::Context,
) -> worker::Result<worker::Response> {
    request::answer(request, &env, context).await
}

/// Sends webhook messages at once. A message is never repeated: the rows of the deliveries say what is left to do.
#[worker::event(queue)]
async fn queue(batch: worker::MessageBatch<QueueMessage>, env: worker::Env, _: worker::Context) -> worker::Result<()> {
    if let Some(service) = app::for_jobs(&env) {
        let told: Vec<_> = batch.iter().filter_map(Result::ok).map(|message| message.body().clone()).collect();
        service.consume(&told).await;
    }
    Ok(())
}

/// The job of each minute.
#[worker::event(scheduled)]
async fn scheduled(_: worker::ScheduledEvent, env: worker::Env, _: worker::ScheduleContext) {
    if let Some(service) = app::for_jobs(&env) {
        service.sweep().await;
    }
}
