//! A look after weeks: what was handed out for a shorter time works no more, and what stays is as it was.

use super::patient::BORN;
use super::{Client, reader, signed_in};
use crate::clock::MS;
use crate::network::Request;
use crate::states;
use overturn_tests::link::{CONFIRM, VERIFY};
use serde_json::json;

/// Tries everything once.
pub(super) async fn look(client: &Client) {
    let (world, practice) = (&client.world, client.practice);
    let of_practice = &world.practices[practice];
    for person in [&of_practice.owner, &of_practice.member] {
        refused(client, signed_in(person, Request::get("/api/v1/denials?limit=1"))).await;
    }
    let (tokens, mailed, links) = {
        let model = world.model.borrow();
        let tokens = model.access.tokens.iter().filter(|token| token.practice == practice);
        let mailed = model.passwords.links.iter().filter(|link| link.guest == practice && link.presses == 0);
        let links = model.signing.links.iter().filter(|link| link.practice == practice && link.asked.is_none());
        let tokens: Vec<_> = tokens.map(|token| token.text.clone()).collect();
        let mailed: Vec<_> = mailed.map(|link| link.token.clone()).collect();
        (tokens, mailed, links.map(|link| link.token.clone()).collect::<Vec<_>>())
    };
    for token in tokens {
        let read = Request::get("/api/v1/denials?limit=1");
        refused(client, read.with("authorization", format!("Bearer {token}"))).await;
    }
    for token in mailed {
        for target in [CONFIRM, VERIFY] {
            refused(client, Request::post(target, &json!({ "token": token, "password": "a long later password" })))
                .await;
        }
    }
    for token in links {
        let form = Request::form("/sign", &[&[("token", &*token)], &BORN[..]].concat());
        if let Some(page) = world.call(form).await {
            world.trace.sometimes(states::LATER_LINK);
            if page.status == 200 {
                world.wrong("a signing link opens its page after weeks".to_owned());
            }
        }
    }
    if world.plan.years {
        let keys = &world.model.borrow().access.keys.clone();
        for key in keys.iter().filter(|key| key.practice == practice && !key.text.is_empty()) {
            let read = Request::get("/api/v1/claims/status?claim_number=H0");
            refused(client, read.with("authorization", format!("Bearer {}", key.text))).await;
            world.trace.sometimes(states::KEYS_EXPIRED);
        }
        return;
    }
    let numbers = world.model.borrow().numbers();
    for (_, number) in numbers.into_iter().filter(|(of, _)| *of == practice) {
        reader::once(client, &number).await;
        world.scheduler.sleep(250 * MS).await;
    }
}

async fn refused(client: &Client, request: Request) {
    let world = &client.world;
    match world.call(request.clone()).await.map(|reply| reply.status) {
        Some(401) => world.trace.sometimes(states::LATER_REFUSED),
        None | Some(408 | 429 | 500..) => {}
        Some(status) => world.wrong(format!("{} is answered {status} after weeks", request.target)),
    }
}
