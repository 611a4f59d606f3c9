//! The limit on patients that a staff member opens before confirming the second factor again.

use super::authorize::person::ask_again;
use super::commit::commit;
use crate::call::Call;
use crate::error::AppError;
use crate::mail::letters;
use crate::sql::select;
use overturn_core::auth::person::Person;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::WorkGuard;
use overturn_core::plan::WorkWrite;
use overturn_core::plan::change::Change;
use overturn_core::plan::work::records::Pace;
use overturn_core::plan::{Actor, Guard, Write};
use overturn_core::work::pace;
use overturn_store::Query;
use overturn_store::error::{DatabaseError, FailedGuard};
use std::rc::Rc;

/// Commits the opening of a patient, or of nobody, or requires the second factor and leaves an alert. Returns the results of
/// the batch.
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
    let pace = pace_of(call, person)?;
    let change = match pace {
        Some(pace) => {
            let change = change.guard(Guard::Work(WorkGuard::Patients { pace, of }));
            let opened = of.map(|(practice, claim)| WorkWrite::PatientOpened { pace, practice, claim });
            opened.map(Write::Work).into_iter().fold(change, Change::write)
        }
        None => change,
    };
    match (commit(call, Actor::from(person), &change, &[]).await, pace) {
        (Err(DatabaseError::Conflict(FailedGuard::Patients)), Some(pace)) => {
            alert(call, person, pace).await?;
            let session = (person.user_id, person.epoch, pace.session_id);
            Err(ask_again(call, session).await?)
        }
        (done, _) => Ok(done.map(|_| ())),
    }
}

/// `None` if limits are off.
fn pace_of(call: &Call, person: &Person) -> Result<Option<Pace>, AppError> {
    let settings = &call.app.settings;
    if !settings.enforces_limits {
        return Ok(None);
    }
    let patients = settings.limits.patients;
    Ok(Some(Pace {
        user_id: person.user_id,
        session_id: person.session()?,
        limit: patients.limit,
        window_ms: patients.window_ms,
    }))
}

/// Leaves an alert, once until the second factor is confirmed: in the trail, in the log, and by email to the auditors.
async fn alert(call: &Rc<Call>, person: &Person, of: Pace) -> Result<(), AppError> {
    let change = pace::exceeded(of, &call.ctx);
    let done = commit(call, Actor::from(person), &change, &[]).await?;
    if done.is_empty() {
        return Ok(());
    }
    log::error!("{}", serde_json::json!({ "event": "patients_exceeded", "user_id": of.user_id, "limit": of.limit }));
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
mod tests {
    use super::auditors;
    use overturn_store::testing::Fixture;

    #[test]
    fn the_auditors_are_found_by_an_index() {
        let mut f = Fixture::new();
        f.enrol(1);
        let auditor = "INSERT INTO users (id, role, state, email, email_key, name, created_at)
                       VALUES ('a', 'auditor', 'active', 'a@overturn.example', 'a@overturn.example', '', 1)";
        f.db.execute_batch(auditor).unwrap();
        let query = auditors();
        assert_eq!(f.read(&query), ["a@overturn.example"]);
        f.assert_indexed(query.statement(), &["USING INDEX users_auditors"]);
    }
}
