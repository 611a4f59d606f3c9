//! The operator, who replaces the key of the service while everybody goes on: step by step, as `docs/operations/rotate.md`
//! says. Also removes one of the staff.

use super::Client;
use crate::check;
use crate::clock::SECOND;
use crate::model::Ending;
use crate::network::Request;
use crate::states;
use overturn_tests::server::{OPERATOR_TOKEN, SEALING_KEYS};
use serde_json::{Value, json};

/// The key that comes.
pub(crate) const NEXT_KEY: &str = "2:0CsqNbAZP3BiauF4uBZa3ksVVs8+19O6+UQ7DH2oveU=";
/// How long the operator waits until all requests of the isolates before are over.
const OVER: u64 = 75 * SECOND;

/// Brings the key in, wraps everything under it, and takes the old one out.
pub(super) async fn replace_key(client: &Client) {
    let world = &client.world;
    world.pause(&client.dice, 60).await;
    for keys in [format!("{SEALING_KEYS},{NEXT_KEY}"), format!("{NEXT_KEY},{SEALING_KEYS}")] {
        world.deploy(&keys);
        world.scheduler.sleep(OVER).await;
    }
    let mut resealing = 0;
    // It does not give up: the world waits for it.
    loop {
        let resealed = pass(client).await;
        resealing += u64::from(resealed.is_some_and(|resealed| resealed > 0));
        if resealing > 2 {
            world.wrong("whole passes of the re-seal find values under the old key again and again".to_owned());
        }
        if resealed == Some(0) && trails_left(client) == 0 {
            world.deploy(NEXT_KEY);
            world.replaced.set(true);
            return world.trace.sometimes(states::KEY_REPLACED);
        }
        world.pause(&client.dice, 10).await;
    }
}

/// Removes the visitor in the course of the day.
pub(super) async fn remove_visitor(client: &Client) {
    let (world, practice) = (&client.world, client.practice);
    world.pause(&client.dice, 200).await;
    let asked = world.moment();
    if world.remove(&world.guest(practice).id) {
        let told = Some(world.moment());
        world.model.borrow_mut().sessions.endings.push(Ending { practice, asked, told, removes: true });
        world.trace.sometimes(states::VISITOR_REMOVED);
    }
}

/// What the guide has the operator ask: the heads of trails, and the rows after them, under the old key.
fn trails_left(client: &Client) -> i64 {
    let left = "SELECT (SELECT count(*) FROM trail_heads WHERE key_version <> 2)
        + (SELECT count(*) FROM audit WHERE previous IS NULL AND mac NOT LIKE '2:%')";
    check::count_all(&client.world, left)
}

/// Goes through all pages. Returns how many values got the new key, `None` if some page was not answered.
async fn pass(client: &Client) -> Option<u64> {
    let (mut resealed, mut after) = (0, Some(String::new()));
    while let Some(place) = after {
        let request = Request::post(format!("/operations/reseal?after={place}"), &json!({}));
        let request = request.with("authorization", format!("Bearer {OPERATOR_TOKEN}"));
        let page = client.world.call(request).await.filter(|page| page.status == 200)?.json;
        if page["unreadable"] != 0 || page["tampered"] != 0 {
            client.world.wrong(format!("the re-seal finds values that no key opens: {page}"));
        }
        resealed += page["resealed"].as_u64()?;
        if page["resealed"] != 0 {
            client.world.trace.sometimes(states::RESEALED);
        }
        after = page["after"].as_str().map(str::to_owned);
        if after.is_none() && page["after"] != Value::Null {
            return None;
        }
    }
    Some(resealed)
}
