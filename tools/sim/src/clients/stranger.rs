//! Somebody who tries the key and the session of a practice in cells that did not make them, and its ids with a credential of
//! another practice.

use super::{Client, signed_in};
use crate::check::answers::Asker;
use crate::network::Request;
use crate::states;

/// Tries for a while.
pub(super) async fn try_all(client: &Client) {
    let world = &client.world;
    for _ in 0..world.plan.steps.min(3) {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 40).await;
        let practice = &world.practices[client.practice];
        for (key, person) in &practice.stamped_elsewhere {
            let read = Request::get("/api/v1/claims/status?claim_number=H0");
            refused(client, read.with("authorization", format!("Bearer {key}"))).await;
            refused(client, signed_in(person, Request::get("/api/v1/denials?limit=1"))).await;
        }
        foreign(client).await;
    }
}

/// Nothing may be found by a credential with the number of another cell.
async fn refused(client: &Client, request: Request) {
    let world = &client.world;
    let Some(reply) = world.call(request.clone()).await else {
        return;
    };
    match reply.status {
        401 => world.trace.sometimes(states::STAMP_REFUSED),
        429 | 500.. => {}
        status => world.wrong(format!("{} with the number of another cell is answered {status}", request.target)),
    }
}

/// Asks for a claim of another practice, whose id names its cell.
async fn foreign(client: &Client) {
    let world = &client.world;
    let claim = {
        let model = world.model.borrow();
        let others = (0..world.practices.len()).filter(|practice| *practice != client.practice);
        let all: Vec<_> = others.flat_map(|other| model.claims_before(other, u64::MAX)).map(str::to_owned).collect();
        if all.is_empty() { return } else { client.dice.pick(&all).clone() }
    };
    let member = &world.practices[client.practice].member;
    let request = Request { reach: world.reach(client.practice), ..Request::get(format!("/api/v1/denials/{claim}")) };
    let answered = client.call(signed_in(member, request), Asker::Person).await;
    if let Some((_, reply)) = answered.reply.filter(|(_, reply)| reply.status < 500 && reply.status != 429)
        && !matches!(reply.status, 403 | 404)
    {
        world.wrong(format!("claim {claim} is answered {} to practice {}", reply.status, client.practice));
    }
}
