//! `/api/v1/auth/2fa`: enrolling an authenticator app, and recovery codes.

use crate::accounts::context::setting;
use crate::error::Refusal;
use crate::extract::{AnyBody, DeviceCookie, WriteRequest, parse_body};
use crate::pipeline::after_commit;
use crate::pipeline::tampered;
use crate::platform;
use axum::response::Response;
use overturn_core::accounts::enrolment::{self, Confirmed, Enrolment};
use overturn_core::accounts::recovery::{CODES, RecoveryCode};
use overturn_core::auth::rights::Action;
use overturn_core::base::totp::TotpSecret;
use overturn_core::request::denied::Denied;
use overturn_store::accounts::queries;

parse_body! {
    Confirmed = |body, _| enrolment::parse(body);
}

/// `POST …/totp`: a secret for an authenticator app, shown in this answer only.
#[worker::send]
pub(crate) async fn begin(request: WriteRequest<AnyBody>) -> Result<Response, Refusal> {
    let secret = TotpSecret::new(platform::bytes()?);
    let load = queries::account_of_caller(request.credential());
    let decide = request.change(Action::EnrolFactor, load, |person, account, _| {
        let email = account.ok_or(Denied::NotSignedIn)?.email;
        let secret = secret.clone();
        Ok::<_, Denied>(enrolment::begin(person, &email, secret, request.ctx()))
    });
    decide.await
}

/// `POST …/totp/confirm`: the first code makes it the account's second factor.
#[worker::send]
pub(crate) async fn confirm(
    DeviceCookie(device): DeviceCookie,
    request: WriteRequest<Confirmed>,
) -> Result<Response, Refusal> {
    let call = &request.call;
    let factor = request
        .body()
        .ok()
        .map(|asked| queries::waiting_factor(request.credential(), asked.factor_id));
    let load = (queries::account_of_caller(request.credential()), factor);
    let (codes, setting) = (codes()?, setting(call)?);
    let mut enrolled = None;
    let decide = request.change(
        Action::EnrolFactor,
        load,
        |person, (account, factor), confirmed| {
            let account = account.ok_or(Denied::NotSignedIn)?;
            let factor = factor.flatten();
            let secret = factor
                .as_ref()
                .map(|factor| call.app.keys.open(person.user_id, factor));
            let asked = Enrolment {
                secret: tampered::noted(call, secret.transpose())?,
                factor,
                email: &account.email,
                codes: codes.clone(),
            };
            enrolled = Some(account.email_key());
            enrolment::confirm(&confirmed, &asked, person, setting)
        },
    );
    let mut response = decide.await?;
    // Both factors were shown here, so the device is known at the next sign-in.
    if let Some(email_key) = enrolled {
        after_commit::know_device(call, &email_key, device.as_deref(), &mut response)?;
    }
    Ok(response)
}

/// `POST …/recovery_codes`: ten new ones, shown in this answer only.
#[worker::send]
pub(crate) async fn renew_codes(request: WriteRequest<AnyBody>) -> Result<Response, Refusal> {
    let codes = codes()?;
    let load = queries::account_of_caller(request.credential());
    let decide = request.change(Action::ChangeFactor, load, |person, account, _| {
        let email = account.ok_or(Denied::NotSignedIn)?.email;
        Ok::<_, Denied>(enrolment::renew_codes(
            person,
            &email,
            &codes,
            request.ctx(),
        ))
    });
    decide.await
}

fn codes() -> Result<Vec<RecoveryCode>, Refusal> {
    let drawn = (0..CODES).map(|_| platform::bytes().map(RecoveryCode::mint));
    Ok(drawn.collect::<Result<_, _>>()?)
}
