//! A billing system that sends claims, again after a failure, and sometimes wrong ones.

use super::{Answered, Client};
use crate::check::answers::{MARK, record};
use crate::clock::day;
use crate::faults::Fault;
use crate::model::{Counted, Identity, Input, Op, Output};
use crate::network::{Reply, Request};
use crate::states;
use futures_util::future::join_all;
use serde_json::{Value, json};

/// How often a send is repeated.
const ATTEMPTS: u64 = 6;
/// How many claims of a sender are completed later.
const LATER: usize = 1;
/// Kinds of plans, each with a date whose last day is after the first day of each world.
const DENIED: [(&str, &str); 4] = [
    ("erisa", "2026-12-20"),
    ("medi_cal_managed", "2026-12-22"),
    ("medicare", "2026-11-30"),
    ("commercial", "2026-12-20"),
];

/// A claim to send.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) number: String,
    pub(super) identity: Identity,
    pub(super) cents: u64,
    /// The payer's number, which may change.
    pub(super) payer_number: u64,
    /// The kind of plan and the date of the denial, which a resend may fill in.
    pub(super) denied: Option<(&'static str, &'static str)>,
    /// One bit for each optional part that it has.
    pub(super) parts: u64,
}

/// What a number stands for if nobody makes a mistake.
pub(super) fn identity_of(number: &str) -> Identity {
    let sum = number.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
    Identity { patient: sum % 5, claim: 0 }
}

/// Sends for a while.
pub(super) async fn send(client: &Client, sender: usize) {
    let plan = &client.world.plan;
    let mut left_out = Vec::new();
    for step in 0..plan.steps {
        if !client.world.is_day() {
            return;
        }
        client.pause().await;
        if plan.mismatches.is_some() && client.dice.chance(1_500) {
            mistake(client).await;
        }
        let count = if client.dice.chance(7_000) { 1 } else { client.dice.between(1, plan.batch) };
        let mut drafts: Vec<Draft> = Vec::new();
        for n in 0..count {
            let draft = draft(client, &format!("S{sender}-{step}-{n}"));
            if drafts.iter().all(|other| other.number != draft.number) {
                drafts.push(draft);
            }
        }
        until_answered(client, &drafts).await;
        left_out.extend(drafts.into_iter().find(|draft| draft.denied.is_none()));
    }
    // The office adds what was left out, when staff may have read the payer's letter and filed.
    for mut draft in left_out.into_iter().take(LATER) {
        client.world.pause(&client.dice, 60).await;
        draft.denied = Some(*client.dice.pick(&DENIED));
        until_answered(client, &[draft]).await;
    }
}

/// Sends a number for other patients, from several systems at once.
async fn mistake(client: &Client) {
    let number = format!("H{}", client.dice.below(client.world.plan.hot));
    let drafts = (1..=4).map(|n| {
        let right = identity_of(&number);
        let identity = Identity { patient: right.patient + n, ..right };
        [Draft { number: number.clone(), identity, ..draft(client, &number) }]
    });
    let drafts: Vec<_> = drafts.collect();
    join_all(drafts.iter().map(|draft| once(client, draft))).await;
}

fn draft(client: &Client, fresh: &str) -> Draft {
    let (dice, plan) = (&client.dice, &client.world.plan);
    let number = match dice.chance(5_000) {
        true => format!("H{}", dice.below(plan.hot)),
        false => fresh.to_owned(),
    };
    let mut identity = identity_of(&number);
    match dice.below(10) {
        0 => identity.patient += 1,
        1 => identity.claim += 1,
        _ => {}
    }
    let denied = dice.chance(4_000).then(|| *dice.pick(&DENIED));
    let (payer_number, parts) = (dice.below(2), dice.below(64));
    Draft { number, identity, cents: 1_000 + 100 * dice.below(4), payer_number, denied, parts }
}

