//! Turns new claims, fill-ins and corrections into statements.

use super::{counts, fills, mismatches, sql};
use crate::json::{Chunks, json};
use crate::keyring::Keyring;
use crate::records;
use crate::sealer::{SealError, Sealer};
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{AuditId, PracticeId, SubmissionId};
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::claims::{Corrections, NewClaim, NewClaims, PlanType, Present, codes, deadline};
use overturn_core::plan::{ClaimsWrite, Plan};
use serde::Serialize;
use std::ops::Range;

/// How to read the outcome of a plan's claims.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The statement that reads it. It is also the last one of the batch, unless all claims are new.
    pub query: Statement,
    /// The statements that insert, and how many claims the plan creates, if all claims are new. If as many rows were
    /// inserted, the batch created every claim, and nothing has to be read. Fewer are inserted after a lost race or a lost
    /// answer.
    pub inserts: Option<(Range<usize>, usize)>,
}

/// The claims of a plan, for reading their results.
#[derive(Default)]
pub(crate) struct Sent<'a> {
    practice: Option<PracticeId>,
    submission: Option<SubmissionId>,
    numbers: Vec<&'a str>,
    /// The statements that insert claims.
    inserts: Range<usize>,
    /// True if existing claims are filled in or corrected.
    changes: bool,
}

impl Sent<'_> {
    /// How to read the results of the claims, whose statements come after `others`; `None` if the plan has no claims.
    pub(crate) fn outcome(&self, others: usize) -> Option<Outcome> {
        let submission = self.submission.map_or_else(|| text(""), text);
        let numbers = Param::Text(json(&self.numbers));
        let query = Statement::new(sql::OUTCOME, [text(self.practice?), numbers, submission]);
        let inserts = self.inserts.start.saturating_add(others)..self.inserts.end.saturating_add(others);
        Some(Outcome { query, inserts: (!self.changes).then_some((inserts, self.numbers.len())) })
    }
}

