//! Staff who open cases, file levels, record decisions and amounts, and take some of it back.

use super::DUE;
use super::desk::{Change, Desk, SeenClaim};
use crate::clock::day;
use crate::network::Request;
use crate::states;
use futures_util::future::join;
use overturn_core::base::date::Date;
use overturn_payer::{Numbers, Outcome};
use serde_json::{Value, json};

/// Opens a case with a claim, and sometimes with another one beside it.
pub(super) async fn open(desk: &Desk<'_>, claims: &[SeenClaim], claim: &SeenClaim) {
    let dice = &desk.client.dice;
    let mut some = vec![claim];
    if dice.chance(5_000) {
        let fits = |other: &&SeenClaim| other.id != claim.id && ["reviewing", "in_report"].contains(&&*other.status);
        some.extend(claims.iter().find(fits));
    }
    let named: Vec<_> = some.iter().map(|claim| claim.named()).collect();
    let mut body = json!({ "claims": named, "kind": "internal_appeal" });
    if dice.chance(8_000) {
        body["due_on"] = json!(day(dice.pick(&DUE)));
    }
    let change = desk.change("POST", &desk.of_practice("cases"), None, &body).await;
    for claim in some {
        if desk.moved(&change, claim, ("in_appeal", None)) {
            desk.client.world.trace.sometimes(states::CASE_OPENED);
        }
    }
}

/// The day, in the zone of the service.
fn today(desk: &Desk<'_>) -> String {
    Date::of(desk.client.world.now()).to_string()
}

/// A case as an answer showed it.
struct SeenCase {
    path: String,
    id: String,
    version: i64,
    level: Value,
    /// The claims that are in appeal in it.
    appealed: Vec<SeenClaim>,
}

impl SeenCase {
    fn read(desk: &Desk<'_>, shown: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let id = text(&shown["id"]);
        let claims = shown["claims"].as_array().cloned().unwrap_or_default();
        let number =
            |of: &Value| claims.iter().find(|claim| claim["id"] == *of).map(|claim| text(&claim["claim_number"]));
        let appealed = shown["appealed"].as_array().into_iter().flatten();
        let appealed = appealed.map(|claim| SeenClaim {
            id: text(&claim["id"]),
            number: number(&claim["id"]).unwrap_or_default(),
            version: claim["version"].as_i64().unwrap_or_default(),
            status: "in_appeal".to_owned(),
            case: Some(id.clone()),
        });
        Self {
            path: desk.of_practice(&format!("cases/{id}")),
            version: shown["version"].as_i64().unwrap_or_default(),
            level: shown["levels"].as_array().and_then(|levels| levels.last()).cloned().unwrap_or_default(),
            appealed: appealed.collect(),
            id,
        }
    }

    fn has(&self, name: &str) -> bool {
        !self.level[name].is_null()
    }
}

/// Does the next thing with a claim that is, or was, in a case.
pub(super) async fn carry(desk: &Desk<'_>, claim: &SeenClaim) {
    let Some(id) = &claim.case else {
        return;
    };
    let Some(shown) = desk.call(Request::get(desk.of_practice(&format!("cases/{id}")))).await else {
        return;
    };
    if shown.status != 200 {
        return;
    }
    let case = SeenCase::read(desk, &shown.json);
    desk.client.pause().await;
    let dice = &desk.client.dice;
    match (claim.status.as_str(), dice.below(4)) {
        ("recovered", 0 | 1) => return correct(desk, claim).await,
        ("recovered" | "closed", _) => return again(desk, claim, id).await,
        (_, 0) if case.has("filed_on") => return end(desk, claim).await,
        _ => {}
    }
    match (case.has("filed_on"), case.has("decided_on"), dice.below(4)) {
        (false, false, 0) => edit(desk, &case, json!({ "due_on": day(dice.pick(&DUE)) }), states::DUE_MOVED).await,
        (false, false, 1) => {
            edit(desk, &case, json!({ "outcome": "withdrawn", "decided_on": today(desk) }), states::WITHDRAWN).await;
        }
        (false, false, _) => file(desk, &case).await,
        (true, false, 0) => {
            let body = json!({ "filed_on": null, "due_on": day(dice.pick(&DUE)) });
            edit(desk, &case, body, states::FILING_UNDONE).await;
        }
        (true, false, _) => decide(desk, &case).await,
        (_, true, 0) => begin(desk, &case).await,
        (_, true, _) => decide(desk, &case).await,
    }
}

/// Records that a change made the next version of a case. True if it is done.
fn of_case(desk: &Desk<'_>, case: &SeenCase, change: &Change, state: &'static str) -> bool {
    if change.told("version").as_i64() == Some(case.version + 1) {
        desk.made(change, (&case.id, case.version + 1), (None, None));
        desk.client.world.trace.sometimes(state);
    }
    change.is_done()
}

fn tag(case: &SeenCase) -> String {
    format!("\"{}\"", case.version)
}

async fn edit(desk: &Desk<'_>, case: &SeenCase, body: Value, state: &'static str) {
    let path = format!("{}/levels/{}", case.path, case.level["level"]);
    let change = desk.change("PATCH", &path, Some(&tag(case)), &body).await;
    of_case(desk, case, &change, state);
}

