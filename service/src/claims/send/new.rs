//! New claims, as writes.

use super::sender::Sender;
use crate::plan::{Plan, sandbox};
use crate::prelude::*;
use crate::store::json::{Chunks, json as text};
use crate::store::sealer::{SealError, Sealer};
use overturn_core::base::id::AuditId;
use overturn_core::claims::intake::{Changes, NewClaim};
use overturn_core::claims::{PlanType, Present, codes, deadline};
use std::collections::BTreeSet;
use std::ops::Range;

/// Adds the writes of new claims, and returns the range of those that insert the claims.
pub(super) fn add(
    plan: &mut Plan,
    changes: &Changes<'_>,
    sender: &Sender,
    ctx: &Ctx,
    sealer: &mut Sealer<'_>,
) -> Result<Range<usize>, SealError> {
    if changes.new.is_empty() {
        return Ok(0..0);
    }
    let mut rows = Chunks::default();
    for new in &changes.new {
        rows.push(&row(new, changes.practice_id, sealer)?);
    }
    let (first, now) = (plan.writes.len(), plan.at);
    plan.writes.extend(rows.finish().into_iter().map(|claims| insert((changes, sender), claims, now)));
    let inserts = first..plan.writes.len();
    plan.writes.extend(payers(changes, sender));
    plan.writes.extend(scripts(changes, sender, now));
    plan.writes.push(submission(changes, ctx));
    Ok(inserts)
}

/// Inserts claims. A number that is taken keeps its claim. Each claim is parsed once and kept as binary JSON; with text,
/// every `->>` would parse it again. Change numbers continue from the practice's last one, in the order of commits.
fn insert((changes, sender): (&Changes<'_>, &Sender), claims: String, now: Instant) -> Write {
    const BASE: &str = base!();
    let (practice, submission) = (changes.practice_id, changes.submission_id);
    sql!(
        "WITH f AS MATERIALIZED (SELECT jsonb(value) AS claim, key + 1 AS n FROM json_each({claims})), {BASE}
         INSERT INTO claims (practice_id, submission_id, received_at, updated_at, claim_number, id, payer_claim_number,
           payer_name, date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag,
           procedure_tag, key_version, sealed, appeal_due, appeal_due_from, present, changed, sandbox)
         SELECT {practice}, {submission}, {now}, {now}, claim ->> 0, claim ->> 1, claim ->> 2, claim ->> 3, claim ->> 4,
           claim ->> 5, claim ->> 6, claim ->> 7, claim ->> 8, claim -> 9, claim ->> 10, claim ->> 11, claim ->> 12,
           claim ->> 13, claim ->> 14, iif(claim ->> 14 IS NULL, NULL, 'rule'), claim ->> 15, base.n + f.n, CAST({sandbox} AS INTEGER)
         FROM base, f WHERE true
         ON CONFLICT (practice_id, claim_number) DO NOTHING" [BASE];
        practice, submission, now, claims, sandbox = usize::from(sender.sandbox)
    )
}

/// A new claim, in the order that [`insert`] reads.
fn row<'a>(
    new: &'a NewClaim<'_>,
    practice: PracticeId,
    sealer: &mut Sealer<'_>,
) -> Result<impl Serialize + use<'a>, SealError> {
    let claim = &new.item.claim;
    let version = new.tags.key_version;
    let secret = text(&new.item.confidential());
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

/// Notes the names of payers that are new, where upper and lower case are the same. `None` if all are known to be noted.
fn payers(changes: &Changes<'_>, sender: &Sender) -> Option<Write> {
    let names: BTreeSet<&str> = changes.new.iter().map(|new| &*new.item.claim.payer_name).collect();
    let noted = sender.assumed.as_ref();
    if noted.is_some_and(|noted| names.iter().all(|name| noted.contains(*name))) {
        return None;
    }
    let (practice, names) = (changes.practice_id, text(&names.iter().collect::<Vec<_>>()));
    Some(sql!(
        "INSERT INTO payers (practice_id, name, sandbox) SELECT {practice}, j.value, CAST({sandbox} AS INTEGER) FROM json_each({names}) j WHERE true
         ON CONFLICT (practice_id, name) DO NOTHING";
        practice, names, sandbox = usize::from(sender.sandbox)
    ))
}

/// When the scripts of new claims begin. `None` outside of a sandbox, and without a scripted claim.
fn scripts(changes: &Changes<'_>, sender: &Sender, now: Instant) -> Option<Write> {
    let numbers = changes.new.iter().filter(|_| sender.sandbox).map(|new| &*new.item.claim.claim_number);
    let due: Vec<_> = numbers.filter_map(|number| Some((number, sandbox::first_due(number, now)?))).collect();
    let (practice, submission) = (changes.practice_id, changes.submission_id);
    (!due.is_empty()).then(|| {
        sql!(
            "WITH f AS MATERIALIZED (SELECT c.practice_id, c.claim_number, j.value ->> 1 AS at
               FROM json_each({due}) j CROSS JOIN claims c
               WHERE c.practice_id = {practice} AND c.claim_number = j.value ->> 0 AND c.submission_id = {submission}
                 AND c.script_step = 0)
             UPDATE claims SET script_at = f.at FROM f
             WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number";
            practice, submission, due = text(&due)
        )
    })
}

/// The row of the trail is all that is stored of a submission, under its id. It is written only if one of the claims is of
/// this submission.
fn submission(changes: &Changes<'_>, ctx: &Ctx) -> Write {
    let (practice, submission) = (changes.practice_id, changes.submission_id);
    let numbers: Vec<&str> = changes.new.iter().map(|new| &*new.item.claim.claim_number).collect();
    audit_if!(
        Entry { id: AuditId(submission.0), ..Entry::new(ctx, 0, Some(practice), Event::SubmissionReceived, submission) },
        "EXISTS (SELECT 1 FROM json_each({numbers}) j CROSS JOIN claims c
           WHERE c.practice_id = {practice} AND c.claim_number = j.value AND c.submission_id = {submission})";
        practice, submission, numbers = text(&numbers)
    )
}
