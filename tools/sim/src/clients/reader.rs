//! A billing system that asks where claims stand.

use super::{Answered, Client};
use crate::check::answers::record;
use crate::model::{Input, Op, Output};
use crate::network::{Reply, Request};
use crate::states;

/// Reads for a while: mostly the numbers that several senders use.
pub(super) async fn read(client: &Client) {
    let plan = &client.world.plan;
    for step in 0..3 * plan.steps {
        if !client.world.is_day() {
            return;
        }
        client.pause().await;
        let number = match client.dice.chance(7_000) {
            true => format!("H{}", client.dice.below(plan.hot)),
            false => format!("S{}-{}-0", client.dice.below(plan.senders as u64), step / 3),
        };
        once(client, &number).await;
    }
}

/// Reads the status of a number. Returns the answer, if it says something.
pub(super) async fn once(client: &Client, number: &str) -> Option<Reply> {
    let practice = client.practice;
    let request = Request::get(format!("/api/v1/claims/status?claim_number={number}"));
    let (key, Answered { began, reply }) = client.call_with_key(request).await;
    let (ended, reply) = reply?;
    let claim = &reply.json["claim"];
    let text = |name: &str| claim[name].as_str().unwrap_or_default().to_owned();
    let (output, state) = match reply.status {
        200 => (Output::Found { id: text("id"), status: text("status") }, states::READ),
        404 => (Output::Absent, states::ABSENT),
        _ => return None,
    };
    client.world.trace.sometimes(state);
    let id = text("id");
    let told = Some(id.as_str()).filter(|id| !id.is_empty());
    let (input, ended) = (Input::Read, Some(ended));
    let op = Op { practice, number: number.to_owned(), key: Some(key), began, ended, input, output };
    record(&client.world, op, told);
    let is_signed = client.world.model.borrow().signing.is_signed(&id, began);
    if is_signed && claim["signing"]["status"] != "signed" {
        client.world.wrong(format!("claim {id} is not signed after its signature was answered: {claim}"));
    }
    Some(reply)
}
