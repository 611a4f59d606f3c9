//! What the payer answers on the appeal of a scripted claim.

use crate::plan::sandbox::Script as ClaimScript;
use crate::plan::work::change::ClosingReason;
use crate::prelude::*;
use crate::work::decision::{DecidedClaim, DecisionRequest};
use overturn_core::base::date::Date;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::money::Cents;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::LevelOutcome;
use overturn_payer::{Claim, Line, Outcome, Reply, Script, appeal};

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

/// The payer's decision about the appeal at this level, as staff record it on this day. `None` if the level was not filed.
pub(super) fn decision(claim: &DeniedClaim, level: Level, version: i64, today: Date) -> Option<DecisionRequest> {
    let outcome = match ClaimScript::of(&claim.claim_number)? {
        ClaimScript::Recover | ClaimScript::Slow => Outcome::Overturned,
        ClaimScript::Part => Outcome::Part,
        ClaimScript::Close => Outcome::Upheld,
        ClaimScript::Dismiss => Outcome::Dismissed,
        ClaimScript::Report | ClaimScript::Sign | ClaimScript::Silent => return None,
    };
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
    let decided = appeal(&denied, &script, &[filed])?;
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
