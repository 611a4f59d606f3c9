//! What the payer answers on the appeal of a scripted claim.

use crate::plan::sandbox::Script as ClaimScript;
use crate::plan::work::change::ClosingReason;
use crate::prelude::*;
use crate::work::decision::{DecidedClaim, DecisionRequest};
use crate::work::levels::LevelEdit;
use overturn_core::base::date::Date;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::money::Cents;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::LevelOutcome;
use overturn_payer::{Claim, Decision, Line, Outcome, Reply, Script, appeal};

/// The facts about a claim that a payer looks at.
#[derive(Clone, Deserialize)]
pub(super) struct DeniedClaim {
    pub(super) id: ClaimId,
    pub(super) claim_number: String,
    payer_name: String,
    date_of_service: Date,
    /// What was denied, in cents.
    denied: Cents,
}

/// How many days after it asked for records the payer decides.
const RECORDS_DAYS: i32 = 30;

/// What the payer answers on this day to the appeal at this level. `None` if the level was not filed.
fn answered(claim: &DeniedClaim, outcome: Outcome, level: Level, today: Date) -> Option<Decision> {
    let filed = level.filed_on?;
    let after = u16::try_from(today.begins().since(filed.begins()).checked_div(DAY_MS)?).ok()?;
    let script = Script { replies: vec![Reply { outcome, after }], ..Script::default() };
    let line = Line {
        procedure: "99213".into(),
        charge: claim.denied.get(),
        day: claim.date_of_service,
        control: String::new(),
    };
    let denied = Claim {
        number: claim.claim_number.clone(),
        payer: claim.payer_name.clone(),
        filing: String::new(),
        patient: overturn_payer::Patient::default(),
        lines: vec![line],
    };
    appeal(&denied, &script, &[filed])
}

/// The payer asks for records. Staff send them that day, and record when they ask for the decision.
pub(super) fn records(claim: &DeniedClaim, level: Level, today: Date) -> Option<LevelEdit> {
    let asked = answered(claim, Outcome::Records, level, today)?.day?;
    Some(LevelEdit { follow_up_on: Some(Some(asked.plus_days(RECORDS_DAYS)?)), ..LevelEdit::default() })
}

/// The payer's decision about the appeal at this level, as staff record it on this day. `None` if the level was not filed.
pub(super) fn decision(claim: &DeniedClaim, level: Level, version: i64, today: Date) -> Option<DecisionRequest> {
    let outcome = match ClaimScript::of(&claim.claim_number)? {
        ClaimScript::Recover | ClaimScript::Records | ClaimScript::Slow => Outcome::Overturned,
        ClaimScript::Part => Outcome::Part,
        ClaimScript::Close => Outcome::Upheld,
        ClaimScript::Dismiss => Outcome::Dismissed,
        ClaimScript::Report | ClaimScript::Sign | ClaimScript::Silent => return None,
    };
    let decided = answered(claim, outcome, level, today)?;
    let paid = Cents::new(decided.recovered);
    let (outcome, reason) = match (decided.outcome, paid) {
        (Outcome::Overturned, Some(_)) => (LevelOutcome::Overturned, None),
        (Outcome::Part, Some(_)) => (LevelOutcome::PartlyOverturned, None),
        (Outcome::Dismissed, _) => (LevelOutcome::Dismissed, Some(ClosingReason::DeadlinePassed)),
        _ => (LevelOutcome::Upheld, Some(ClosingReason::DenialUpheld)),
    };
    let result = if reason.is_none() { ClaimStatus::Recovered } else { ClaimStatus::Closed };
    let ended =
        DecidedClaim { id: claim.id, version, result, amount_recovered: paid.filter(|_| reason.is_none()), reason };
    Some(DecisionRequest {
        outcome,
        decided_on: decided.day.filter(|day| *day <= today).unwrap_or(today),
        claims: Some(vec![ended]),
        next_level: None,
        take_over: None,
    })
}
