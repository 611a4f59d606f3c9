//! `POST /api/v1/staff/patients/search`.

use crate::call::Call;
use crate::error::AppError;
use crate::extract::WriteRequest;
use crate::pipeline::tampered;
use crate::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::plan::claims::Patient;
use overturn_core::work::patients::{self, PatientSearch, SearchedPractice};
use overturn_store::work::queries;
use std::rc::Rc;

/// `POST`: the claims of a patient.
pub(crate) async fn search(request: WriteRequest<PatientSearch>) -> Result<Response, AppError> {
    let asked = request.body().ok();
    let first = asked.map(|asked| queries::searched(asked.practice_id));
    let next = |practices: Option<Vec<_>>, asked: &PatientSearch| {
        let practices = practices.unwrap_or_default();
        let tagged = patients::tagged(asked, practices, |of, who| tags(&request.call, of, who))?;
        Ok((queries::of_patient(asked.practice_id, &tagged.tags), tagged))
    };
    let found = request.find(Action::ReadClaim, first, next, |of, found, person| {
        patients::answer(of, found.unwrap_or_default(), person, request.ctx())
    });
    found.await
}

/// The tags of a patient in a practice under every key; `None` if a key cannot be used.
fn tags(call: &Rc<Call>, of: &SearchedPractice, patient: &Patient<'_>) -> Option<Vec<String>> {
    let keys = tampered::keys(call, of.id, of.data_key.as_ref());
    Some(keys.every_identity()?.patient_tags(of.id, patient))
}
