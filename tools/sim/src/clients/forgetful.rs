//! A member who forgot the password, and chooses another one or signs in by a link that comes by mail.

use super::Client;
use super::guest;
use crate::clock::SECOND;
use crate::model::{Choice, Ending, Mailed};
use crate::network::{Reply, Request};
use crate::setup::PASSWORDS;
use crate::states;
use futures_util::future::join;
use overturn_tests::link::{CONFIRM, MAGIC_LINK, PASSWORD_RESET, VERIFY, token_of};
use serde_json::json;

/// How long an email is waited for, in seconds.
const MAIL: u64 = 20;
/// How often a link is tried until an answer comes.
const ATTEMPTS: u64 = 3;

/// Forgets it a few times.
pub(super) async fn forget(client: &Client) {
    let world = &client.world;
    let mut links = Vec::new();
    for _ in 0..world.plan.steps.min(5) {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 40).await;
        let resets = client.dice.chance(6_000);
        let Some((place, token)) = receive(client, resets).await else {
            continue;
        };
        links.push((place, token, resets));
        // Some links stay in the inbox for later, and one that was used is pressed again.
        let dice = &client.dice;
        let new = links.last().filter(|_| dice.chance(6_000));
        let again = new.filter(|_| dice.chance(3_000));
        let older = dice.chance(5_000).then(|| dice.pick(&links));
        for link in [new, again, older].into_iter().flatten() {
            if dice.chance(2_500) {
                world.trace.sometimes(states::PRESSED_TWICE);
                join(use_up(client, link), use_up(client, link)).await;
            } else {
                use_up(client, link).await;
            }
        }
    }
}

/// Uses a link, with which a password can be chosen or a person signs in.
async fn use_up(client: &Client, (place, token, resets): &(usize, String, bool)) {
    if *resets {
        reset(client, *place, token).await;
    } else {
        verify(client, *place, token).await;
    }
}

/// Asks for a link. Returns its place in the model and its token, unless no email comes.
async fn receive(client: &Client, resets: bool) -> Option<(usize, String)> {
    let (world, guest) = (&client.world, client.practice);
    let email = &world.guest(guest).email;
    let before = world.platform.post.sent().len();
    call(client, if resets { PASSWORD_RESET } else { MAGIC_LINK }, &json!({ "email": email })).await?;
    let subject = if resets { "Choose a new password for Overturn" } else { "Sign in to Overturn" };
    for _ in 0..MAIL {
        let sent = world.platform.post.sent();
        let letter = sent.iter().skip(before).find(|letter| letter.to == *email && letter.subject == subject);
        if let Some(link) = letter.and_then(|letter| letter.text.lines().find(|line| line.contains("#ovl_"))) {
            world.trace.sometimes(states::LINK_MAILED);
            let links = &mut world.model.borrow_mut().passwords.links;
            let token = token_of(link);
            links.push(Mailed { guest, token: token.clone(), came: world.moment(), presses: 0, worked: None });
            return Some((links.len() - 1, token));
        }
        world.scheduler.sleep(SECOND).await;
    }
    None
}

/// Chooses a password by a link.
async fn reset(client: &Client, link: usize, token: &str) {
    let (world, guest) = (&client.world, client.practice);
    let password = usize::try_from(client.dice.below(PASSWORDS.len() as u64)).unwrap_or(0);
    let began = world.moment();
    let (choice, ending) = {
        let model = &mut *world.model.borrow_mut();
        model.passwords.choices.push(Choice { guest, password, began, told: None });
        model.sessions.endings.push(Ending { practice: guest, asked: began, told: None, removes: false });
        (model.passwords.choices.len() - 1, model.sessions.endings.len() - 1)
    };
    if press(client, link, CONFIRM, &json!({ "token": token, "password": PASSWORDS[password] }), 204).await.is_some() {
        let told = world.moment();
        world.trace.sometimes(states::PASSWORD_RESET);
        let model = &mut *world.model.borrow_mut();
        model.passwords.choices[choice].told = Some(told);
        model.sessions.endings[ending].told = Some(told);
    }
}

/// Signs in by a link and a code.
async fn verify(client: &Client, link: usize, token: &str) {
    let world = &client.world;
    if let Some(passed) = press(client, link, VERIFY, &json!({ "token": token }), 402).await
        && let Some(continuation) = passed.json["continuation_token"].as_str()
    {
        world.trace.sometimes(states::LINK_PASSED);
        guest::show_code(client, continuation).await;
    }
}

/// Uses a link until an answer comes. Returns the answer if it worked, which it says by a status.
async fn press(client: &Client, link: usize, target: &str, body: &serde_json::Value, works: u16) -> Option<Reply> {
    let world = &client.world;
    for attempt in 0..ATTEMPTS {
        let began = world.moment();
        world.model.borrow_mut().passwords.links[link].presses += 1;
        let reply = call(client, target, body).await;
        let ended = world.moment();
        let status = reply.as_ref().map_or(0, |reply| reply.status);
        let problem = check(client, link, (began, ended), (status, works));
        problem.into_iter().for_each(|problem| world.wrong(problem));
        match status {
            0 | 400 | 408 | 429 | 500.. => world.scheduler.sleep(SECOND << attempt).await,
            status => return reply.filter(|_| status == works),
        }
    }
    None
}

/// Records the use of a link. Returns what is wrong with its answer.
fn check(client: &Client, link: usize, (began, ended): (u64, u64), (status, works): (u16, u16)) -> Option<String> {
    let model = &mut *client.world.model.borrow_mut();
    let mailed = &mut model.passwords.links[link];
    let endings = || model.sessions.endings.iter().filter(|ending| ending.practice == mailed.guest);
    let was_used = mailed.presses > 1;
    if status == works {
        let is_dead =
            endings().any(|ending| ending.asked > mailed.came && ending.told.is_some_and(|told| told < began));
        let was_over = mailed.worked.replace(ended).is_some();
        return (is_dead || was_over).then(|| format!("mailed link {link} works after its end"));
    }
    let may_have_ended = was_used || endings().any(|ending| ending.asked < ended && ending.asked != began);
    // A changed password ends it as well, and is recorded as an ending.
    (status == 401 && !may_have_ended).then(|| format!("mailed link {link} is refused and did not end"))
}

async fn call(client: &Client, target: &str, body: &serde_json::Value) -> Option<Reply> {
    let mut request = Request::post(target, body);
    request.address = format!("203.0.113.{}", 50 + client.practice);
    request.reach = client.world.reach_with_directory(client.practice);
    let reply = client.world.call(request).await?;
    if reply.status == 500 {
        client.world.wrong(format!("{target} is an internal error: {}", reply.text));
    }
    Some(reply)
}
