//! A member who signs in with a password and a code, reads, and signs out; and somebody who guesses that password.

use super::Client;
use crate::check::answers::Asker;
use crate::clock::{SECOND, day, start};
use crate::model::SessionLife;
use crate::network::{Reply, Request};
use crate::scheduler::Reach;
use crate::setup::PASSWORDS;
use crate::states;
use futures_util::future::{join, join_all};
use serde_json::json;

const SESSION: &str = "/api/v1/auth/session";
const SECOND_FACTOR: &str = "/api/v1/auth/session/2fa";
/// The wrong passwords after which none works.
pub(crate) const GUESSES: usize = 5;
/// Each code counts once.
pub(super) const NEXT_CODE: u64 = 31 * SECOND;

/// Comes and goes for a while.
pub(super) async fn come_and_go(client: &Client) {
    let world = &client.world;
    for _ in 0..world.plan.steps.min(4) {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 20).await;
        if let Some(session) = sign_in(client).await {
            stay(client, session).await;
        }
        world.scheduler.sleep(NEXT_CODE).await;
    }
}

/// Signs in. Returns the place of the session in the model.
pub(super) async fn sign_in(client: &Client) -> Option<usize> {
    let (world, practice) = (&client.world, client.practice);
    let guest = world.guest(practice);
    let password = match client.dice.chance(2_500) {
        true => usize::try_from(client.dice.below(PASSWORDS.len() as u64)).unwrap_or(0),
        false => world.model.borrow().passwords.latest(practice),
    };
    let began = world.moment();
    let asked = call(client, SESSION, &json!({ "email": guest.email, "password": PASSWORDS[password] })).await?;
    let ended = world.moment();
    let (is_right, is_wrong) = {
        let model = world.model.borrow();
        let may_have_changed = model.sessions.may_have_changed(practice, (began, ended));
        let passwords = &model.passwords;
        let is_right = passwords.is_right(practice, password, (began, ended)) && !may_have_changed;
        (is_right, passwords.is_wrong(practice, password, began))
    };
    match asked.status {
        402 if is_wrong => world.wrong(format!("guest {practice} signs in with a password that was replaced")),
        401 if is_right => world.wrong(format!("the password of guest {practice} is refused")),
        401 if is_wrong => world.trace.sometimes(states::OLD_PASSWORD_REFUSED),
        _ => {}
    }
    if asked.status != 402 {
        return None;
    }
    show_code(client, asked.json["continuation_token"].as_str()?).await
}

/// Guesses the password, several at once, and tries the right one in between.
pub(super) async fn guess(client: &Client) {
    let (world, dice) = (&client.world, &client.dice);
    let attempt = async |password: &str| {
        let body = json!({ "email": world.guest(client.practice).email, "password": password });
        call(client, SESSION, &body).await.map_or(0, |reply| reply.status)
    };
    // Those that surely count, and those that may.
    let (mut least, mut most) = (0, 0);
    for _ in 0..dice.between(2, 6) {
        world.pause(dice, 20).await;
        let wrong = join_all((0..dice.between(1, 3)).map(|_| attempt(PASSWORDS[1]))).await;
        least += wrong.iter().filter(|status| **status == 401).count();
        most += wrong.len();
        if dice.chance(5_000) {
            continue;
        }
        let right = attempt(PASSWORDS[0]).await;
        match right {
            402 if least >= GUESSES => return world.wrong(format!("after {least} guesses, a password works")),
            402 => (least, most) = (0, 0),
            401 if most < GUESSES && world.plan.is_calm => {
                return world.wrong(format!("after {most} guesses, a password is refused"));
            }
            401 if least >= GUESSES => world.trace.sometimes(states::GUESSED),
            401 => {}
            // It may have worked, or may yet work.
            _ => {
                least = 0;
                world.scheduler.sleep(15 * SECOND).await;
            }
        }
        most += 1;
    }
}

/// Goes on with the second factor. Returns the place of the session in the model.
pub(super) async fn show_code(client: &Client, token: &str) -> Option<usize> {
    let (world, practice) = (&client.world, client.practice);
    let guest = world.guest(practice);
    let began = world.moment();
    let at = start().plus(i64::try_from(world.scheduler.now() / 1_000).ok()?);
    let code = guest.totp.code_at(at);
    let shown = json!({ "continuation_token": token, "code": code });
    let given = match client.dice.chance(2_000) {
        true => {
            let both = join(call(client, SECOND_FACTOR, &shown), call(client, SECOND_FACTOR, &shown)).await;
            let mut given = [both.0, both.1].into_iter().flatten().filter(|given| given.status == 200);
            let first = given.next();
            if given.next().is_some() {
                world.wrong("a code opens two sessions".to_owned());
            }
            world.trace.sometimes(states::CODE_TWICE);
            first
        }
        false => call(client, SECOND_FACTOR, &shown).await.filter(|given| given.status == 200),
    }?;
    let told = world.moment();
    if client.dice.chance(3_000) {
        replay(client, &code).await;
    }
    let cookie = format!("__Host-session={}", given.cookie("__Host-session")?);
    let csrf = given.cookie("csrf_token")?.to_owned();
    world.trace.sometimes(states::SIGNED_IN);
    let mut model = world.model.borrow_mut();
    if model.sessions.is_removed(practice, began) {
        drop(model);
        world.wrong(format!("the guest of practice {practice} signs in after the removal was answered"));
        return None;
    }
    model.sessions.lives.push(SessionLife { guest: practice, cookie, csrf, began: (began, told), left: None });
    Some(model.sessions.lives.len() - 1)
}