/// Adds the statements of a change of claims.
pub(crate) fn lower<'a>(
    statements: &mut Vec<Statement>,
    (write, sent): (&'a ClaimsWrite<'a>, &mut Sent<'a>),
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<(), SealError> {
    match write {
        ClaimsWrite::New(new) => {
            sent.practice = Some(new.practice_id);
            sent.submission = Some(new.submission_id);
            sent.numbers.extend(claim_numbers(&new.claims));
            sent.inserts = new_claims(statements, new, plan, sealer)?;
        }
        ClaimsWrite::Fills(filled) => {
            sent.practice = Some(filled.practice_id);
            sent.changes = true;
            let claims = filled.claims.iter();
            sent.numbers.extend(claims.map(|fill| &*fill.item.claim.claim_number));
            fills::fills(statements, filled, plan, sealer)?;
        }
        ClaimsWrite::Corrections(corrected) => {
            sent.practice = Some(corrected.practice_id);
            sent.changes = true;
            let claims = corrected.claims.iter();
            sent.numbers.extend(claims.map(|claim| claim.claim_number));
            corrections(statements, corrected, plan, sealer.keys);
        }
        ClaimsWrite::Mismatches(found) => statements.push(mismatches::count(found)),
        ClaimsWrite::Alarm(alarm) => {
            statements.extend(mismatches::alarm(alarm, plan, sealer.keys));
        }
    }
    Ok(())
}

/// Adds the statements of new claims, and returns the range of those that insert the claims.
fn new_claims(
    statements: &mut Vec<Statement>,
    new: &NewClaims<'_>,
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<Range<usize>, SealError> {
    let practice = new.practice_id;
    let mut rows = Chunks::default();
    for claim in &new.claims {
        rows.push(&claim_row(claim, practice, sealer)?);
    }
    let (practice, submission, at) = (text(practice), text(new.submission_id), Param::Int(plan.at.0));
    statements.push(counts::count(new));
    let first = statements.len();
    for chunk in rows.finish() {
        let params = [practice.clone(), submission.clone(), at.clone(), Param::Text(chunk)];
        statements.push(Statement::new(sql::INSERT_CLAIMS, params));
    }
    let inserts = first..statements.len();
    statements.push(counts::payers(new));
    // The row of the trail is what is stored of a submission, under the id of the submission.
    let received = Entry {
        id: AuditId(new.submission_id.0),
        ..records::entry(new.practice_id, Event::SubmissionReceived, new.submission_id)
    };
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let numbers = Param::Text(json(&claim_numbers(&new.claims).collect::<Vec<_>>()));
    let noted = records::noted(plan, &received, sealer.keys);
    let common = [practice, submission, at, actor, request];
    statements.push(Statement::new(records::sql::AUDIT_SUBMISSION, [&common[..], &noted[..], &[numbers]].concat()));
    Ok(inserts)
}

/// A new claim, in the form that `sql::INSERT_CLAIMS` reads.
fn claim_row<'a>(
    new: &'a NewClaim<'_>,
    practice: PracticeId,
    sealer: &mut Sealer<'_>,
) -> Result<impl Serialize + use<'a>, SealError> {
    let claim = &new.item.claim;
    let version = new.tags.key_version;
    let secret = json(&new.item.confidential());
    let place = SealedPlace::Claim { practice, id: new.id };
    let (sealed_under, sealed) = sealer.seal(place, secret.as_bytes())?;
    if sealed_under != version {
        return Err(SealError);
    }
    let codes = claim.denial_codes.iter();
    Ok((
        &*claim.claim_number,
        new.id,
        &*claim.payer_claim_number,
        &*claim.payer_name,
        claim.date_of_service,
        claim.denial_date,
        claim.plan_type.map(PlanType::name),
        claim.billed_amount,
        claim.denied_amount,
        codes.filter_map(|code| codes::recognise(code)).collect::<Vec<_>>(),
        &new.tags.patient,
        &new.tags.procedure,
        version,
        sealed,
        deadline::of(claim.plan_type, claim.denial_date).map(|due| due.on),
        Present::of(new.item).bits(),
    ))
}

fn claim_numbers<'a>(claims: &'a [NewClaim<'a>]) -> impl Iterator<Item = &'a str> {
    claims.iter().map(|claim| &*claim.item.claim.claim_number)
}

/// A correction, in the form that the statements read.
#[derive(Serialize)]
struct CorrectionRow<'a> {
    claim_number: &'a str,
    id: String,
    payer_claim_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<i64>,
}

fn corrections(statements: &mut Vec<Statement>, corrected: &Corrections<'_>, plan: &Plan<'_>, keys: &Keyring) {
    let rows: Vec<CorrectionRow<'_>> = corrected
        .claims
        .iter()
        .map(|claim| CorrectionRow {
            claim_number: claim.claim_number,
            id: claim.id.to_string(),
            payer_claim_number: claim.payer_claim_number,
            billed: claim.billed.map(|amount| amount.get()),
            denied: claim.denied.map(|amount| amount.get()),
        })
        .collect();
    let practice = text(corrected.practice_id);
    let rows = Param::Text(json(&rows));
    let at = Param::Int(plan.at.0);
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let common = [practice.clone(), rows.clone(), at.clone()];
    statements
        .push(Statement::new(sql::INSERT_CORRECTED_EVENTS, [&common[..], &[actor.clone(), request.clone()]].concat()));
    statements.push(Statement::new(sql::UPDATE_CORRECTED, common));
    let entry = Entry {
        id: corrected.audit_id,
        ..records::entry(corrected.practice_id, Event::ClaimsCorrected, plan.request_id)
    };
    let noted = records::noted(plan, &entry, keys);
    let common = [practice, rows, text(corrected.audit_id), at, actor, request];
    statements.push(Statement::new(records::sql::AUDIT_CORRECTED, [&common[..], &noted[..]].concat()));
}
