//! The owner of a practice, who registers an endpoint, rotates keys, ends the agreement and signs it again.

use super::Client;
use crate::clock::SECOND;
use crate::model::{Access, Ending, KeyLife};
use crate::network::Request;
use crate::setup::Person;
use crate::states;
use crate::world::Practice;
use futures_util::future::{join, select};
use serde_json::json;
use std::pin::pin;

const KEYS: &str = "/api/v1/settings/api_keys";
const AGREEMENTS: &str = "/api/v1/settings/agreements";

/// Manages for a while.
pub(super) async fn manage(client: &Client) {
    let plan = &client.world.plan;
    if plan.webhooks {
        register(client).await;
    }
    let mut agreement = client.world.practices[client.practice].agreement.clone();
    for _ in 0..plan.steps {
        if !client.world.is_day() {
            return;
        }
        client.world.pause(&client.dice, plan.pause * 3).await;
        if plan.rotates {
            rotate(client).await;
        }
        if plan.sessions && client.dice.chance(5_000) {
            end_sessions(client).await;
        }
        if plan.ends_agreement && plan.leaving() != Some(client.practice) && client.dice.chance(4_000) {
            let Some(next) = end_and_sign(client, &agreement).await else {
                return;
            };
            agreement = next;
        }
    }
}

/// Rotates keys beside the other owner.
pub(super) async fn help(client: &Client) {
    for _ in 0..client.world.plan.steps {
        client.world.pause(&client.dice, client.world.plan.pause * 3).await;
        if !client.world.is_day() {
            return;
        }
        rotate(client).await;
    }
}

/// Two owners remove each other at once: one stays.
pub(super) async fn remove_each_other(client: &Client) {
    let world = &client.world;
    let Practice { owner, partner, .. } = &world.practices[client.practice];
    let remove = async |by: &Person, other: &Person| {
        let target = format!("/api/v1/settings/members/{}", other.id);
        let request = Request::delete(target).with("idempotency-key", client.uuid());
        client.insist(by, request).await.and_then(|answered| answered.reply).map_or(0, |(_, reply)| reply.status)
    };
    let statuses = join(remove(owner, partner), remove(partner, owner)).await;
    match statuses {
        (204, 401 | 402) | (401 | 402, 204) => world.trace.sometimes(states::PARTED),
        // They have not shown a second factor for too long.
        (402, 402) if world.scheduler.now() > 580 * SECOND => {}
        _ => world.wrong(format!("two owners who remove each other are answered {statuses:?}")),
    }
}

/// The endpoint of a practice.
pub(crate) fn endpoint(practice: usize) -> String {
    format!("http://127.0.0.1:9/practice/{practice}")
}

async fn register(client: &Client) {
    let owner = client.owner();
    let url = endpoint(client.practice);
    let body = json!({ "url": url, "events": ["claim.status_changed", "claim.deadline_changed"] });
    let request = Request::post("/api/v1/settings/webhooks", &body).with("idempotency-key", client.uuid());
    let _registered = client.insist(owner, request).await;
}

/// Makes a key, switches over, and revokes the old one.
async fn rotate(client: &Client) {
    let (world, practice) = (&client.world, client.practice);
    let Some(made) = make_key(client, KEYS).await else {
        return;
    };
    let (new, old) = (world.model.borrow().access.keys.len(), world.practices[practice].key.get());
    let is_known = !made.text.is_empty();
    world.model.borrow_mut().access.keys.push(made);
    if is_known {
        world.practices[practice].key.set(new);
        world.trace.sometimes(states::KEY_ROTATED);
        world.pause(&client.dice, world.plan.pause).await;
        revoke(client, KEYS, |access| &mut access.keys[old]).await;
    } else {
        world.trace.sometimes(states::KEY_REPEATED);
        revoke(client, KEYS, |access| &mut access.keys[new]).await;
    }
}

/// Makes a key. It has no text if the first answer was lost, and with it the key.
pub(super) async fn make_key(client: &Client, among: &str) -> Option<KeyLife> {
    let (world, practice) = (&client.world, client.practice);
    let body = json!({ "name": "Billing", "scopes": ["claims:write", "claims:read"] });
    let key = client.uuid();
    let request = Request::post(among, &body).with("idempotency-key", key.clone());
    world.model.borrow_mut().access.asked_for_keys.push(practice);
    let (_, reply) = client.insist(client.owner(), request).await?.reply?;
    if reply.status != 201 {
        return None;
    }
    // A destruction deletes what was answered.
    if world.plan.leaving() != Some(practice) && client.dice.chance(1_500) {
        misuse(client, &key, among).await;
    }
    let text = |name: &str| reply.json[name].as_str().map(str::to_owned);
    let Some(id) = text("id") else {
        world.wrong("a new key has no id".to_owned());
        return None;
    };
    Some(KeyLife { practice, id, text: text("key").unwrap_or_default(), revoking: None, revoked: None })
}

