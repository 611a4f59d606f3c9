//! The deadlines of claims: none vanishes or moves later unless a person decided so, each is the earliest date that can still be
//! missed, and answers showed those that the history has. A claim's own date stays when it passes, until a person decides about the date of its
//! case.

use crate::world::World;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::claims::PlanType;
use overturn_core::claims::deadline;
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;

type Day = Option<String>;

/// A change of a claim.
struct Event {
    version: i64,
    kind: String,
    status: String,
    /// The new deadline, if it changed.
    due: Option<Day>,
    /// The payment that it recorded, if it changed: in cents.
    paid: Option<Option<i64>>,
    /// The actions in the trail of its request, with their actors.
    by: String,
    practice: String,
}

/// What the deadline of a claim depends on.
struct Claim {
    practice: String,
    id: String,
    status: String,
    version: i64,
    due: Day,
    paid: Option<i64>,
    plan: Option<String>,
    denied: Day,
    letter_due: Day,
    is_filed: bool,
    /// The date of the last level of its case, while that can be missed.
    of_case: Day,
    /// What the billing system had sent when the claim was created.
    first_due: Day,
}

pub(crate) fn check(world: &World) -> Vec<String> {
    let claims: Vec<Claim> = super::collect(world, claims);
    let mut events: BTreeMap<String, Vec<Event>> = super::collect(world, events);
    let mut problems = Vec::new();
    // The first day that had not ended everywhere when people last decided.
    let passed = world.is_later().then(|| Ctx::new(world.now(), [0; 32]).earliest_today().to_string());
    let mut known: BTreeMap<(String, i64), Day> = BTreeMap::new();
    for claim in &claims {
        let events = events.remove(&claim.id).unwrap_or_default();
        if let Some(what) = wrong(claim, (&events, passed.as_deref()), &mut known) {
            problems.push(format!("claim {} ({}): {what}", claim.id, claim.status));
        }
        work(world, claim, &events, &mut problems);
    }
    for (version, date) in world.model.borrow().work.deadlines() {
        if known.get(version).is_some_and(|known| known != date) {
            problems.push(format!("{version:?} was shown as due on {date:?}, and it is due on {:?}", known[version]));
        }
    }
    problems
}

/// What does not hold of the deadline of a claim.
fn wrong(
    claim: &Claim,
    (events, passed): (&[Event], Option<&str>),
    known: &mut BTreeMap<(String, i64), Day>,
) -> Option<String> {
    let expected = expected(claim, |_| true);
    // A person may have decided since it passed.
    let decided = claim.of_case.as_ref().map(|_| self::expected(claim, |own| passed.is_none_or(|day| *own >= day)));
    if claim.due != expected && Some(&claim.due) != decided.as_ref() {
        return Some(format!("it is due on {:?}, and its earliest date is {expected:?}", claim.due));
    }
    let mut due = claim.first_due.clone();
    known.insert((claim.id.clone(), 1), due.clone());
    for event in events {
        if let Some(next) = &event.due {
            let is_later = due.is_some() && (next.is_none() || *next > due);
            let decided = ["moved", "deadline", "taken"].contains(&&*event.kind) && event.by.contains("user:");
            if is_later && !decided {
                return Some(format!("{} by {} moves {due:?} to {next:?}", event.kind, event.by));
            }
            due.clone_from(next);
        }
        known.insert((claim.id.clone(), event.version), due.clone());
    }
    (due != claim.due).then(|| format!("its history ends with {due:?}, and it is due on {:?}", claim.due))
}

/// The earliest date that can still be missed.
fn expected(claim: &Claim, counts: impl Fn(&&str) -> bool) -> Day {
    if ["recovered", "closed"].contains(&&*claim.status) {
        return None;
    }
    let rule = rule(claim.plan.as_deref(), claim.denied.as_deref());
    let own =
        [rule, claim.letter_due.clone()].into_iter().flatten().filter(|own| !claim.is_filed && counts(&own.as_str()));
    let of_case = claim.of_case.clone().filter(|_| claim.status == "in_appeal");
    own.chain(of_case).min()
}

fn rule(plan: Option<&str>, denied: Option<&str>) -> Day {
    let due = deadline::of(PlanType::parse(plan?), Date::parse(denied?))?;
    Some(due.on.to_string())
}

