//! People whom several practices invite by the same address, who accept all at once: one account comes of it.

use super::Client;
use crate::clock::SECOND;
use crate::model::Join;
use crate::network::Request;
use crate::setup::PASSWORD;
use crate::states;
use futures_util::future::join_all;
use overturn_tests::link::{INVITATION, token_of};
use serde_json::json;

const MEMBERS: &str = "/api/v1/settings/members";
/// How many addresses there are.
const ADDRESSES: u64 = 2;
/// How long an email is waited for, in seconds.
const MAIL: u64 = 20;

/// Lets people join for a while, and lets some leave again.
pub(super) async fn join(client: &Client) {
    let world = &client.world;
    for _ in 0..world.plan.steps.min(5) {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 30).await;
        let address = format!("new{}@people.example", client.dice.below(ADDRESSES));
        let inviting: Vec<_> = (0..world.practices.len()).map(|practice| client.beside(practice)).collect();
        let invited = join_all(inviting.iter().map(|client| invite(client, &address))).await;
        join_all(invited.into_iter().zip(&inviting).filter_map(|(invited, client)| {
            let (member, token) = invited?;
            Some(accept(client, &address, member, token))
        }))
        .await;
        use_account(client, &address).await;
    }
}

/// Invites an address. Returns the account and the link's token, unless the email did not come.
async fn invite(client: &Client, address: &str) -> Option<(String, String)> {
    let world = &client.world;
    let body = json!({ "email": address, "role": "member" });
    let request = Request::post(MEMBERS, &body).with("idempotency-key", client.uuid());
    let before = world.platform.post.sent().len();
    let owner = &world.practices[client.practice].owner;
    let (_, reply) = client.insist(owner, request).await?.reply?;
    let member = reply.json["id"].as_str().filter(|_| matches!(reply.status, 200 | 201))?.to_owned();
    let of_practice = format!("Practice {}", client.practice);
    for _ in 0..MAIL {
        let sent = world.platform.post.sent();
        let letter = sent.iter().skip(before).find(|letter| letter.to == address && letter.text.contains(&of_practice));
        if let Some(link) = letter.and_then(|letter| letter.text.lines().find(|line| line.contains("#ovl_"))) {
            world.trace.sometimes(states::INVITED);
            return Some((member, token_of(link)));
        }
        world.scheduler.sleep(SECOND).await;
    }
    None
}

/// Accepts an invitation.
async fn accept(client: &Client, address: &str, member: String, token: String) {
    let (world, practice) = (&client.world, client.practice);
    let began = world.moment();
    let join = Join { address: address.into(), practice, member, began, ended: None, done: None, leaving: None };
    let place = {
        let names = &mut world.model.borrow_mut().names;
        if names.is_contested(&join) {
            world.trace.sometimes(states::NAME_CONTESTED);
        }
        names.joins.push(join);
        names.joins.len() - 1
    };
    let mut request = Request::post(INVITATION, &json!({ "token": token, "name": "Newcomer", "password": PASSWORD }));
    request.address = format!("203.0.113.{}", 100 + practice);
    let Some(reply) = world.call(request).await else {
        return;
    };
    let ended = world.moment();
    let problem = {
        let names = &mut world.model.borrow_mut().names;
        names.joins[place].ended = Some(ended).filter(|_| matches!(reply.status, 204 | 401 | 409));
        names.joins[place].done = match reply.status {
            204 => Some(true),
            409 => Some(false),
            _ => None,
        };
        names.problem(&names.joins[place])
    };
    match reply.status {
        204 => world.trace.sometimes(states::JOINED),
        409 => world.trace.sometimes(states::NAME_TAKEN),
        500 => world.wrong(format!("who accepts an invitation gets an internal error: {}", reply.text)),
        _ => {}
    }
    problem.into_iter().for_each(|problem| world.wrong(problem));
}

/// Signs in with an address that surely has an account, and sometimes leaves the practice then.
async fn use_account(client: &Client, address: &str) {
    let world = &client.world;
    let account = world.model.borrow().names.account(address).map(|join| (join.practice, join.member.clone()));
    let Some((practice, member)) = account else {
        return;
    };
    let mut request = Request::post("/api/v1/auth/session", &json!({ "email": address, "password": PASSWORD }));
    request.address = "203.0.113.200".to_owned();
    request.reach = world.reach_with_directory(practice);
    let reply = world.call(request).await;
    if let Some(reply) = reply.filter(|reply| matches!(reply.status, 200 | 401))
        && reply.json["practice"]["id"] != *world.practices[practice].id
    {
        world.wrong(format!("{address} joined practice {practice}, and a sign-in says {}", reply.text));
    }
    if client.dice.chance(6_000) {
        let asked = world.moment();
        world.model.borrow_mut().names.leaves(&member, asked);
        let request = Request::delete(format!("{MEMBERS}/{member}")).with("idempotency-key", client.uuid());
        let owner = client.beside(practice);
        let left = owner.insist(&world.practices[practice].owner, request).await.and_then(|left| left.reply);
        if left.is_some_and(|(_, left)| left.status == 204) {
            world.trace.sometimes(states::LEFT);
        }
    }
}
