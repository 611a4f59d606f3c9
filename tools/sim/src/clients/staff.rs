//! Staff who work on the claims of a practice: they take and move them, report them, and decide about signatures. What they do
//! with a claim in appeal is in `cases`.

mod cases;
mod desk;

use super::Client;
use crate::clock::day;
use crate::states;
use desk::{Desk, SeenClaim};
use serde_json::json;

/// The days that staff enter. The first one passes if weeks do.
const DUE: [&str; 3] = ["2027-02-10", "2027-03-01", "2027-05-05"];
/// The statuses in which staff can ask for a signature.
const OPEN: [&str; 4] = ["received", "reviewing", "in_report", "in_appeal"];

/// Works for a while, as the nth person.
pub(super) async fn work(client: &Client, n: usize) {
    let plan = &client.world.plan;
    let desk = Desk { client, person: client.world.staff(n) };
    let steps = if plan.appeals { 8 * plan.steps } else { plan.steps };
    for _ in 0..steps {
        if !client.world.is_day() {
            return;
        }
        client.world.pause(&client.dice, plan.pause).await;
        let Some(claims) = desk.queue().await else {
            continue;
        };
        if !claims.is_empty() {
            // Meanwhile, somebody else may change it.
            client.world.pause(&client.dice, plan.pause).await;
            act(&desk, &claims).await;
        }
    }
}

/// Does the next thing with one claim, or with several.
async fn act(desk: &Desk<'_>, claims: &[SeenClaim]) {
    let (dice, plan) = (&desk.client.dice, &desk.client.world.plan);
    // Everybody takes the most urgent one.
    let claim = if dice.chance(6_000) { &claims[0] } else { dice.pick(claims) };
    if plan.signing && OPEN.contains(&claim.status.as_str()) && dice.chance(1_500) {
        return signing(desk, claim).await;
    }
    match (claim.status.as_str(), dice.below(if plan.appeals { 10 } else { 2 })) {
        ("received", _) => step(desk, claim, "take", "reviewing", json!({})).await,
        ("reviewing", 0) => step(desk, claim, "moves", "received", json!({ "status": "received" })).await,
        ("reviewing", 1) => {
            let body = json!({ "status": "closed", "reason": "no_grounds" });
            step(desk, claim, "moves", "closed", body).await;
        }
        ("reviewing", 2) => report(desk, claims).await,
        ("reviewing" | "in_report" | "in_appeal", 3) => letter(desk, claim).await,
        ("reviewing" | "in_report", 4) => note(desk, claim).await,
        ("in_report", 0) => step(desk, claim, "moves", "reviewing", json!({ "status": "reviewing" })).await,
        ("reviewing" | "in_report", _) if plan.appeals => cases::open(desk, claims, claim).await,
        ("closed", _) if claim.case.is_none() => {
            step(desk, claim, "moves", "reviewing", json!({ "status": "reviewing" })).await;
        }
        ("in_appeal" | "recovered" | "closed", _) => cases::carry(desk, claim).await,
        _ => {}
    }
}

/// Puts one claim into a status.
async fn step(desk: &Desk<'_>, claim: &SeenClaim, what: &str, to: &'static str, body: serde_json::Value) {
    let change = desk.change("POST", &claim.at(desk, what), Some(&claim.tag()), &body).await;
    let is_done = desk.moved(&change, claim, (to, None));
    if is_done {
        let trace = &desk.client.world.trace;
        trace.sometimes(if what == "take" { states::TAKEN } else { states::MOVED });
    }
}

/// Delivers one or two claims in a report.
async fn report(desk: &Desk<'_>, claims: &[SeenClaim]) {
    let some: Vec<_> = claims.iter().filter(|claim| claim.status == "reviewing").take(2).collect();
    let named: Vec<_> = some.iter().map(|claim| claim.named()).collect();
    let change = desk.change("POST", &desk.of_practice("reports"), None, &json!({ "claims": named })).await;
    for claim in some {
        if desk.moved(&change, claim, ("in_report", None)) {
            desk.client.world.trace.sometimes(states::REPORTED);
        }
    }
}

/// Records what the payer's letter says.
async fn letter(desk: &Desk<'_>, claim: &SeenClaim) {
    let dice = &desk.client.dice;
    let body = match dice.below(4) {
        0 => json!({ "plan_type": *dice.pick(&["erisa", "tricare", "commercial"]) }),
        1 => json!({ "appeal_due": day(dice.pick(&DUE)) }),
        2 => json!({ "denial_date": day(dice.pick(&["2026-12-01", "2027-01-02"])) }),
        _ => json!({ "plan_type": null, "appeal_due": null, "denial_date": null }),
    };
    let change = desk.change("PATCH", &claim.at(desk, "letter"), Some(&claim.tag()), &body).await;
    if desk.edited(&change, claim) {
        desk.client.world.trace.sometimes(states::LETTER_READ);
    }
}

/// Writes a note, which is kept once.
async fn note(desk: &Desk<'_>, claim: &SeenClaim) {
    let text = format!("{}{}Note", crate::check::answers::MARK, desk.client.practice);
    let world = &desk.client.world;
    world.model.borrow_mut().work.notes.entry(claim.id.clone()).or_default().0 += 1;
    let change = desk.change("POST", &claim.at(desk, "notes"), None, &json!({ "text": text })).await;
    if change.is_done() {
        world.trace.sometimes(states::NOTED);
        world.model.borrow_mut().work.notes.entry(claim.id.clone()).or_default().1 += 1;
    }
}

/// Decides whether the patient has to sign, or ends the link.
async fn signing(desk: &Desk<'_>, claim: &SeenClaim) {
    let world = &desk.client.world;
    let is_shown = world.model.borrow().signing.has_link(&claim.id);
    let (method, path, status) = match desk.client.dice.below(8) {
        0 => ("POST", "signing", "not_needed"),
        1 => ("DELETE", "signing/link", ""),
        2..=4 if is_shown => ("DELETE", "signing/link", ""),
        _ => ("POST", "signing", "needed"),
    };
    let change = desk.change(method, &claim.at(desk, path), Some(&claim.tag()), &json!({ "status": status })).await;
    desk.edited(&change, claim);
    let Some(ended) = change.ended else {
        return;
    };
    world.trace.sometimes(states::SIGNING_DECIDED);
    let signing = &mut world.model.borrow_mut().signing;
    signing.ended(&claim.id, (change.began, ended));
    if status == "needed" {
        signing.needed.push((desk.client.practice, claim.number.clone()));
    }
}
