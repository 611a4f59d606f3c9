//! An owner who makes API tokens, and integrations that work with them while they are revoked.

use super::{Client, archivist, owner};
use crate::check::answers::Asker;
use crate::model::KeyLife;
use crate::network::Request;
use crate::states;
use futures_util::future::join;
use serde_json::json;

const TOKENS: &str = "/api/v1/settings/api_tokens";

/// Makes tokens for a while, and lets each do something.
pub(super) async fn integrate(client: &Client) {
    let world = &client.world;
    for _ in 0..world.plan.steps {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, world.plan.pause * 2).await;
        let Some(token) = make(client).await else {
            continue;
        };
        let ends = async {
            world.pause(&client.dice, world.plan.pause).await;
            owner::revoke(client, TOKENS, |access| &mut access.tokens[token]).await;
        };
        join(work(client, token), ends).await;
        call(client, token).await;
    }
}

/// Makes a token. Returns its place in the model, unless the answer with its text was lost.
async fn make(client: &Client) -> Option<usize> {
    let (world, practice) = (&client.world, client.practice);
    let body = json!({ "name": "Warehouse", "scopes": ["denials:read", "documents:write"], "expires_in_days": 30 });
    let request = Request::post(TOKENS, &body).with("idempotency-key", client.uuid());
    world.model.borrow_mut().access.asked_for_tokens.push(practice);
    let (_, reply) = client.insist(client.owner(), request).await?.reply?;
    let text = |name: &str| reply.json[name].as_str().map(str::to_owned);
    let made = KeyLife { practice, id: text("id")?, text: text("token")?, revoking: None, revoked: None };
    let tokens = &mut world.model.borrow_mut().access.tokens;
    tokens.push(made);
    Some(tokens.len() - 1)
}

/// Works until the token is refused.
async fn work(client: &Client, token: usize) {
    for _ in 0..client.dice.between(2, 8) {
        if call(client, token).await == Some(401) {
            return;
        }
        client.pause().await;
    }
}

/// Reads denials or uploads a document. Returns the status of the answer.
async fn call(client: &Client, token: usize) -> Option<u16> {
    let request = match client.dice.chance(5_000) {
        true => Request::get("/api/v1/denials?limit=2"),
        false => archivist::sent(client, &archivist::document(client, "")),
    };
    let text = client.world.model.borrow().access.tokens[token].text.clone();
    let request = Request { reach: client.world.reach(client.practice), ..request };
    let request = request.with("authorization", format!("Bearer {text}"));
    let (_, reply) = client.call(request, Asker::Token(token)).await.reply?;
    match reply.status {
        200 | 201 => client.world.trace.sometimes(states::TOKEN_WORKS),
        401 => client.world.trace.sometimes(states::TOKEN_REFUSED),
        _ => {}
    }
    Some(reply.status)
}
