//! The fill-ins of resends, as writes.

use super::corrections::{AFTER, BEFORE, CORRECTS};
use crate::plan::Plan;
use crate::plan::message::{Data, Message, MessageKind};
use crate::prelude::*;
use crate::store::json::{Chunks, json as text};
use crate::store::sealer::{SealError, Sealer};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::level_names::DecisionSource;
use overturn_core::claims::appeal::payer_clock::Clock;
use overturn_core::claims::deadline::Deadline;
use overturn_core::claims::intake::{Changes, Fill};
use overturn_core::claims::{ClaimNumber, Part, PlanType, codes};
use serde_json::Value;

/// A fill-in, in the form that the writes read.
#[derive(Serialize)]
struct FillRow<'a> {
    claim_number: &'a str,
    id: ClaimId,
    version: i64,
    key_version: KeyVersion,
    present: u16,
    payer_claim_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed: Option<Cents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<Cents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denial_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<Deadline>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filed: Option<bool>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
    detail: Value,
}

/// The payer's clock of a case. Without a day it only says which version of the case was read.
#[derive(Serialize)]
struct ClockRow {
    case_id: CaseId,
    case_version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_due: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_source: Option<DecisionSource>,
}

impl From<Clock> for ClockRow {
    fn from(clock: Clock) -> Self {
        Self {
            case_id: clock.case_id,
            case_version: clock.version,
            level: clock.level.map(|level| level.level),
            decision_due: clock.level.and_then(|level| level.decision_due),
            decision_source: clock.level.and_then(|level| level.decision_source),
        }
    }
}

/// The number of messages reserved for each round of a request.
const ROUND: usize = 100;

/// Adds the writes of fill-ins, and returns the messages among them.
pub(super) fn add(
    plan: &mut Plan,
    changes: &Changes<'_>,
    ctx: &Ctx,
    sealer: &mut Sealer<'_>,
) -> Result<Vec<MessageId>, SealError> {
    if changes.fills.is_empty() {
        return Ok(Vec::new());
    }
    let practice = changes.practice_id;
    let mut rows = Chunks::default();
    for fill in &changes.fills {
        rows.push(&row(fill, practice, sealer)?);
    }
    let is_clocked = changes.fills.iter().any(|fill| fill.clock.is_some_and(|clock| clock.level.is_some()));
    let mut raised = Vec::new();
    for rows in rows.finish() {
        if is_clocked {
            plan.writes.push(clocks(practice, &rows));
            raised.push(raise_cases(practice, &rows));
        }
        let writes = [events(practice, &rows, plan), update(practice, &rows, plan)];
        plan.writes.extend(writes);
    }
    plan.writes.append(&mut raised);
    plan.writes.push(audit(changes, ctx));
    let told: Vec<_> = changes.fills.iter().filter_map(|fill| Some((message(fill, changes, ctx)?, fill))).collect();
    if !told.is_empty() {
        plan.writes.push(tell(&told, ctx));
    }
    Ok(told.iter().map(|(message, _)| message.id).collect())
}

/// The message about a deadline that a fill-in sets.
fn message(fill: &Fill<'_>, changes: &Changes<'_>, ctx: &Ctx) -> Option<Message> {
    let data = Data::Deadline {
        id: fill.id,
        claim_number: ClaimNumber(fill.item.claim.claim_number.clone().into_owned()),
        deadline: Some(fill.due?.date),
    };
    let n = changes.round.saturating_mul(ROUND).saturating_add(fill.place);
    Some(Message::new(ctx, n, changes.practice_id, data))
}

/// Written only if something was filled in.
fn audit(changes: &Changes<'_>, ctx: &Ctx) -> Write {
    let (practice, request) = (changes.practice_id, ctx.request_id);
    let filled: Vec<_> = changes.fills.iter().map(|fill| (fill.id, fill.version)).collect();
    audit_if!(
        Entry::new(ctx, 2, Some(practice), Event::ClaimsFilledIn, request),
        "EXISTS (SELECT 1 FROM json_each({filled}) j CROSS JOIN claim_events e
           WHERE e.practice_id = {practice} AND e.claim_id = j.value ->> 0 AND e.version = (j.value ->> 1) + 1
             AND e.kind = 'filled_in' AND e.request_id = {request})";
        practice, filled = text(&filled), request
    )
}

