//! A patient at a phone, who opens the link that the practice shows, enters the date of birth and signs.

use super::{Client, reader};
use crate::check::answers::{self, MARK};
use crate::clock::SECOND;
use crate::model::TRIES;
use crate::network::{Reply, Request};
use crate::states;

/// The date of birth of all patients.
pub(super) const BORN: [(&str, &str); 3] = [("month", "2"), ("day", "29"), ("year", "1980")];
const WRONG: [(&str, &str); 3] = [("month", "2"), ("day", "28"), ("year", "1980")];
/// How often each step is tried.
const ATTEMPTS: u64 = 4;

/// Signs what is to sign, for a while.
pub(super) async fn sign(client: &Client) {
    let world = &client.world;
    for _ in 0..4 * world.plan.steps {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 20).await;
        let needed: Vec<String> = {
            let model = world.model.borrow();
            let own = model.signing.needed.iter().filter(|(practice, _)| *practice == client.practice);
            own.map(|(_, number)| number.clone()).collect()
        };
        if !needed.is_empty() {
            let number = client.dice.pick(&needed);
            let link = match client.dice.chance(1_500) {
                true => older_link(client),
                false => shown_link(client, number).await,
            };
            // Some open it later, or never.
            if let Some(link) = link.filter(|_| !client.dice.chance(1_500)) {
                by_link(client, link).await;
            }
        }
    }
}

/// Opens each link of the practice that is over.
pub(super) async fn try_ended(client: &Client) {
    let world = &client.world;
    let links = world.model.borrow().signing.links.len();
    for link in 0..links {
        let ended = {
            let signing = &world.model.borrow().signing;
            let is_own = signing.links[link].practice == client.practice && signing.is_dead(link, world.moment());
            is_own.then(|| signing.links[link].token.clone())
        };
        if let Some(token) = ended {
            repeat(client, link, &Request::get(format!("/sign?token={token}"))).await;
            repeat(client, link, &Request::form("/sign", &[&[("token", &*token)], &BORN[..]].concat())).await;
        }
    }
}

/// A link that was shown before, as it is in a message on the phone.
fn older_link(client: &Client) -> Option<usize> {
    let model = client.world.model.borrow();
    let links = model.signing.links.iter().enumerate();
    let own: Vec<_> = links.filter(|(_, link)| link.practice == client.practice).map(|(n, _)| n).collect();
    (!own.is_empty()).then(|| *client.dice.pick(&own))
}

/// The link that a status read shows.
async fn shown_link(client: &Client, number: &str) -> Option<usize> {
    let claim = &reader::once(client, number).await?.json["claim"];
    let (_, token) = claim["signing"]["link"].as_str()?.split_once("?token=")?;
    let world = &client.world;
    world.trace.sometimes(states::LINK_SHOWN);
    if claim["signing"]["appeal_button"] != true || claim["signing"]["status"] != "needed" {
        world.wrong(format!("a link is shown with {}", claim["signing"]));
    }
    let at = world.moment();
    let id = claim["id"].as_str().unwrap_or_default();
    Some(world.model.borrow_mut().signing.told(client.practice, id, token, at))
}

async fn by_link(client: &Client, link: usize) {
    let world = &client.world;
    let token = world.model.borrow().signing.links[link].token.clone();
    let page = repeat(client, link, &Request::get(format!("/sign?token={token}"))).await;
    if let Some(page) = page {
        names_nobody(client, &page);
    }
    // Some mistype it, and who found a link guesses until it ends.
    let guesses = if client.dice.chance(600) { TRIES + 1 } else { u32::from(client.dice.chance(2_000)) };
    for _ in 0..guesses {
        let form = Request::form("/sign", &[&[("token", &*token)], &WRONG[..]].concat());
        if let Some(page) = repeat(client, link, &form).await {
            names_nobody(client, &page);
            if page.status == 200 {
                world.wrong("a wrong date of birth opens the page".to_owned());
            }
            // Each answered one was counted, also the last one, which does not say so any more.
            if matches!(page.status, 404 | 422) {
                world.trace.sometimes(states::BIRTH_REFUSED);
                if world.model.borrow_mut().signing.refused(link, world.moment()) {
                    world.trace.sometimes(states::LINK_GUESSED);
                }
            }
        }
    }
    let form = Request::form("/sign", &[&[("token", &*token)], &BORN[..]].concat());
    let Some(page) = repeat(client, link, &form).await.filter(|page| page.status == 200) else {
        return;
    };
    let Some(proof) = hidden(&page, "proof") else {
        return world.wrong(format!("the page has no proof: {}", page.text));
    };
    // The patient reads it.
    world.pause(&client.dice, 30).await;
    let fields = [("token", &*token), ("proof", &*proof), ("relation", "patient"), ("name", "A"), ("consent", "yes")];
    let asked = world.moment();
    {
        let link = &mut world.model.borrow_mut().signing.links[link];
        link.asked = link.asked.or(Some(asked));
    }
    let form = Request::form("/sign/signature", &fields);
    if let Some(page) = repeat(client, link, &form).await
        && page.status == 200
    {
        world.trace.sometimes(states::SIGNED);
        let at = world.moment();
        world.model.borrow_mut().signing.signed(link, at);
        // Nobody knows whether the button was pressed, and presses it again.
        if client.dice.chance(3_000) {
            repeat(client, link, &form).await;
        }
    }
}

/// Sends a form again until an answer comes.
async fn repeat(client: &Client, link: usize, request: &Request) -> Option<Reply> {
    let world = &client.world;
    for attempt in 0..ATTEMPTS {
        let mut request = request.clone();
        request.address = format!("198.51.100.{}", client.practice);
        request.reach = world.reach(client.practice);
        let began = world.moment();
        let reply = world.call(request.clone()).await;
        match reply {
            Some(reply) if reply.status < 500 && !matches!(reply.status, 400 | 408 | 429) => {
                answers::of_patient(world, client.practice, &reply);
                let model = world.model.borrow();
                let signing = &model.signing;
                // Who signed before the link ended may see the copy again.
                let has_signed = signing.links[link].asked.is_some_and(|asked| asked < began);
                if reply.status == 200 && signing.is_dead(link, began) && !has_signed {
                    world.wrong(format!("link {link} opens {} after staff ended it", request.target));
                }
                return Some(reply);
            }
            _ => {
                world.trace.sometimes(states::PAGE_REPEATED);
                world.scheduler.sleep(SECOND << attempt).await;
            }
        }
    }
    None
}

fn names_nobody(client: &Client, page: &Reply) {
    if page.text.contains(MARK) {
        client.world.wrong(format!("a page names the patient before the date of birth: {}", page.text));
    }
}

/// The value of a hidden field of a page.
fn hidden(page: &Reply, name: &str) -> Option<String> {
    let (_, rest) = page.text.split_once(&format!("name=\"{name}\" value=\""))?;
    rest.split('"').next().map(str::to_owned)
}
