//! A member of staff who signs in and works for all practices: reads lists of all cells, opens patients, takes claims of
//! several practices at once, and signs out.

use super::guest::{self, NEXT_CODE};
use super::{Client, signed_in};
use crate::check::{self, answers, lists};
use crate::clock::SECOND;
use crate::model::{Input, Made, Op, Opening, Output};
use crate::network::{Reply, Request};
use crate::scheduler::Reach;
use crate::states;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const QUEUE: &str = "/api/v1/staff/claims";
const FILTERS: &str = "/api/v1/staff/filters";
const ALL: &str = "status=received,reviewing,in_report,in_appeal,recovered,closed";
/// The most claims that are taken together.
const TOGETHER: usize = 4;

/// Comes and goes for a while.
pub(super) async fn visit(client: &Client) {
    let world = &client.world;
    for _ in 0..world.plan.steps.min(4) {
        if !world.is_day() {
            return;
        }
        world.pause(&client.dice, 20).await;
        let asked = world.scheduler.now();
        if let Some(session) = guest::sign_in(client).await {
            world.model.borrow_mut().patients.shown.insert(session, asked);
            stay(client, session).await;
        }
        world.scheduler.sleep(NEXT_CODE).await;
    }
}

/// Works with a session, and sometimes with the one before it, which the browser may have kept; then signs out.
async fn stay(client: &Client, session: usize) {
    let dice = &client.dice;
    for _ in 0..dice.between(1, 8) {
        client.world.pause(dice, 15).await;
        let session = if dice.chance(2_000) { guest::own(client) } else { session };
        let Some(claims) = read(client, session).await.filter(|claims| !claims.is_empty()) else {
            continue;
        };
        if dice.chance(6_000) {
            open(client, session, dice.pick(&claims)).await;
        }
        if dice.chance(4_000) {
            take(client, session, &claims).await;
        }
        if dice.chance(1_500) {
            filter(client, session).await;
        }
    }
    if dice.chance(7_000) {
        guest::sign_out(client, session).await;
        if let Some(practice) = client.world.practices.last() {
            // The cell of a practice may have a copy of the session.
            let request = Request::get(format!("/api/v1/staff/practices/{}/cases", practice.id));
            with(client, session, Some(client.world.practices.len() - 1), request).await;
        }
    }
}

/// A call with a session, about one practice or all of them.
async fn with(client: &Client, session: usize, practice: Option<usize>, request: Request) -> Option<Answer> {
    let world = &client.world;
    let reach = practice.map_or(Reach::ALL, |practice| world.reach_with_directory(practice));
    let began = world.moment();
    let reply = world.call(Request { reach, ..guest::by(client, session, request) }).await?;
    let ended = world.moment();
    if let Some(problem) = answers::of_session(world, session, (began, ended), &reply) {
        world.wrong(problem);
    }
    match practice {
        Some(practice) => answers::of_staff(world, practice, &reply),
        None if reply.status == 500 => world.wrong(format!("staff get an internal error: {}", reply.text)),
        None => {}
    }
    if reply.status == 401 {
        world.trace.sometimes(states::SESSION_REFUSED);
    }
    Some(Answer { began, ended, reply })
}

struct Answer {
    began: u64,
    ended: u64,
    reply: Reply,
}

/// Reads the first claims of all practices.
async fn read(client: &Client, session: usize) -> Option<Vec<Value>> {
    let request = Request::get(format!("{QUEUE}?{ALL}&limit={}", client.dice.pick(&[5, 100])));
    let Answer { began, ended, reply } = with(client, session, None, request).await?;
    if reply.status != 200 {
        return None;
    }
    lists::first_page(&client.world, (began, ended), &reply);
    reply.json["claims"].as_array().cloned()
}

/// Opens the patient of a claim.
async fn open(client: &Client, session: usize, claim: &Value) {
    let world = &client.world;
    let Some((practice, id)) = named(client, claim) else {
        return;
    };
    let request = Request::get(format!("/api/v1/staff/practices/{}/claims/{id}", world.practices[practice].id));
    let opening =
        Opening { session, claim: id, began: world.scheduler.now(), ended: None, patient: None, is_refused: false };
    let place = {
        let openings = &mut world.model.borrow_mut().patients.openings;
        openings.push(opening);
        openings.len() - 1
    };
    let Some(Answer { reply, .. }) = with(client, session, Some(practice), request).await else {
        return;
    };
    let opening = &mut world.model.borrow_mut().patients.openings[place];
    opening.ended = Some(world.scheduler.now());
    opening.is_refused = reply.status == 402;
    if reply.status == 200 {
        world.trace.sometimes(states::OPENED);
        let patient = &reply.json["patient"];
        opening.patient = Some(format!("{} {}", patient["first_name"], patient["last_name"]));
    }
    if reply.status == 402 {
        world.trace.sometimes(states::PATIENTS_LIMITED);
    }
}