/// Sends the same claims until an answer comes, and sometimes once more.
async fn until_answered(client: &Client, drafts: &[Draft]) {
    for attempt in 0..ATTEMPTS {
        let reply = once(client, drafts).await;
        match reply.map(|reply| reply.status) {
            Some(200 | 201) if client.dice.chance(8_000) => return,
            // The same again, as a careful system does.
            Some(200 | 201) => {}
            // It is the program's own mistake, or the practice has to do something first.
            Some(400 | 403 | 422) => return,
            _ => client.world.pause(&client.dice, 1 << attempt).await,
        }
    }
}

/// One call, with what it says about each number.
pub(super) async fn once(client: &Client, drafts: &[Draft]) -> Option<Reply> {
    let practice = client.practice;
    let items: Vec<_> = drafts.iter().map(|draft| item(practice, draft)).collect();
    let body = match &items[..] {
        [one] => one.clone(),
        _ => json!({ "claims": items }),
    };
    let sent = client.world.scheduler.now();
    let (key, answered) = client.call_with_key(Request::post("/api/v1/claims", &body)).await;
    count(client, key, (sent, &answered));
    let Answered { began, reply } = answered;
    let trace = &client.world.trace;
    let ended = reply.as_ref().map(|(ended, _)| *ended);
    let reply = reply.map(|(_, reply)| reply);
    let outputs = match &reply {
        Some(reply) if matches!(reply.status, 200 | 201) => read(client, drafts, reply),
        // A part may be done before the rest is found to be too much for today.
        Some(reply) if is_stopped(reply) => vec![Output::Unknown; drafts.len()],
        Some(reply) if matches!(reply.status, 400 | 401 | 403 | 408 | 422 | 429) => {
            match reply.status {
                401 => trace.sometimes(states::KEY_REFUSED),
                403 => trace.sometimes(states::BAA_REQUIRED),
                _ => {}
            }
            if !lost_its_rights(client, key, reply.status, (began, ended)) {
                return Some(reply.clone());
            }
            vec![Output::Unknown; drafts.len()]
        }
        _ => vec![Output::Unknown; drafts.len()],
    };
    if drafts.len() > 1 {
        trace.sometimes(states::BATCH);
        let created = outputs.iter().filter(|output| matches!(output, Output::Created(_))).count();
        if created > 0 && created < drafts.len() {
            trace.sometimes(states::PARTLY);
        }
    }
    for (draft, output) in drafts.iter().zip(outputs) {
        let id = match &output {
            Output::Created(id) | Output::Exists { id, .. } => Some(id.clone()),
            _ => None,
        };
        // What nobody answered may be done at any later time.
        let ended = ended.filter(|_| output != Output::Unknown);
        let input = Input::Send(draft.identity);
        let op = Op { practice, number: draft.number.clone(), key: Some(key), began, ended, input, output };
        record(&client.world, op, id.as_deref());
    }
    reply
}

/// True if a day's bound of mismatches is reached.
fn is_stopped(reply: &Reply) -> bool {
    reply.status == 429 && reply.text.contains("00:00 UTC")
}

/// Counts a send for the limit of its key.
fn count(client: &Client, key: usize, (began, answered): (u64, &Answered)) {
    let reply = answered.reply.as_ref().map(|(_, reply)| reply);
    let passed = reply.and_then(|reply| match reply.status {
        200 | 201 => Some(true),
        // A day's bound of mismatches is no limit of a minute.
        429 if is_stopped(reply) => {
            client.world.trace.sometimes(states::RESENDS_STOPPED);
            None
        }
        429 => Some(false),
        _ => None,
    });
    let ended = reply.map(|_| client.world.scheduler.now());
    client.world.model.borrow_mut().limits.count(key, Counted { began, ended, passed });
}

