//! A practice that leaves: its owner ends the agreement, takes all data, and has it destroyed. The operator lets the destruction
//! begin at once, and the jobs of each minute carry it out.

use super::{Answered, Client, developer, owner};
use crate::clock::SECOND;
use crate::network::{Reply, Request};
use crate::setup;
use crate::states;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const JOBS: &str = "/api/v1/settings/data_jobs";
/// How often the operator tries.
const ATTEMPTS: u64 = 8;
/// The most pages of a return, with those that are asked for again.
const PAGES: usize = 60;

/// Leaves in the course of the day.
pub(super) async fn leave(client: &Client) {
    let world = &client.world;
    if world.plan.tries {
        developer::try_out(client).await;
    }
    world.scheduler.sleep(client.dice.between(20 * SECOND, 200 * SECOND)).await;
    let agreement = world.practices[client.practice].agreement.clone();
    if owner::end(client, &agreement).await.is_none() {
        return;
    }
    // What was under way is over. Only what was answered before has to be in the copy.
    world.scheduler.sleep(60 * SECOND).await;
    if client.dice.chance(7_000) {
        take(client).await;
    }
    if client.dice.chance(7_000) {
        destroy(client).await;
    }
}

/// A call of the owner until it is answered.
async fn own(client: &Client, request: Request) -> Option<Reply> {
    let owner = &client.world.practices[client.practice].owner;
    let Answered { reply, .. } = client.insist(owner, request).await?;
    reply.map(|(_, reply)| reply)
}

async fn request(client: &Client, body: &Value) -> Option<String> {
    let reply = own(client, Request::post(JOBS, body).with("idempotency-key", client.uuid())).await?;
    if reply.status != 201 {
        client.world.wrong(format!("a request for {body} is answered {}: {}", reply.status, reply.text));
        return None;
    }
    reply.json["id"].as_str().map(str::to_owned)
}

/// Takes the copy of all data, page after page: each claim is in it once.
async fn take(client: &Client) {
    let world = &client.world;
    let began = world.moment();
    let Some(job) = request(client, &json!({ "kind": "return" })).await else {
        return;
    };
    let mut next = Some(format!("{JOBS}/{job}/records"));
    let (mut claims, mut bytes) = (Vec::new(), 0);
    for _ in 0..PAGES {
        let Some(target) = &next else { break };
        let Some(page) = own(client, Request::get(target.clone())).await else {
            return;
        };
        if page.status != 200 {
            return world.wrong(format!("a page of a return is answered {}: {}", page.status, page.text));
        }
        bytes += page.text.len();
        let records = page.text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
        let of_claims = records.filter(|record| record["type"] == "claim");
        claims.extend(of_claims.filter_map(|record| record["id"].as_str().map(str::to_owned)));
        next = page.header("link").and_then(|link| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned()));
    }
    complete(client, began, &claims, next.is_some());
    let listed = own(client, Request::get(JOBS)).await.filter(|listed| listed.status == 200);
    let report = listed.as_ref().and_then(|listed| {
        let jobs = listed.json["data_jobs"].as_array()?;
        jobs.iter().find(|of| of["id"] == *job).map(|of| &of["report"]["bytes"])
    });
    if report.is_some_and(|told| *told != bytes) {
        world.wrong(format!("a return of {bytes} bytes is reported as one of {report:?}"));
    }
    world.trace.sometimes(states::RETURNED);
}

/// Compares the claims on all pages with those that were there before.
fn complete(client: &Client, began: u64, claims: &[String], has_more: bool) {
    let once: BTreeSet<_> = claims.iter().map(String::as_str).collect();
    let model = client.world.model.borrow();
    let left_out = model.claims_before(client.practice, began).into_iter().find(|claim| !once.contains(claim));
    if has_more || once.len() < claims.len() || left_out.is_some() {
        let all = claims.len();
        client.world.wrong(format!("a return has {all} claims, {} of them once, without {left_out:?}", once.len()));
    }
}

/// Has all data destroyed.
async fn destroy(client: &Client) {
    let (world, practice) = (&client.world, client.practice);
    let name = setup::name(practice);
    let body = json!({ "kind": "destruction", "practice_name": name });
    world.model.borrow_mut().may_leave = true;
    let Some(job) = request(client, &body).await else {
        return;
    };
    // It waits for days, and can be canceled.
    let cancel = Request::post(format!("{JOBS}/{job}/cancel"), &json!({})).with("idempotency-key", client.uuid());
    let Some(canceled) = own(client, cancel).await else {
        return;
    };
    if canceled.status != 200 || canceled.json["state"] != "cancelled" {
        return world.wrong(format!("a destruction that waits is not canceled: {}", canceled.text));
    }
    world.model.borrow_mut().may_leave = false;
    world.trace.sometimes(states::DESTRUCTION_CANCELED);
    if client.dice.chance(2_500) {
        return;
    }
    for _ in 0..ATTEMPTS {
        if world.destroy(practice, &name) {
            return follow(client).await;
        }
        // The rows wait for a move.
        world.pause(&client.dice, 20).await;
    }
}

/// Waits until it is done.
async fn follow(client: &Client) {
    loop {
        client.world.scheduler.sleep(20 * SECOND).await;
        let listed = own(client, Request::get(JOBS)).await;
        let Some(list) = listed.filter(|listed| listed.status == 200) else {
            continue;
        };
        let jobs = list.json["data_jobs"].as_array().into_iter().flatten();
        let mut all = jobs.filter(|job| job["kind"] == "destruction").filter_map(|job| job["state"].as_str());
        match all.find(|state| *state != "cancelled") {
            Some("done") => return client.world.trace.sometimes(states::DESTROYED),
            Some("waiting" | "running") => {}
            _ => return client.world.wrong(format!("a destruction that began is {}", list.text)),
        }
    }
}
