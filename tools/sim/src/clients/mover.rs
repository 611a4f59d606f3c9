//! The operator, who moves practices between the cells while everybody works, cancels some moves, and begins some twice.

use super::Client;
use crate::clock::SECOND;
use crate::network::Request;
use crate::states;
use futures_util::future::join;
use overturn_tests::server::OPERATOR_TOKEN;
use serde_json::{Value, json};

const MOVES: &str = "/operations/moves";

/// How often moves are begun, at most.
const TIMES: u64 = 6;

/// Moves practices for a while, and waits until every move is over.
pub(super) async fn move_around(client: &Client) {
    let (world, dice) = (&client.world, &client.dice);
    // Not while the key of the service is replaced: a row could go to a cell where all is sealed anew already.
    while world.plan.replaces_key && !world.replaced.get() && world.is_day() {
        world.scheduler.sleep(20 * SECOND).await;
    }
    for _ in 0..dice.between(1, TIMES) {
        world.pause(dice, 60).await;
        if !world.is_day() {
            break;
        }
        let practice = usize::try_from(dice.below(world.plan.moving as u64)).unwrap_or(0);
        let [to, other] = [(); 2].map(|()| dice.below(world.plan.cells as u64));
        if dice.chance(3_000) {
            join(begin(client, practice, to), begin(client, practice, other)).await;
        } else {
            begin(client, practice, to).await;
        }
        if dice.chance(2_500) {
            world.pause(dice, 10).await;
            ask(client, practice, Request::post(format!("{MOVES}?{}&cancel", named(client, practice)), &json!({})))
                .await;
        }
        // The jobs of each minute carry it on.
        while world.is_day() && world.model.borrow().moves.is_open(practice) && dice.chance(9_000) {
            world.pause(dice, 30).await;
            ask(client, practice, Request::get(MOVES)).await;
        }
    }
    while (0..world.plan.moving).any(|practice| world.model.borrow().moves.is_open(practice)) {
        world.scheduler.sleep(20 * SECOND).await;
        ask(client, 0, Request::get(MOVES)).await;
    }
}

/// Begins a move. If another one of the practice is open, that one goes on.
async fn begin(client: &Client, practice: usize, to: u64) {
    let request = Request::post(format!("{MOVES}?{}&to={to}", named(client, practice)), &json!({}));
    if ask(client, practice, request).await.is_some() {
        let world = &client.world;
        let target = world.model.borrow().moves.target(practice);
        if target.is_some_and(|target| u64::from(target) != to) {
            world.trace.sometimes(states::MOVE_REFUSED);
        }
    }
}

fn named(client: &Client, practice: usize) -> String {
    format!("practice={}", client.world.practices[practice].id)
}

/// Asks about a practice, and records the moves that the answer shows.
async fn ask(client: &Client, practice: usize, request: Request) -> Option<()> {
    let world = &client.world;
    world.model.borrow_mut().moves.under_way.push(practice);
    let began = world.moment();
    let reply = world.call(request.with("authorization", format!("Bearer {OPERATOR_TOKEN}"))).await;
    let ended = world.moment();
    let moves = &mut world.model.borrow_mut().moves;
    let place = moves.under_way.iter().position(|of| *of == practice);
    place.map(|place| moves.under_way.swap_remove(place));
    let reply = reply?;
    let shown = reply.json["moves"].as_array().into_iter().flatten();
    let of = |shown: &Value| world.practices.iter().position(|practice| shown["practice"] == *practice.id);
    let shown: Vec<_> = shown.filter_map(|shown| Some((of(shown)?, shown))).collect();
    let mut problems = moves.told(&shown, (began, ended));
    match reply.status {
        200 | 429 | 503 => {}
        status => problems.push(format!("the operator is answered {status}: {}", reply.text)),
    }
    problems.into_iter().for_each(|problem| world.wrong(problem));
    (reply.status == 200).then_some(())
}

/// Looks once more: every move is over, also one that nobody was told of.
pub(super) async fn look(client: &Client) {
    let world = &client.world;
    if ask(client, 0, Request::get(MOVES)).await.is_none() {
        return world.wrong("the moves are not shown".to_owned());
    }
    let model = world.model.borrow();
    for step in model.moves.steps() {
        match step {
            "done" => world.trace.sometimes(states::MOVE_DONE),
            "cancelled" => world.trace.sometimes(states::MOVE_UNDONE),
            step => world.wrong(format!("a move is still at {step}")),
        }
    }
}