/// Saves a filter of the queue, and deletes it. In between it is listed once. `None` if something is not answered.
async fn filter(client: &Client, session: usize) -> Option<()> {
    let world = &client.world;
    let name = client.uuid();
    let listed = async || {
        let list = with(client, session, None, Request::get(FILTERS)).await.filter(|list| list.reply.status == 200)?;
        let filters = list.reply.json["filters"].as_array()?.clone();
        Some(filters.iter().filter(|filter| filter["name"] == *name).count())
    };
    let body = json!({ "name": name, "query": "status=received" });
    let request = Request::post(FILTERS, &body).with("idempotency-key", client.uuid());
    let mut saved = None;
    for _ in 0..3 {
        saved = with(client, session, None, request.clone()).await.filter(|saved| saved.reply.status == 201);
        if saved.is_some() {
            break;
        }
    }
    let id = saved?.reply.json["id"].as_str()?.to_owned();
    let count = listed().await?;
    let gone = with(client, session, None, Request::delete(format!("{FILTERS}/{id}"))).await?;
    let left = match gone.reply.status {
        204 => listed().await?,
        401 | 402 | 408 | 429 | 500.. => 0,
        _ => 1,
    };
    if (count, left) != (1, 0) {
        world.wrong(format!("a saved filter is listed {count} times, and {left} times after it was deleted"));
    }
    world.trace.sometimes(states::FILTER_SAVED);
    Some(())
}

/// The practice and the id of a listed claim.
fn named(client: &Client, claim: &Value) -> Option<(usize, String)> {
    let practice = client.world.practices.iter().position(|practice| claim["practice"]["id"] == *practice.id)?;
    Some((practice, claim["id"].as_str()?.to_owned()))
}

/// Takes several new claims at once, mostly under a key, and then once more if no answer comes.
async fn take(client: &Client, session: usize, claims: &[Value]) {
    let world = &client.world;
    let new: Vec<_> = claims.iter().filter(|claim| claim["status"] == "received").take(TOGETHER).collect();
    if new.is_empty() {
        return;
    }
    let asked = new
        .iter()
        .map(|claim| json!({ "practice_id": claim["practice"]["id"], "id": claim["id"], "version": claim["version"] }));
    let body = json!({ "claims": asked.collect::<Vec<_>>() });
    let (mut request, has_key) = (Request::post(format!("{QUEUE}/take"), &body), client.dice.chance(7_000));
    if has_key {
        request = request.with("idempotency-key", client.uuid());
    }
    let began = world.moment();
    let mut answer = with(client, session, None, request.clone()).await;
    let is_open = |answer: &Option<Answer>| answer.as_ref().is_none_or(|answer| answer.reply.status >= 500);
    let was_open = is_open(&answer);
    if was_open && has_key {
        answer = with(client, session, None, request).await;
    }
    let status = answer.as_ref().map_or(0, |answer| answer.reply.status);
    let results = answer.as_ref().map_or(&Value::Null, |answer| &answer.reply.json["results"]);
    // Who is removed meanwhile may have taken those of some cells.
    let is_cut_off = {
        let sessions = &world.model.borrow().sessions;
        status == 401 && !sessions.has_ended(session, began) && sessions.may_have_ended(session, world.moment())
    };
    let practices: BTreeSet<_> = new.iter().map(|claim| claim["practice"]["id"].as_str()).collect();
    if status == 200 && practices.len() > 1 {
        world.trace.sometimes(states::TAKEN_TOGETHER);
    }
    for (n, claim) in new.iter().enumerate() {
        let result = &results[n];
        if status == 200 && (result["id"] != claim["id"] || result["reason"] == "not_found") {
            world.wrong(format!("the result of claim {} is {result}", claim["id"]));
        }
        match result["status"].as_str() {
            Some("done") => taken(client, claim, (began, Some(world.moment()))),
            // It says what is, not what the first call did. An earlier batch may still be done once the
            // agreement is signed.
            Some(_) if was_open || result["reason"] == "agreement_required" => taken(client, claim, (began, None)),
            None if was_open || is_open(&answer) || is_cut_off => taken(client, claim, (began, None)),
            _ => {}
        }
    }
}

