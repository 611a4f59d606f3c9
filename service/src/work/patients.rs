//! `POST /api/v1/staff/patients/search`.

use crate::call::Call;
use crate::error::AppError;
use crate::extract::WriteRequest;
use crate::pipeline::tampered;
use crate::response::Response;
use overturn_core::plan::claims::Patient;
use overturn_core::request::error::RequestError;
use overturn_core::work::patients::{self, PatientSearch, SearchedPractice};
use overturn_store::work::queries;
use std::rc::Rc;

/// `POST`: the claims of a patient.
pub(crate) async fn search(request: WriteRequest<PatientSearch>) -> Result<Response, AppError> {
    let asked = request.body().ok();
    let first = asked.map(|asked| queries::searched(asked.practice_id));
    let next = |practices: Option<Vec<_>>, asked: &PatientSearch| {
        let practices = practices.unwrap_or_default();
        let tagged = patients::tagged(asked, practices, |of, who| tag(&request.call, of, who))?;
        Ok((queries::of_patient(asked.practice_id, &tagged.tags), tagged))
    };
    let found = request
        .find(first, next, |of, found, person| patients::answer(of, found.unwrap_or_default(), person, request.ctx()));
    found.await
}

/// The tag of a patient in a practice; `None` if the practice has no data key.
fn tag(call: &Rc<Call>, of: &SearchedPractice, patient: &Patient<'_>) -> Result<Option<String>, RequestError> {
    let keys = call.app.keys.of_practice(of.id, of.data_key.as_ref());
    let identity = tampered::noted(call, keys.identity())?;
    Ok(identity.map(|key| key.patient(of.id, patient)))
}