/// Somebody who saw the code tries it again, with the password.
async fn replay(client: &Client, code: &str) {
    let guest = client.world.guest(client.practice);
    let password = client.world.model.borrow().passwords.latest(client.practice);
    let asked = call(client, SESSION, &json!({ "email": guest.email, "password": PASSWORDS[password] })).await;
    let token = asked.and_then(|asked| asked.json["continuation_token"].as_str().map(str::to_owned));
    let Some(token) = token else {
        return;
    };
    let given = call(client, SECOND_FACTOR, &json!({ "continuation_token": token, "code": code })).await;
    if let Some(200) = given.map(|given| given.status) {
        client.world.wrong("a code opens a second session".to_owned());
    }
    client.world.trace.sometimes(states::CODE_REPLAYED);
}

async fn call(client: &Client, target: &str, body: &serde_json::Value) -> Option<Reply> {
    let mut request = Request::post(target, body);
    request.address = format!("203.0.113.{}", client.practice);
    let is_removed = client.world.model.borrow().sessions.is_removed(client.practice, client.world.moment());
    // An address that nobody has is looked for in some cell, so that it takes as long.
    request.reach = if is_removed { Reach::ALL } else { client.world.reach_with_directory(client.practice) };
    client.call(request, Asker::Person).await.reply.map(|(_, reply)| reply)
}

/// Reads with a session, and with the one before it, which the browser may have kept; then signs out.
async fn stay(client: &Client, session: usize) {
    let world = &client.world;
    for _ in 0..client.dice.between(1, 8) {
        world.pause(&client.dice, 15).await;
        let session = if client.dice.chance(2_000) { own(client) } else { session };
        let read = with(client, session, Request::get("/api/v1/denials?limit=2")).await;
        let claim = read.and_then(|read| read.json["denials"][0]["id"].as_str().map(str::to_owned));
        if let Some(claim) = claim.filter(|_| client.dice.chance(6_000)) {
            letter(client, session, &claim).await;
        }
    }
    if client.dice.chance(7_000) {
        sign_out(client, session).await;
        with(client, session, Request::get("/api/v1/denials?limit=2")).await;
    }
}

/// Ends a session.
pub(super) async fn sign_out(client: &Client, session: usize) {
    let world = &client.world;
    let asked = world.moment();
    world.model.borrow_mut().sessions.lives[session].left = Some((asked, None));
    let left = with(client, session, Request::post("/api/v1/auth/session/logout", &json!({}))).await;
    if left.is_some_and(|left| left.status == 204) {
        let told = world.moment();
        world.model.borrow_mut().sessions.lives[session].left = Some((asked, Some(told)));
        world.trace.sometimes(states::SIGNED_OUT);
    }
}

/// Records what the payer's letter about a claim says.
async fn letter(client: &Client, session: usize, claim: &str) {
    let at = format!("/api/v1/denials/{claim}");
    let Some(shown) = with(client, session, Request::get(at.clone())).await else {
        return;
    };
    let body = json!({ "appeal_due": day(client.dice.pick(&["2027-02-20", "2027-04-01"])) });
    let request = Request { method: "PATCH", ..Request::post(format!("{at}/letter"), &body) };
    let request = request.with("if-match", format!("\"{}\"", shown.json["version"]));
    client.world.practices[client.practice].guest_writes.notify_waiters();
    let done = with(client, session, request.with("idempotency-key", client.uuid())).await;
    if done.is_some_and(|done| done.status == 200) {
        client.world.trace.sometimes(states::OWN_LETTER_READ);
    }
}

/// One of all sessions that the guest ever had.
pub(super) fn own(client: &Client) -> usize {
    let model = client.world.model.borrow();
    let lives = model.sessions.lives.iter().enumerate();
    let own: Vec<_> = lives.filter(|(_, life)| life.guest == client.practice).map(|(n, _)| n).collect();
    *client.dice.pick(&own)
}

/// A request with a session.
pub(super) fn by(client: &Client, session: usize, request: Request) -> Request {
    let model = client.world.model.borrow();
    let life = &model.sessions.lives[session];
    request.with("cookie", life.cookie.clone()).with("x-csrf-token", life.csrf.clone())
}

/// A call with a session.
async fn with(client: &Client, session: usize, request: Request) -> Option<Reply> {
    let request = Request { reach: client.world.reach(client.practice), ..by(client, session, request) };
    let (_, reply) = client.call(request, Asker::Session(session)).await.reply?;
    if reply.status == 401 {
        client.world.trace.sometimes(states::SESSION_REFUSED);
    }
    Some(reply)
}