/// Asks for something else under a key whose request was answered.
async fn misuse(client: &Client, key: &str, among: &str) {
    let body = json!({ "name": "Another", "scopes": ["claims:read"] });
    let request = Request::post(among, &body).with("idempotency-key", key.to_owned());
    match client.insist(client.owner(), request).await.and_then(|answered| answered.reply) {
        Some((_, reply)) if reply.status != 422 => {
            client.world.wrong(format!("another request under a key is answered {}: {}", reply.status, reply.text));
        }
        Some(_) => client.world.trace.sometimes(states::KEY_MISUSED),
        None => {}
    }
}

/// Ends all sessions of the guest, and sometimes the account with them.
async fn end_sessions(client: &Client) {
    let (world, practice) = (&client.world, client.practice);
    let Practice { owner, guest, guest_writes, .. } = &world.practices[practice];
    if client.dice.chance(7_000) {
        // The worst moment is that of a write.
        let _written = select(pin!(guest_writes.notified()), world.scheduler.sleep(30 * SECOND)).await;
    }
    let removes = client.dice.chance(1_000);
    let asked = world.moment();
    let place = {
        let endings = &mut world.model.borrow_mut().sessions.endings;
        endings.push(Ending { practice, asked, told: None, removes });
        endings.len() - 1
    };
    let member = format!("/api/v1/settings/members/{}", guest.id);
    let target = if removes { member } else { format!("{member}/sessions") };
    let request = Request::delete(target).with("idempotency-key", client.uuid());
    let answered = client.insist(owner, request).await;
    if let Some((told, reply)) = answered.and_then(|answered| answered.reply)
        && reply.status == 204
    {
        world.trace.sometimes(if removes { states::MEMBER_REMOVED } else { states::SESSIONS_ENDED });
        world.model.borrow_mut().sessions.endings[place].told = Some(told);
    }
}

/// Revokes a key or a token, and records when this was asked for and answered.
pub(super) async fn revoke(client: &Client, among: &str, life: impl Fn(&mut Access) -> &mut KeyLife) {
    let world = &client.world;
    let owner = client.owner();
    let asked = world.moment();
    let id = {
        let mut model = world.model.borrow_mut();
        let life = life(&mut model.access);
        life.revoking = life.revoking.or(Some(asked));
        life.id.clone()
    };
    let request = Request::delete(format!("{among}/{id}"));
    // Two windows of a browser may ask for it at once.
    let other = async {
        if client.dice.chance(4_000) {
            let _answered = client.insist(owner, request.clone()).await;
        }
    };
    let (answered, ()) = join(client.insist(owner, request.clone()), other).await;
    if let Some((ended, reply)) = answered.and_then(|answered| answered.reply)
        && reply.status == 204
    {
        life(&mut world.model.borrow_mut().access).revoked = Some(ended);
    }
}

/// Ends the agreement. `None` if that was not answered.
pub(super) async fn end(client: &Client, agreement: &str) -> Option<()> {
    let (world, practice) = (&client.world, client.practice);
    let owner = client.owner();
    let asked = world.moment();
    world.model.borrow_mut().access.agreements[practice].ends.push((asked, None));
    let request = Request::post(format!("{AGREEMENTS}/{agreement}/end"), &json!({}));
    let request = request.with("idempotency-key", client.uuid());
    let (ended, reply) = client.insist(owner, request).await?.reply?;
    if reply.status != 200 {
        world.wrong(format!("the end of an agreement is answered {}: {}", reply.status, reply.text));
        return None;
    }
    world.trace.sometimes(states::AGREEMENT_ENDED);
    world.model.borrow_mut().access.agreements[practice].ends.last_mut()?.1 = Some(ended);
    Some(())
}

/// Ends the agreement and signs it again. Returns the new one, `None` if something was not answered.
async fn end_and_sign(client: &Client, agreement: &str) -> Option<String> {
    end(client, agreement).await?;
    let (world, practice) = (&client.world, client.practice);
    let owner = client.owner();
    world.scheduler.sleep(client.dice.between(0, 10 * SECOND)).await;
    let listed = client.insist(owner, Request::get(AGREEMENTS)).await?.reply?.1;
    let version = listed.json["agreements"][0]["version"].as_str()?.to_owned();
    let body = json!({ "kind": "baa", "version": version, "signer_name": "Ann Lee", "signer_title": "Partner" });
    let asked = world.moment();
    world.model.borrow_mut().access.agreements[practice].signatures.push((asked, None));
    let request = Request::post(AGREEMENTS, &body).with("idempotency-key", client.uuid());
    let (signed, reply) = client.insist(owner, request).await?.reply?;
    if reply.status != 201 {
        world.wrong(format!("a signature is answered {}: {}", reply.status, reply.text));
        return None;
    }
    world.trace.sometimes(states::AGREEMENT_SIGNED);
    world.model.borrow_mut().access.agreements[practice].signatures.last_mut()?.1 = Some(signed);
    reply.json["id"].as_str().map(str::to_owned)
}
