//! A plan as statements. Pure: what it needs of keys and entropy is handed in.

use super::json::{Chunks, json};
use super::records;
use super::{Param, Statement, sql, text};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use overturn_core::access::Caller;
use overturn_core::claim::PlanType;
use overturn_core::codes;
use overturn_core::id::PracticeId;
use overturn_core::plan::{Corrections, NewClaim, NewClaims, Plan, Write};
use serde::Serialize;
use std::ops::Range;

/// The batch of a plan.
#[derive(Debug)]
pub struct Batch {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// How to learn what came of the plan's claims; `None` where it is about none.
    pub learn: Option<Learn>,
}

/// How to learn what came of a plan's claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Learn {
    /// The last statement of the batch reads it.
    Last,
    /// Where the statements of `inserts` changed `created` rows, every claim was created by this very batch. Where they
    /// did not, as after a lost race or a lost answer, this statement reads what came of them.
    Inserted {
        /// The statements that insert.
        inserts: Range<usize>,
        /// How many claims there are to create.
        created: usize,
        /// What to run otherwise.
        otherwise: Statement,
    },
}

/// Why a plan cannot be written. Neither can happen while the keyring holds the current key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotLower;

/// What lowering needs beside the plan.
pub struct Means<'m> {
    /// The keys, of which the current one seals.
    pub keys: &'m Keyring,
    /// Draws a fresh random nonce.
    pub nonce: &'m mut dyn FnMut() -> Nonce,
}

/// Lowers a plan to one batch.
///
/// # Errors
///
/// [`CannotLower`] when a claim was tagged under a key that does not seal.
pub fn lower(plan: &Plan<'_>, means: &mut Means<'_>) -> Result<Batch, CannotLower> {
    let mut statements = Vec::new();
    if let Some(caller) = &plan.guard {
        statements.push(guard(caller, plan));
    }
    let mut numbers: Vec<&str> = Vec::new();
    let mut practice = None;
    let mut submission = Param::Text(String::new());
    let mut inserts = 0..0;
    for write in &plan.writes {
        match write {
            Write::Claims(new) => {
                practice = Some(new.caller.practice_id);
                submission = text(new.submission_id);
                numbers.extend(claim_numbers(&new.claims));
                inserts = claims(&mut statements, new, plan, means)?;
            }
            Write::Corrections(corrected) => {
                practice = Some(corrected.caller.practice_id);
                numbers.extend(corrected.claims.iter().map(|claim| claim.claim_number));
                corrections(&mut statements, corrected, plan);
            }
            Write::Touch(caller) => statements.push(Statement::new(
                sql::TOUCH_API_KEY,
                [
                    text(caller.practice_id),
                    text(caller.api_key_id),
                    Param::Int(plan.at.0),
                ],
            )),
            Write::Practice(record, audit_id) => {
                statements.extend(records::practice(plan, record, *audit_id));
            }
            Write::Agreement(record, audit_id) => {
                statements.extend(records::agreement(plan, record, *audit_id));
            }
            Write::ApiKey(record, audit_id) => {
                statements.extend(records::api_key(plan, record, *audit_id));
            }
        }
    }
    let outcome = practice.map(|practice| {
        Statement::new(
            sql::OUTCOME,
            [text(practice), Param::Text(json(&numbers)), submission],
        )
    });
    let only_new = plan
        .writes
        .iter()
        .all(|write| matches!(write, Write::Claims(_)));
    let learn = match outcome {
        Some(otherwise) if only_new => Some(Learn::Inserted {
            inserts,
            created: numbers.len(),
            otherwise,
        }),
        Some(last) => {
            statements.push(last);
            Some(Learn::Last)
        }
        None => None,
    };
    Ok(Batch { statements, learn })
}

fn guard(caller: &Caller, plan: &Plan<'_>) -> Statement {
    Statement::new(
        sql::GUARD_CREDENTIAL,
        [
            text(caller.practice_id),
            text(caller.api_key_id),
            Param::Int(plan.at.0),
            text(caller.scope),
        ],
    )
}

/// Adds the statements of new claims, and says which of them insert the claims.
fn claims(
    statements: &mut Vec<Statement>,
    new: &NewClaims<'_>,
    plan: &Plan<'_>,
    means: &mut Means<'_>,
) -> Result<Range<usize>, CannotLower> {
    let practice = new.caller.practice_id;
    let mut rows = Chunks::default();
    for claim in &new.claims {
        rows.push(&claim_row(claim, practice, means)?);
    }
    let (practice, submission, at) = (
        text(practice),
        text(new.submission_id),
        Param::Int(plan.at.0),
    );
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let numbers = Param::Text(json(&claim_numbers(&new.claims).collect::<Vec<_>>()));
    let key = text(new.caller.api_key_id);
    let common = [practice.clone(), submission.clone(), at.clone()];
    statements.push(Statement::new(
        sql::INSERT_SUBMISSION,
        [&common[..], &[key, request.clone(), numbers.clone()]].concat(),
    ));
    let first = statements.len();
    for chunk in rows.finish() {
        let params = [
            practice.clone(),
            submission.clone(),
            at.clone(),
            Param::Text(chunk),
        ];
        statements.push(Statement::new(sql::INSERT_CLAIMS, params));
    }
    let inserts = first..statements.len();
    statements.push(Statement::new(
        sql::INSERT_RECEIVED_EVENTS,
        [&common[..], &[actor.clone(), request.clone(), numbers]].concat(),
    ));
    statements.push(Statement::new(
        sql::AUDIT_SUBMISSION,
        [practice, submission, text(new.audit_id), at, actor, request],
    ));
    Ok(inserts)
}

/// A new claim as `sql::INSERT_CLAIMS` reads it.
fn claim_row<'a>(
    new: &'a NewClaim<'_>,
    practice: PracticeId,
    means: &mut Means<'_>,
) -> Result<impl Serialize + use<'a>, CannotLower> {
    let claim = &new.item.claim;
    let version = new.tags.key_version;
    let secret = json(&new.item.confidential());
    let sealed = means
        .keys
        .sealing(version)
        .and_then(|key| key.seal(practice, new.id, secret.as_bytes(), (means.nonce)()))
        .ok_or(CannotLower)?;
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
        codes
            .filter_map(|code| codes::recognise(code))
            .collect::<Vec<_>>(),
        &new.tags.patient,
        &new.tags.procedure,
        version,
        sealed,
    ))
}

fn claim_numbers<'a>(claims: &'a [NewClaim<'a>]) -> impl Iterator<Item = &'a str> {
    claims.iter().map(|claim| &*claim.item.claim.claim_number)
}

/// A correction as the statements of corrections read it.
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

fn corrections(statements: &mut Vec<Statement>, corrected: &Corrections<'_>, plan: &Plan<'_>) {
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
    let practice = text(corrected.caller.practice_id);
    let rows = Param::Text(json(&rows));
    let at = Param::Int(plan.at.0);
    let (actor, request) = (text(plan.actor), text(plan.request_id));
    let common = [practice.clone(), rows.clone(), at.clone()];
    statements.push(Statement::new(
        sql::INSERT_CORRECTED_EVENTS,
        [&common[..], &[actor.clone(), request.clone()]].concat(),
    ));
    statements.push(Statement::new(sql::UPDATE_CORRECTED, common));
    statements.push(Statement::new(
        sql::AUDIT_CORRECTED,
        [practice, rows, text(corrected.audit_id), at, actor, request],
    ));
}
