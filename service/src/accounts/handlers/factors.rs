//! `/api/v1/auth/2fa`: enrolling an authenticator app, and recovery codes.

use crate::accounts::context::setting;
use crate::accounts::recovery_codes;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{AnyBody, DeviceCookie, ReadRequest, WriteRequest};
use crate::pipeline::after_commit;
use crate::pipeline::tampered;
use crate::response::Response;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::continuation::StoredFactor;
use overturn_core::accounts::enrolment::{self, Confirmed, Enrolment};
use overturn_core::accounts::recovery::RecoveryCode;
use overturn_core::auth::person::Person;
use overturn_core::base::totp::TotpSecret;
use overturn_core::request::error::RequestError;
use overturn_store::accounts::queries;
use std::rc::Rc;

/// `POST …/totp`: makes a secret for an authenticator app. Only this answer shows it.
pub(crate) async fn begin(request: WriteRequest<AnyBody>) -> Result<Response, AppError> {
    let secret = TotpSecret::new(request.call.app.host.bytes()?);
    let load = queries::account_of_caller(request.credential());
    let decide = request.change(load, |person, account, _| {
        let email = account.ok_or(RequestError::NotSignedIn)?.email;
        let secret = secret.clone();
        Ok::<_, RequestError>(enrolment::begin(person, &email, secret, request.ctx()))
    });
    decide.await
}

/// `POST …/totp/confirm`: the first code confirms it as the account's second factor.
pub(crate) async fn confirm(
    DeviceCookie(device): DeviceCookie,
    request: WriteRequest<Confirmed>,
) -> Result<Response, AppError> {
    let call = &request.call;
    let asked = request.body().ok();
    let factor = asked.map(|asked| queries::waiting_factor(request.credential(), asked.factor_id));
    let load = (queries::account_of_caller(request.credential()), factor);
    let (codes, setting) = (recovery_codes(call)?, setting(call)?);
    let mut enrolled = None;
    let decide = |person: &Person, (account, factor): (Option<Account>, _), confirmed| {
        let account = account.ok_or(RequestError::NotSignedIn)?;
        let asked = waiting(call, person, Option::flatten(factor), (&account, &codes))?;
        enrolled = Some(account.email_key());
        enrolment::confirm(&confirmed, &asked, person, setting)
    };
    let response = request.change(load, decide).await?;
    know_device(call, enrolled, device.as_deref(), response)
}

/// The factor that waits for its first code, with its secret opened.
fn waiting<'a>(
    call: &Rc<Call>,
    person: &Person,
    factor: Option<StoredFactor>,
    (account, codes): (&'a Account, &[RecoveryCode]),
) -> Result<Enrolment<'a>, RequestError> {
    let secret = factor.as_ref().map(|factor| call.app.keys.open(person.user_id, factor));
    Ok(Enrolment {
        secret: tampered::noted(call, secret.transpose())?,
        factor,
        email: &account.email,
        codes: codes.to_vec(),
    })
}

/// Both factors were shown here, so the device is known at the next sign-in.
fn know_device(
    call: &Call,
    enrolled: Option<String>,
    device: Option<&str>,
    mut response: Response,
) -> Result<Response, AppError> {
    if let Some(email_key) = enrolled {
        after_commit::know_device(call, &email_key, device, &mut response)?;
    }
    Ok(response)
}

/// `GET …/recovery_codes`: how many are left.
pub(crate) async fn count_codes(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::recovery_codes_left(request.credential());
    let view = request.show(load, |_, left| Ok::<_, AppError>(left));
    view.await
}

/// `POST …/recovery_codes`: makes ten new ones. Only this answer shows them.
pub(crate) async fn renew_codes(request: WriteRequest<AnyBody>) -> Result<Response, AppError> {
    let codes = recovery_codes(&request.call)?;
    let load = queries::account_of_caller(request.credential());
    let decide = request.change(load, |person, account, _| {
        let email = account.ok_or(RequestError::NotSignedIn)?.email;
        Ok::<_, RequestError>(enrolment::renew_codes(person, &email, &codes, request.ctx()))
    });
    decide.await
}