/// What staff were told about the claim stands in its history, and its amount is one that was recorded once.
fn work(world: &World, claim: &Claim, events: &[Event], problems: &mut Vec<String>) {
    let model = world.model.borrow();
    let all = (claim.id.clone(), 0)..=(claim.id.clone(), i64::MAX);
    for ((_, version), made) in model.work.made.range(all) {
        let event = events.iter().find(|event| event.version == *version);
        let status_fits = |event: &Event| made.status.is_none_or(|status| status == event.status);
        let paid_fits = |event: &Event| made.cents.is_none_or(|cents| event.paid == Some(Some(cents)));
        if !event.is_some_and(|event| status_fits(event) && paid_fits(event)) {
            problems.push(format!("version {version} of claim {} is not what was answered: {made:?}", claim.id));
        }
    }
    let none = Vec::new();
    let asked = model.work.amounts.get(&claim.id).unwrap_or(&none);
    let paid = events.iter().filter_map(|event| event.paid);
    // A sandbox's payer pays by its scripts.
    let is_tried = model.sandboxes.iter().any(|sandbox| sandbox.id == claim.practice);
    let strange = paid.flatten().chain(claim.paid).find(|cents| !is_tried && !asked.contains(cents));
    if let Some(cents) = strange {
        problems.push(format!("claim {} has {cents} cents, and nobody recorded that: {asked:?}", claim.id));
    }
    let last = events.iter().rev().find_map(|event| event.paid).flatten();
    if last != claim.paid || (claim.status == "recovered" && last.is_none()) {
        problems.push(format!("claim {} has {:?} cents, and its history says {last:?}", claim.id, claim.paid));
    }
    if claim.version != events.last().map_or(1, |event| event.version) {
        problems.push(format!("claim {} has version {}, and its history another one", claim.id, claim.version));
    }
    let is_known = is_tried || world.practices.iter().any(|practice| practice.id == claim.practice);
    if events.iter().any(|event| event.practice != claim.practice) || !is_known {
        problems.push(format!("claim {} has events of another practice", claim.id));
    }
}

fn claims(db: &Connection) -> rusqlite::Result<Vec<Claim>> {
    let mut read = db.prepare_cached(
        "SELECT c.practice_id, c.id, c.status, c.version, c.appeal_due, c.recovered_cents,
           ifnull(c.letter_plan, c.plan_type), ifnull(c.letter_denied, c.denial_date), c.letter_due,
           EXISTS (SELECT 1 FROM level_claims l WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.filed = 1),
           (SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM case_levels l
            WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id ORDER BY l.level DESC LIMIT 1),
           c.plan_type, c.denial_date,
           (SELECT group_concat(e.detail ->> '$.filled_in') FROM claim_events e
            WHERE e.practice_id = c.practice_id AND e.claim_id = c.id AND e.kind = 'filled_in')
         FROM claims c",
    )?;
    let claim = |row: &Row<'_>| {
        let (plan, denied): (Option<String>, Day) = (row.get(11)?, row.get(12)?);
        let filled: Option<String> = row.get(13)?;
        let sent = |part: &str| !filled.as_deref().unwrap_or_default().contains(part);
        let first = (plan.filter(|_| sent("plan_type")), denied.filter(|_| sent("denial_date")));
        Ok(Claim {
            practice: row.get(0)?,
            id: row.get(1)?,
            status: row.get(2)?,
            version: row.get(3)?,
            due: row.get(4)?,
            paid: row.get(5)?,
            plan: row.get(6)?,
            denied: row.get(7)?,
            letter_due: row.get(8)?,
            is_filed: row.get(9)?,
            of_case: row.get(10)?,
            first_due: rule(first.0.as_deref(), first.1.as_deref()),
        })
    };
    read.query_map([], claim)?.collect()
}

fn events(db: &Connection) -> rusqlite::Result<BTreeMap<String, Vec<Event>>> {
    let mut read = db.prepare_cached(
        "SELECT e.claim_id, e.version, e.kind, e.status, e.practice_id,
           json_type(e.detail, '$.appeal_due') IS NOT NULL, e.detail ->> '$.appeal_due',
           json_type(e.detail, '$.recovered_cents') IS NOT NULL, e.detail ->> '$.recovered_cents',
           (SELECT group_concat(a.actor || ' ' || a.action, ', ') FROM audit a
            WHERE a.practice_id = e.practice_id AND a.request_id = e.request_id)
         FROM claim_events e ORDER BY e.claim_id, e.version",
    )?;
    let mut events = BTreeMap::<String, Vec<Event>>::new();
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        let (has_due, has_paid): (bool, bool) = (row.get(5)?, row.get(7)?);
        let event = Event {
            version: row.get(1)?,
            kind: row.get(2)?,
            status: row.get(3)?,
            practice: row.get(4)?,
            due: has_due.then_some(row.get(6)?),
            paid: has_paid.then_some(row.get(8)?),
            by: row.get::<_, Option<String>>(9)?.unwrap_or_default(),
        };
        events.entry(row.get(0)?).or_default().push(event);
    }
    Ok(events)
}
