//! An integration that follows all changes of a practice's claims by their cursor.

use super::Client;
use crate::network::Request;
use crate::states;
use serde_json::Value;
use std::collections::BTreeMap;

/// What an integration knows.
pub(super) struct Followed {
    cursor: String,
    /// The claims by their ids.
    pub(super) claims: BTreeMap<String, Value>,
}

impl Followed {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self { cursor: "start".to_owned(), claims: BTreeMap::new() }
    }

    /// Reads on until there is nothing more. False if an answer did not come.
    pub(super) async fn catch_up(&mut self, client: &Client) -> bool {
        let member = &client.world.practices[client.practice].member;
        let trace = &client.world.trace;
        for page in 0..1_000 {
            let target = format!("/api/v1/denials?changes_after={}&limit=5", self.cursor);
            let answered = client.call_as(member, Request::get(target)).await;
            let Some((_, reply)) = answered.reply.filter(|(_, reply)| reply.status == 200) else {
                return false;
            };
            trace.sometimes(if page == 0 { states::FOLLOWED } else { states::FOLLOWED_MORE });
            if client.world.model.borrow().moves.is_open(client.practice) {
                trace.sometimes(states::FOLLOWED_MOVING);
            }
            for claim in reply.json["denials"].as_array().into_iter().flatten() {
                let id = claim["id"].as_str().unwrap_or_default().to_owned();
                if let Some(other) = client.world.model.borrow_mut().told(&id, client.practice) {
                    client.world.wrong(format!("a follower of practice {} sees a claim of {other}", client.practice));
                }
                let before = self.claims.insert(id.clone(), claim.clone());
                // The fifth try at a date of birth ends a link until it proves right.
                if before.as_ref() == Some(claim) && claim["signing"]["status"] != "needed" {
                    client.world.wrong(format!("a follower sees the same change of claim {id} twice"));
                }
            }
            self.cursor = reply.json["changes_cursor"].as_str().unwrap_or_default().to_owned();
            if reply.json["more"] == false {
                return true;
            }
        }
        client.world.wrong("the changes never end".to_owned());
        false
    }
}

/// Follows for a while, and at the end knows what somebody knows who begins then.
pub(super) async fn follow(client: &Client) {
    let mut followed = Followed::new();
    while client.world.is_day() {
        client.world.pause(&client.dice, 20).await;
        followed.catch_up(client).await;
    }
    // The last changes are made within the patience of their callers and the trips of their batches.
    client.world.scheduler.sleep(120 * crate::clock::SECOND).await;
    let mut fresh = Followed::new();
    let has_all = followed.catch_up(client).await && fresh.catch_up(client).await;
    if has_all && followed.claims != fresh.claims {
        let missed = fresh.claims.iter().filter(|(id, claim)| followed.claims.get(*id) != Some(claim));
        let missed: Vec<_> = missed.map(|(id, _)| id.as_str()).collect();
        client.world.wrong(format!("a follower of practice {} missed changes of {missed:?}", client.practice));
    }
}
