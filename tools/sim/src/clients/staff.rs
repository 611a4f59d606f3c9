//! Staff who take claims of a practice and move them.

use super::{Client, signed_in};
use crate::check::answers::record;
use crate::model::{Input, Op, Output};
use crate::network::{Reply, Request};
use crate::states;
use serde_json::{Value, json};

/// Works for a while.
pub(super) async fn work(client: &Client) {
    let plan = &client.world.plan;
    for _ in 0..plan.steps {
        if !client.world.is_day() {
            return;
        }
        client.world.pause(&client.dice, plan.pause * 2).await;
        let practice = &client.world.practices[client.practice].id;
        let queue = format!("/api/v1/staff/claims?practice_id={practice}&limit=10");
        let Some(reply) = call(client, Request::get(queue)).await else {
            continue;
        };
        let claims = reply.json["claims"].as_array().cloned().unwrap_or_default();
        if !claims.is_empty() {
            // Meanwhile, somebody else may change it.
            client.world.pause(&client.dice, plan.pause).await;
            act(client, client.dice.pick(&claims)).await;
        }
    }
}

/// Takes a claim that was received, or moves one that is reviewed.
async fn act(client: &Client, claim: &Value) {
    let (world, practice) = (&client.world, client.practice);
    let text = |name: &str| claim[name].as_str().unwrap_or_default().to_owned();
    let at = format!("/api/v1/staff/practices/{}/claims/{}", world.practices[practice].id, text("id"));
    let (to, path, body) = match (text("status").as_str(), client.dice.below(2)) {
        ("received", _) => ("reviewing", format!("{at}/take"), json!({})),
        ("reviewing", 0) => ("received", format!("{at}/moves"), json!({ "status": "received" })),
        ("reviewing", _) => ("closed", format!("{at}/moves"), json!({ "status": "closed", "reason": "no_grounds" })),
        _ => return,
    };
    let request = Request::post(path, &body)
        .with("if-match", format!("\"{}\"", claim["version"]))
        .with("idempotency-key", client.uuid());
    let began = world.moment();
    let mut reply = call(client, request.clone()).await;
    if reply.as_ref().is_none_or(|reply| reply.status >= 500) {
        // Under the same key, the answer of the first call comes again.
        reply = call(client, request).await;
    }
    let status = reply.map(|reply| reply.status);
    let output = match status {
        Some(200) => Output::Moved,
        None | Some(500..) => Output::Unknown,
        Some(_) => {
            if status == Some(409) {
                world.trace.sometimes(states::STALE_EDIT);
            }
            // A first call without an answer may be done later.
            Output::Unknown
        }
    };
    if output == Output::Moved {
        world.trace.sometimes(if to == "reviewing" { states::TAKEN } else { states::MOVED });
    }
    let ended = (output == Output::Moved).then(|| world.moment());
    let op = Op { practice, number: text("claim_number"), key: None, began, ended, input: Input::Move(to), output };
    record(world, op, Some(&text("id")));
}

async fn call(client: &Client, request: Request) -> Option<Reply> {
    let world = &client.world;
    let reply = world.call(signed_in(&world.staff, request)).await?;
    if reply.status == 500 {
        world.wrong(format!("staff get an internal error: {}", reply.text));
    }
    Some(reply)
}