/// Files the level, and sometimes reads the letter about a claim of it at the same time, as somebody else may.
async fn file(desk: &Desk<'_>, case: &SeenCase) {
    let body = json!({ "filed_on": today(desk) });
    let filed = edit(desk, case, body, states::FILED);
    let read = async {
        if let Some(claim) = case.appealed.first().filter(|_| desk.client.dice.chance(4_000)) {
            super::letter(desk, claim).await;
        }
    };
    join(filed, read).await;
}

async fn begin(desk: &Desk<'_>, case: &SeenCase) {
    let body = json!({ "kind": "external_review", "due_on": day(desk.client.dice.pick(&DUE)) });
    let change = desk.change("POST", &format!("{}/levels", case.path), Some(&tag(case)), &body).await;
    of_case(desk, case, &change, states::LEVEL_BEGUN);
}

/// Records what the payer decides on each claim, and the next level for those that it does not decide on.
async fn decide(desk: &Desk<'_>, case: &SeenCase) {
    let dice = &desk.client.dice;
    let mut payer = Numbers::new(dice.next());
    let (mut results, mut said) = (Vec::new(), Vec::new());
    let mut outcomes = Vec::new();
    for claim in &case.appealed {
        let named = claim.named();
        let (id, version) = (&named["id"], &named["version"]);
        let outcome = Outcome::any(&mut payer);
        outcomes.push(outcome);
        match outcome {
            Outcome::Overturned | Outcome::Part => {
                let cents = amount(desk, claim);
                results.push(json!({ "id": id, "version": version, "result": "recovered",
                    "amount_recovered": text(cents) }));
                said.push((claim, "recovered", Some(cents)));
            }
            Outcome::Upheld | Outcome::Dismissed => {
                results.push(json!({ "id": id, "version": version, "result": "closed", "reason": "denial_upheld" }));
                said.push((claim, "closed", None));
            }
            Outcome::Records | Outcome::Silence => {}
        }
    }
    let outcome = of_level(&outcomes);
    let mut body =
        json!({ "outcome": outcome, "decided_on": today(desk), "claims": results, "take_over": dice.chance(8_000) });
    if results.len() < case.appealed.len() && dice.chance(6_000) {
        body["next_level"] = json!({ "kind": "external_review", "due_on": day(dice.pick(&DUE)) });
    }
    if results.is_empty() {
        body["claims"].take();
    }
    let change = desk.change("POST", &format!("{}/decisions", case.path), Some(&tag(case)), &body).await;
    of_case(desk, case, &change, states::DECIDED);
    for (claim, to, cents) in said {
        desk.moved(&change, claim, (to, cents));
    }
}

/// The outcome of a level from those of its claims.
fn of_level(outcomes: &[Outcome]) -> &'static str {
    let all = |wanted| !outcomes.is_empty() && outcomes.iter().all(|outcome| *outcome == wanted);
    match outcomes {
        _ if all(Outcome::Overturned) => "overturned",
        _ if all(Outcome::Dismissed) => "dismissed",
        _ if outcomes.iter().any(|one| matches!(one, Outcome::Overturned | Outcome::Part)) => "partly_overturned",
        _ => "upheld",
    }
}

/// Ends the appeal of a claim by a move.
async fn end(desk: &Desk<'_>, claim: &SeenClaim) {
    let (to, cents, body) = match desk.client.dice.below(2) {
        0 => ("closed", None, json!({ "status": "closed", "reason": "denial_upheld" })),
        _ => {
            let cents = amount(desk, claim);
            ("recovered", Some(cents), json!({ "status": "recovered", "amount_recovered": text(cents) }))
        }
    };
    let change = desk.change("POST", &claim.at(desk, "moves"), Some(&claim.tag()), &body).await;
    if desk.moved(&change, claim, (to, cents)) {
        desk.client.world.trace.sometimes(states::APPEAL_ENDED);
    }
}

/// Appeals a claim again whose appeal ended.
async fn again(desk: &Desk<'_>, claim: &SeenClaim, case: &str) {
    let mut body = json!({ "status": "in_appeal", "case_id": case });
    if claim.status == "recovered" && desk.client.dice.chance(5_000) {
        body["amount_stands"] = json!(desk.client.dice.chance(5_000));
    }
    let change = desk.change("POST", &claim.at(desk, "moves"), Some(&claim.tag()), &body).await;
    if desk.moved(&change, claim, ("in_appeal", None)) {
        desk.client.world.trace.sometimes(states::APPEALED_AGAIN);
    }
}

/// Corrects the amount of a claim.
async fn correct(desk: &Desk<'_>, claim: &SeenClaim) {
    let cents = amount(desk, claim);
    let body = json!({ "amount_recovered": text(cents) });
    let change = desk.change("PATCH", &claim.at(desk, "amount"), Some(&claim.tag()), &body).await;
    if change.told("version").as_i64() == Some(claim.version + 1) {
        desk.made(&change, (&claim.id, claim.version + 1), (None, Some(cents)));
        desk.client.world.trace.sometimes(states::AMOUNT_CORRECTED);
    }
}

/// A new amount for a claim, in cents. No sum of two amounts is one of them: each has a power of two of its own.
fn amount(desk: &Desk<'_>, claim: &SeenClaim) -> i64 {
    let work = &mut desk.client.world.model.borrow_mut().work;
    let known = work.amounts.entry(claim.id.clone()).or_default();
    let cents = 100 << known.len().min(30);
    known.push(cents);
    cents
}

fn text(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