/// True if a refused send may have begun with a right to send. A part of it may then be done: it is written in several steps
/// if it loses a race, and the right may end between them. Where batches run late, the agreement may be signed by then.
fn lost_its_rights(client: &Client, key: usize, status: u16, (began, ended): (u64, Option<u64>)) -> bool {
    let model = client.world.model.borrow();
    let unsigned = model.access.unsigned_since(client.practice, ended.unwrap_or(u64::MAX));
    let had_none = model.access.keys[key].is_revoked(began) || unsigned.is_some_and(|since| since < began);
    let may_come_late = status == 403 && client.world.plan.rates.kinds().any(|fault| fault == Fault::BatchLate);
    matches!(status, 401 | 403) && (!had_none || may_come_late)
}

/// What an answer says about each claim.
fn read(client: &Client, drafts: &[Draft], reply: &Reply) -> Vec<Output> {
    let (world, trace) = (&client.world, &client.world.trace);
    let results = reply.json["claims"].as_array().cloned().unwrap_or_default();
    if results.len() != drafts.len() {
        world.wrong(format!("{} claims are answered by {} results", drafts.len(), results.len()));
    }
    let mut outputs = Vec::new();
    for (draft, result) in drafts.iter().zip(&results) {
        if result["claim_number"] != draft.number.as_str() {
            world.wrong(format!("the result of {} is about {}", draft.number, result["claim_number"]));
        }
        let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
        let (output, state) = match (&result["created"], text("error").as_str()) {
            (Value::Bool(true), "") => (Output::Created(text("id")), states::CREATED),
            (_, "") => (Output::Exists { id: text("id"), status: text("status") }, states::SENT_AGAIN),
            (_, "claim.claim_number is already used for a different patient") => {
                (Output::OtherPatient, states::OTHER_PATIENT)
            }
            (_, "claim.claim_number is already used for a different claim") => {
                (Output::OtherClaim, states::OTHER_CLAIM)
            }
            (_, error) => {
                world.wrong(format!("{} is refused: {error}", draft.number));
                (Output::Unknown, states::SENT_AGAIN)
            }
        };
        trace.sometimes(state);
        outputs.push(output);
    }
    let created = outputs.iter().any(|output| matches!(output, Output::Created(_)));
    if created != (reply.status == 201) || created != reply.json["submission_id"].is_string() {
        world.wrong(format!(
            "status {} and submission {} do not fit the results",
            reply.status, reply.json["submission_id"]
        ));
    }
    outputs
}

fn item(practice: usize, draft: &Draft) -> Value {
    let Draft { number, identity, cents, payer_number, denied, parts } = draft;
    let Identity { patient, claim } = identity;
    let mark = |what: &str| format!("{MARK}{practice}{what}{patient}");
    let mut item = json!({
        "patient": {
            "first_name": mark("First"), "last_name": mark("Last"), "date_of_birth": "1980-02-29",
        },
        "claim": {
            "claim_number": number, "payer_claim_number": format!("ICN-{payer_number}"), "payer_name": "Acme Health",
            "date_of_service": format!("2025-01-{:02}", 2 + claim), "procedure_code": "99213",
            "billed_amount": format!("{}.{:02}", cents / 100, cents % 100),
        },
    });
    let has = |n: u64| parts & 1 << n != 0;
    let mut add = |n: u64, of: &str, name: &str, value: Value| {
        if has(n) {
            item[of][name] = value;
        }
    };
    add(0, "patient", "account_number", json!(mark("Account")));
    add(1, "patient", "member_id", json!(mark("Member")));
    add(2, "claim", "diagnosis_codes", json!(["M54.5"]));
    add(3, "claim", "denied_amount", json!("7.00"));
    add(4, "claim", "denial_codes", json!(["CO-45"]));
    add(5, "claim", "denial_reason", json!(mark("Reason")));
    if !has(4) && !has(5) {
        item["claim"]["denial_codes"] = json!(["CO-45", "N1"]);
    }
    if let Some((plan, date)) = denied {
        item["claim"]["plan_type"] = json!(plan);
        item["claim"]["denial_date"] = json!(day(date));
    }
    item
}
