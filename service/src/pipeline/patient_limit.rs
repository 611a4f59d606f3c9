//! The limit on patients that a staff member opens before confirming the second factor again.

use super::authorize::person::ask_again;
use super::commit::commit;
use crate::auth::person::Person;
use crate::call::Call;
use crate::error::AppError;
use crate::mail::letters;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::{Actor, Guard, Write};
use crate::sql::{abort_if, select, sql};
use crate::store::Query;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use serde_json::json;
use std::rc::Rc;

/// Whose data is opened: the patient of a claim.
pub(super) struct Patient {
    of: (PracticeId, ClaimId),
    /// The claim's `patient_tag`, if it is in another cell than the count.
    tag: Option<String>,
}

/// The limit for a staff member.
#[derive(Clone, Copy)]
struct Limit {
    user: UserId,
    session: SessionId,
    /// The most patients, in all of the person's sessions together.
    patients: u32,
    /// The window in milliseconds. It is shorter if the session's second factor was confirmed more recently.
    window_ms: i64,
}

impl Limit {
    /// `None` if limits are off.
    fn of(call: &Call, person: &Person) -> Result<Option<Self>, AppError> {
        let settings = &call.app.settings;
        if !settings.enforces_limits {
            return Ok(None);
        }
        let of = settings.limits.patients;
        let (user, session) = (person.user_id, person.session()?);
        Ok(Some(Self { user, session, patients: of.limit, window_ms: of.window_ms }))
    }

    /// The change, if the person may open this patient, or one who was not opened yet.
    fn opening(self, change: Change, patient: Option<&Patient>, now: Instant) -> Change {
        let change = change.guard(self.lets_open(patient, now));
        patient.into_iter().flat_map(|patient| self.opened(patient, now)).fold(change, Change::write)
    }

    /// A patient who was already opened in the window is not counted again. Who shows the second factor in another session
    /// may open more there, but not here.
    fn lets_open(self, patient: Option<&Patient>, now: Instant) -> Guard {
        let Self { user, session, patients, window_ms } = self;
        let (practice, claim) = patient.map(|patient| patient.of).unzip();
        let tag = patient.and_then(|patient| patient.tag.as_deref());
        let since = now.plus(window_ms.saturating_neg());
        abort_if!(
            Patients,
            "(SELECT (SELECT count(*) FROM patients_opened o
                 WHERE o.user_id = {user} AND o.patient IS NOT n.patient AND o.at > n.since) >= {patients}
             FROM (SELECT coalesce({tag}, (SELECT c.patient_tag FROM claims c WHERE c.practice_id = {practice} AND c.id = {claim}), {claim}) AS patient,
               max(CAST({since} AS INTEGER), coalesce((SELECT s.verified_at FROM sessions s
                 WHERE s.user_id = {user} AND s.id = {session}), 0)) AS since) n)";
            user, session, practice, claim, tag, since, patients = i64::from(patients)
        )
    }

    /// Also deletes the person's entries that are older than the window. The second factor may have been shown after the
    /// request began, or by a clock that is ahead: the patient counts since then all the same.
    fn opened(self, patient: &Patient, now: Instant) -> [Write; 2] {
        let Self { user, session, window_ms, .. } = self;
        let Patient { of: (practice, claim), tag } = patient;
        let before = now.plus(window_ms.saturating_neg());
        [
            sql!("DELETE FROM patients_opened WHERE user_id = {user} AND at <= {before}"; user, before),
            sql!(
                "INSERT INTO patients_opened (user_id, patient, at)
                 SELECT {user}, n.patient, max(CAST({now} AS INTEGER), coalesce((SELECT s.verified_at + 1 FROM sessions s
                   WHERE s.user_id = {user} AND s.id = {session}), 0)) FROM (SELECT coalesce({tag},
                   (SELECT c.patient_tag FROM claims c WHERE c.practice_id = {practice} AND c.id = {claim}), {claim}) AS patient) n
                 WHERE true
                 ON CONFLICT (user_id, patient) DO UPDATE SET at = max(at, excluded.at)";
                user, session, practice = *practice, claim = *claim, tag = tag.as_deref(), now
            ),
        ]
    }

    /// The alert about a staff member who opened more patients. There is one until the second factor is confirmed again.
    fn exceeded(self, ctx: &Ctx) -> Change {
        let Self { user, session, patients, window_ms } = self;
        let said = json!({ "limit": patients, "seconds": window_ms.div_euclid(1000) });
        let entry = Entry::new(ctx, 0, None, Event::PatientsExceeded, user).detail(said);
        Change::new(entry.session(Some(session)), Answer::empty())
            .guard(abort_if!(
                Record,
                "EXISTS (SELECT 1 FROM sessions WHERE user_id = {user} AND id = {session}
                   AND alerted_at > coalesce(verified_at, 0))";
                user, session
            ))
            .write(sql!(
                "UPDATE sessions SET alerted_at = {now} WHERE user_id = {user} AND id = {session}";
                user, session, now = ctx.now
            ))
    }
}