/// Records that a claim was, or may have been, taken.
fn taken(client: &Client, claim: &Value, (began, ended): (u64, Option<u64>)) {
    let world = &client.world;
    let Some((practice, id)) = named(client, claim) else {
        return;
    };
    let op = Op {
        practice,
        number: claim["claim_number"].as_str().unwrap_or_default().to_owned(),
        key: None,
        began,
        ended,
        input: Input::Move { from: "received".to_owned(), to: "reviewing" },
        output: if ended.is_some() { Output::Moved } else { Output::Unknown },
    };
    answers::record(world, op, Some(&id));
    if ended.is_some() {
        let made = Made { call: began, status: Some("reviewing"), cents: None };
        let version = claim["version"].as_i64().unwrap_or_default() + 1;
        let wrong = world.model.borrow_mut().work.made((id, version), made);
        wrong.into_iter().for_each(|wrong| world.wrong(wrong));
    }
}

/// The claims that staff may see: those of practices with an agreement, where they live.
macro_rules! shown {
    ($what:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM claims c WHERE EXISTS (SELECT 1 FROM agreements a
               WHERE a.practice_id = c.practice_id AND a.kind = 'baa' AND a.ended_at IS NULL)
               AND NOT EXISTS (SELECT 1 FROM absent x WHERE x.id = c.practice_id)"
        )
    };
}

/// Reads all claims and all practices once everybody else is done: each is listed once.
pub(super) async fn look(client: &Client) {
    let world = &client.world;
    while world.clients.get() > 1 {
        world.scheduler.sleep(SECOND).await;
    }
    // The last batches come to their end.
    world.scheduler.sleep(15 * SECOND).await;
    let walked = (walk(client, &format!("{QUEUE}?{ALL}&limit=40"), "claims").await)
        .zip(walk(client, "/api/v1/staff/practices?limit=1", "practices").await);
    let Some((claims, practices)) = walked else {
        return world.wrong("the lists of staff have no end".to_owned());
    };
    let expected: BTreeSet<_> = world.practices.iter().map(|practice| practice.id.clone()).collect();
    same(client, "practices", practices, expected);
    same(client, "claims", claims, shown(client));
    sums(client).await;
}

/// Compares the sums over all practices with the rows.
async fn sums(client: &Client) {
    const ROWS: &str = shown!(
        "count(*), count(*) FILTER (WHERE appeal_due < ?1
           AND status IN ('received', 'reviewing', 'in_report', 'in_appeal'))"
    );
    let world = &client.world;
    let Some(told) = world.call(signed_in(&world.staff(0), Request::get("/api/v1/staff/summary"))).await else {
        return world.wrong("the sums of staff are not answered".to_owned());
    };
    let today = told.json["today"].as_str().unwrap_or_default();
    let cells: Vec<(i64, i64)> = check::collect(world, |db| {
        db.prepare_cached(ROWS)?.query_row([today], |row| Ok((row.get(0)?, row.get(1)?))).map(|sums| [sums])
    });
    let rows = cells.iter().fold((0, 0), |all, of| (all.0 + of.0, all.1 + of.1));
    let of = |value: &Value| value["claims"].as_i64();
    if (of(&told.json["total"]), of(&told.json["deadlines"]["late"])) != (Some(rows.0), Some(rows.1)) {
        world.wrong(format!("of {rows:?} claims and late ones, staff are told {}", told.text));
    }
    if rows.1 > 0 {
        world.trace.sometimes(states::LATE);
    }
}

fn shown(client: &Client) -> BTreeSet<String> {
    check::collect(&client.world, |db| {
        db.prepare_cached(shown!("id"))?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
    })
}

fn same(client: &Client, what: &str, listed: Vec<String>, expected: BTreeSet<String>) {
    let all: BTreeSet<_> = listed.iter().cloned().collect();
    if all.len() < listed.len() || all != expected {
        let count = listed.len();
        client.world.wrong(format!(
            "at the end, {count} {what} are listed, {} of them once, of {}",
            all.len(),
            expected.len()
        ));
    }
}

/// The ids on all pages of a list.
async fn walk(client: &Client, target: &str, name: &str) -> Option<Vec<String>> {
    let world = &client.world;
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page = cursor.map_or(target.to_owned(), |cursor: String| format!("{target}&cursor={cursor}"));
        let reply = world.call(signed_in(&world.staff(0), Request::get(page))).await?;
        if reply.status != 200 || !lists::missing(world, &reply).is_empty() {
            return None;
        }
        let listed = reply.json[name].as_array().into_iter().flatten();
        ids.extend(listed.filter_map(|item| item["id"].as_str().map(str::to_owned)));
        cursor = reply.json["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return Some(ids);
        }
        // The limit of a minute holds for this look as well.
        world.scheduler.sleep(SECOND / 4).await;
    }
}
