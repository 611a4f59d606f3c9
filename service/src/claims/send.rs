//! `POST /api/v1/claims` and `POST /api/v1/denials`: sends of claims.

pub(crate) mod alarm;
pub(crate) mod batch;
mod corrections;
mod course;
mod fills;
pub(crate) mod load;
mod mismatches;
mod new;
pub(crate) mod scripted;
pub(crate) mod sender;

use crate::app::App;
use crate::auth::scope::Scope;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, SendRequest, WriteRequest};
use crate::pipeline::key as authorize;
use crate::rate_limiter::Group;
use crate::request::error::RequestError;
use crate::response::{self, Gives, Response};
use course::Asking;
use http::StatusCode;
use overturn_core::base::ctx::Ctx;
use overturn_core::claims::intake::{self, SendResponse, ValidSend};
use std::rc::Rc;

/// The answer to a send, which the claims interface describes.
pub(crate) enum SentClaims {}

#[cfg(feature = "schema")]
overturn_core::described! { SentClaims = { "$ref": "../openapi.yaml#/components/schemas/SendResponse" } }

/// `POST /api/v1/claims`.
///
/// 1. The key has a valid form, or `401`.
/// 2. Read the body and its problems.
/// 3. Take what is known of the caller, or load the caller and the claims, in parallel with the limiter.
/// 4. May the caller send? `401`, `429`, `403`. Is the request valid? `408`, `413`, `422`.
/// 5. Decide and write until nothing is left to write. If the caller's rights have ended, or a claim that was taken for
///    new is not, load and go back to 4. `429` if too many resends of the day did not match their claims.
/// 6. `201` if a claim was new, `200` otherwise.
///
/// A sender that is known sends new claims in one round trip.
pub(crate) async fn send(SendRequest { call, key, body }: SendRequest) -> Result<Response, AppError> {
    authorize::by_clock(&call, &key, async |call| sent(&call, &key, &body).await).await
}

async fn sent(call: &Rc<Call>, key: &PresentedKey, body: &Result<Vec<u8>, RequestError>) -> Result<Response, AppError> {
    let parsed = parse(body, &call.ctx);
    let (loaded, verdict) = match parsed.as_ref().ok().and_then(|_| course::assumed(call, key)) {
        Some((known, verdict)) => (known, Some(verdict)),
        None => course::load_and_count(call, key, parsed.as_ref().ok(), None).await?,
    };
    let used = authorize::authorize(call, loaded.credential(), verdict, Scope::ClaimsWrite);
    let asking = Asking::Key(key, verdict);
    let outcome = course::settle(call, asking, parsed.as_ref(), loaded).await;
    authorize::record_use(call, used);
    let answer = outcome?;
    learn(call, key, &answer, parsed.as_ref().ok());
    Ok(response(call, &answer, parsed.as_ref().ok()))
}

/// Remembers what the answer says of the sender, and counts calls ahead if the next send is probably of new claims.
fn learn(call: &Rc<Call>, key: &PresentedKey, answer: &SendResponse<'_>, send: Option<&ValidSend<'_>>) {
    let App { memory, settings, host, .. } = call.app.as_ref();
    let expects_new = memory.keys.with(key.hash(), |known| {
        known.learn(answer, send);
        known.sender(host.now()).is_some()
    });
    // What a sandbox knows is loaded for each send.
    if expects_new == Some(true) && call.clock.is_none() {
        authorize::count_ahead(call, key, (Group::Sends, settings.limits.sends), |known| &mut known.sends);
    }
}

/// The body of a send, or its problems.
fn parse<'a>(body: &'a Result<Vec<u8>, RequestError>, ctx: &Ctx) -> Result<ValidSend<'a>, RequestError> {
    let body = body.as_ref().map_err(RequestError::clone)?;
    intake::parse(body, ctx).map_err(RequestError::Invalid)
}

fn response(call: &Call, answer: &SendResponse<'_>, send: Option<&ValidSend<'_>>) -> Response {
    match call.clock {
        Some(_) => response::json(status(answer), &scripted::advised(answer, send)),
        None => response::json(status(answer), answer),
    }
}

/// `201` if a claim was new, `200` otherwise.
const fn status(answer: &SendResponse<'_>) -> StatusCode {
    if answer.submission_id.is_some() { StatusCode::CREATED } else { StatusCode::OK }
}

/// `sendDenials`: Send one claim or a batch.
///
/// For everyone in an active practice that has signed the agreement. Needs a session. The body is one item, or 1 to
/// 100 items under `claims`, and has at most 2 MiB. The answer is `201` if at least one claim was new. A billing system uses `POST
/// /api/v1/claims` with an API key instead. The body, the rules and the answer are the same: a claim number that
/// was sent before for the same patient and claim gets `created: false`, so you can repeat the request after a lost
/// answer. An `Idempotency-Key` is not needed and has no effect. The audit trail names the person.
pub(crate) async fn send_as_person(request: WriteRequest<AnyBody>) -> Result<Gives<SentClaims, 200, 201>, AppError> {
    let parsed = parse(&request.bytes, request.ctx());
    let loaded = course::load_send_of_person(&request, parsed.as_ref().ok(), true).await?;
    let asking = Asking::Person(&request);
    let answer = course::settle(&request.call, asking, parsed.as_ref(), loaded).await?;
    Ok(response(&request.call, &answer, parsed.as_ref().ok()).into())
}