/// Writes messages, each only if its claim was filled in.
fn tell(told: &[(Message, &Fill<'_>)], ctx: &Ctx) -> Write {
    const DELIVERIES: &str = deliveries!("{rows}", "{now}");
    let rows = told.iter().map(|(message, fill)| {
        let kind = MessageKind::name(message.kind());
        (message.practice_id, message.id, kind, message.body(ctx.now), fill.id, fill.version)
    });
    let rows = text(&rows.collect::<Vec<_>>());
    let (now, request) = (ctx.now, ctx.request_id);
    sql!(
        "{DELIVERIES} AND EXISTS (SELECT 1 FROM claim_events e WHERE e.practice_id = j.value ->> 0
           AND e.claim_id = j.value ->> 4 AND e.version = (j.value ->> 5) + 1 AND e.kind = 'filled_in'
           AND e.request_id = {request})
         ON CONFLICT (practice_id, webhook_id, id) DO NOTHING" [DELIVERIES];
        rows, now, request
    )
}

/// The claim `c` of a fill-in `j`, if it is unchanged since it was opened. A filing for a claim without a deadline does
/// not change the claim's version. So a claim whose deadline may depend on filings is checked for them, and the case whose
/// clock depends on the plan is checked for changes.
const AS_OPENED: &str = "c.practice_id = {practice} AND c.claim_number = j.value ->> 'claim_number'
         AND c.id = j.value ->> 'id' AND c.version = j.value ->> 'version' AND c.key_version = j.value ->> 'key_version'
         AND (j.value ->> 'filed' IS NULL OR j.value ->> 'filed' = EXISTS (SELECT 1 FROM level_claims l
           WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.filed = 1))
         AND (j.value ->> 'case_version' IS NULL OR j.value ->> 'case_version' = (SELECT k.version FROM cases k
           WHERE k.practice_id = c.practice_id AND k.id = c.case_id))";

/// Runs before the claims change. Of several claims of a case, the first day counts.
fn clocks(practice: PracticeId, rows: &str) -> Write {
    sql!(
        "WITH f AS MATERIALIZED (
           SELECT j.value ->> 'case_id' AS case_id, j.value ->> 'level' AS level, min(j.value ->> 'decision_due') AS day,
             j.value ->> 'decision_source' AS source
           FROM json_each({rows}) j CROSS JOIN claims c WHERE j.value ->> 'decision_due' IS NOT NULL AND {AS_OPENED}
           GROUP BY 1, 2)
         UPDATE case_levels SET decision_due = f.day, decision_source = f.source
         FROM f WHERE case_levels.practice_id = {practice} AND case_levels.case_id = f.case_id
           AND case_levels.level = f.level AND (case_levels.decision_due IS NULL OR case_levels.decision_due > f.day)"
            [AS_OPENED];
        practice, rows
    )
}

/// Runs after the claims changed, which checks the version.
fn raise_cases(practice: PracticeId, rows: &str) -> Write {
    sql!(
        "WITH f AS MATERIALIZED (
           SELECT DISTINCT j.value ->> 'case_id' AS id, j.value ->> 'case_version' AS version FROM json_each({rows}) j
           WHERE j.value ->> 'decision_due' IS NOT NULL)
         UPDATE cases SET version = f.version + 1
         FROM f WHERE cases.practice_id = {practice} AND cases.id = f.id AND cases.version = f.version";
        practice, rows
    )
}

/// Runs before the claims change, together with the corrections.
fn events(practice: PracticeId, rows: &str, plan: &Plan) -> Write {
    let (now, actor, request) = (plan.at, plan.actor.to_string(), plan.request_id);
    sql!(
        "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
         SELECT {practice}, c.id, c.version + 1, {now}, 'filled_in', c.status, {actor}, {request},
           iif({CORRECTS}, json_set(j.value -> 'detail', '$.before', {BEFORE}, '$.after', {AFTER}), j.value -> 'detail')
         FROM json_each({rows}) j CROSS JOIN claims c WHERE {AS_OPENED}" [CORRECTS, BEFORE, AFTER, AS_OPENED];
        practice, rows, now, actor, request
    )
}

/// Materialized, because SQLite would otherwise loop over all claims first.
fn update(practice: PracticeId, rows: &str, plan: &Plan) -> Write {
    const BASE: &str = base!();
    let now = plan.at;
    sql!(
        "WITH f AS MATERIALIZED (
           SELECT c.practice_id, c.claim_number, j.value AS fill, j.key + 1 AS n
           FROM json_each({rows}) j CROSS JOIN claims c WHERE {AS_OPENED}), {BASE}
         UPDATE claims SET denial_date = coalesce(denial_date, f.fill ->> 'denial_date'),
           plan_type = coalesce(plan_type, f.fill ->> 'plan_type'),
           payer_claim_number = f.fill ->> 'payer_claim_number', billed_cents = coalesce(f.fill ->> 'billed', billed_cents),
           denied_cents = coalesce(f.fill ->> 'denied', denied_cents), present = f.fill ->> 'present',
           adjustment_codes = coalesce(f.fill -> 'codes', adjustment_codes),
           sealed = coalesce(f.fill ->> 'sealed', sealed),
           appeal_due = coalesce(f.fill ->> '$.due.date', appeal_due),
           appeal_due_from = coalesce(f.fill ->> '$.due.from', appeal_due_from),
           version = version + 1, updated_at = {now}, changed = base.n + f.n
         FROM base, f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number
           AND +claims.practice_id = {practice}" [AS_OPENED, BASE];
        practice, rows, now
    )
}

fn row<'a>(fill: &'a Fill<'_>, practice: PracticeId, sealer: &mut Sealer<'_>) -> Result<FillRow<'a>, SealError> {
    let claim = &fill.item.claim;
    let has = |part| fill.parts.has(part);
    let codes = has(Part::DenialCodes).then(|| {
        let codes = claim.denial_codes.iter();
        codes.filter_map(|code| codes::recognise(code)).collect()
    });
    let sealed = match &fill.secret {
        None => None,
        Some(secret) => {
            let place = SealedPlace::Claim { practice, id: fill.id };
            let (version, sealed) = sealer.seal(place, secret)?;
            if version != fill.key_version {
                return Err(SealError);
            }
            Some(sealed)
        }
    };
    Ok(FillRow {
        claim_number: &claim.claim_number,
        id: fill.id,
        version: fill.version,
        key_version: fill.key_version,
        present: fill.present.bits(),
        payer_claim_number: &claim.payer_claim_number,
        billed: claim.billed_amount,
        denied: claim.denied_amount,
        denial_date: claim.denial_date.filter(|_| has(Part::DenialDate)),
        plan_type: claim.plan_type.filter(|_| has(Part::PlanType)).map(PlanType::name),
        codes,
        due: fill.due,
        filed: fill.filed,
        clock: fill.clock.map(Into::into),
        sealed,
        detail: fill.history(),
    })
}
