//! The fill-ins of resends, as statements.

use super::sql::fills as sql;
use crate::json::{Chunks, json};
use crate::records;
use crate::sealer::{SealError, Sealer};
use crate::statement::{Param, Statement, text};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Cents;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::Plan;
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::claims::deadline::Deadline;
use overturn_core::plan::claims::{Fill, Fills, Part, PlanType, codes};
use overturn_core::plan::work::level_names::DecisionSource;
use overturn_core::plan::work::payer_clock::Clock;
use serde::Serialize;
use serde_json::Value;

/// A fill-in, in the form that the statements read.
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

/// The statements of all fill-ins of a send.
pub(crate) fn fills(
    statements: &mut Vec<Statement>,
    fills: &Fills<'_>,
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<(), SealError> {
    let practice = text(fills.practice_id);
    let at = Param::Int(plan.at.0);
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let mut filled = Chunks::default();
    for fill in &fills.claims {
        filled.push(&row(fill, fills, sealer)?);
    }
    let is_clocked = fills.claims.iter().any(|fill| fill.clock.is_some_and(|clock| clock.level.is_some()));
    let mut raised = Vec::new();
    for chunk in filled.finish() {
        let common = [practice.clone(), Param::Text(chunk), at.clone()];
        if is_clocked {
            statements.push(Statement::new(sql::UPDATE_CLOCKS, common[..2].to_vec()));
            raised.push(Statement::new(sql::RAISE_CASES, common[..2].to_vec()));
        }
        let event = [&common[..], &[actor.clone(), request.clone()]].concat();
        statements.push(Statement::new(sql::INSERT_EVENTS, event));
        statements.push(Statement::new(sql::UPDATE, common));
    }
    statements.append(&mut raised);
    let changed: Vec<_> = fills.claims.iter().map(|fill| FilledClaim { id: fill.id, version: fill.version }).collect();
    let rows = Param::Text(json(&changed));
    let event = Event::ClaimsFilledIn;
    let entry = Entry { id: fills.audit_id, ..records::entry(fills.practice_id, event, plan.request_id) };
    let noted = records::noted(plan, &entry, sealer.keys);
    let common = [practice, rows, text(fills.audit_id), at, actor, request];
    let params = [&common[..], &noted[..]].concat();
    statements.push(Statement::new(records::sql::AUDIT_FILLED_IN, params));
    Ok(())
}

/// The fields that the event of a fill-in lists.
#[derive(Serialize)]
struct FilledClaim {
    id: ClaimId,
    version: i64,
}

fn row<'a>(fill: &'a Fill<'_>, fills: &Fills<'_>, sealer: &mut Sealer<'_>) -> Result<FillRow<'a>, SealError> {
    let claim = &fill.item.claim;
    let has = |part| fill.parts.has(part);
    let codes = has(Part::DenialCodes).then(|| {
        let codes = claim.denial_codes.iter();
        codes.filter_map(|code| codes::recognise(code)).collect()
    });
    let sealed = match &fill.secret {
        None => None,
        Some(secret) => {
            let place = SealedPlace::Claim { practice: fills.practice_id, id: fill.id };
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