/// The patients whom anybody opened until an instant no longer count.
pub(crate) fn forget_opened(until: Instant) -> Write {
    sql!("DELETE FROM patients_opened WHERE at <= {until}"; until)
}

/// Commits the opening of a patient, or of nobody, or requires the second factor and leaves an alert. In the cell of a
/// practice, the directory counts first: it has what the person opened anywhere. Returns the results of the batch.
///
/// # Errors
///
/// The second factor is required, or the caller may not read.
pub(super) async fn open(
    call: &Rc<Call>,
    person: &Person,
    change: Change,
    of: Option<(PracticeId, ClaimId)>,
) -> Result<Result<(), DatabaseError>, AppError> {
    if call.home.is_none() {
        return open_at_home(call, person, change, of.map(|of| Patient { of, tag: None })).await;
    }
    let patient = match of {
        Some(of) => Some(patient(call, of).await?),
        None => None,
    };
    let counted = Change::nothing(Answer::empty()).guard(Guard::Person(person.clone()));
    match open_at_home(&call.at_home(), person, counted, patient).await? {
        Ok(()) => Ok(commit(call, Actor::from(person), &change, &[]).await.map(drop)),
        failed => Ok(failed),
    }
}

/// The patient of a claim in the cell of a call.
pub(super) async fn patient(call: &Call, of: (PracticeId, ClaimId)) -> Result<Patient, DatabaseError> {
    let (practice, claim) = of;
    let tag: Query<Option<String>> = select!(
        "pipeline.patient_tag",
        "SELECT json_quote(patient_tag) AS json FROM claims WHERE practice_id = {practice} AND id = {claim}";
        practice, claim
    )
    .optional();
    Ok(Patient { of, tag: call.db.read(&tag).await? })
}

/// [`open`] of a patient, where the staff's accounts are.
pub(super) async fn open_at_home(
    call: &Rc<Call>,
    person: &Person,
    change: Change,
    patient: Option<Patient>,
) -> Result<Result<(), DatabaseError>, AppError> {
    let limit = Limit::of(call, person)?;
    let change = match limit {
        Some(limit) => limit.opening(change, patient.as_ref(), call.ctx.now),
        None => change,
    };
    match (commit(call, Actor::from(person), &change, &[]).await, limit) {
        (Err(DatabaseError::Conflict(FailedGuard::Patients)), Some(limit)) => {
            alert(call, person, limit).await?;
            Err(ask_again(call, (limit.user, person.epoch, limit.session)).await?)
        }
        (done, _) => Ok(done.map(|_| ())),
    }
}

/// Leaves an alert, once until the second factor is confirmed: in the trail, in the log, and by email to the auditors.
async fn alert(call: &Rc<Call>, person: &Person, of: Limit) -> Result<(), AppError> {
    match commit(call, Actor::from(person), &of.exceeded(&call.ctx), &[]).await {
        // There is an alert already.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
        done => drop(done?),
    }
    log::error!("{}", json!({ "event": "patients_exceeded", "user_id": of.user, "limit": of.patients }));
    call.after_answer(async move |call| {
        let auditors = call.db.read(&auditors()).await;
        for to in auditors.unwrap_or_default() {
            // The mailer has logged the reason.
            let _sent = call.app.mailer.send(&letters::patients_exceeded(&to)).await;
        }
    });
    Ok(())
}

/// The addresses of the active auditors.
fn auditors() -> Query<Vec<String>> {
    select!(
        "pipeline.auditors",
        "SELECT json_group_array(email) AS json FROM users WHERE role = 'auditor' AND state = 'active'"
    )
    .one()
}

#[cfg(test)]
mod tests;
