//! `/api/v1/auth/2fa`: enrolling an authenticator app, and recovery codes.

use super::session::setting;
use crate::after_commit;
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, DeviceCookie, Once, Presented};
use crate::pipeline;
use crate::platform;
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::enrolment::{self, Enrolment};
use overturn_core::accounts::recovery::{CODES, RecoveryCode};
use overturn_core::auth::rights::Action;
use overturn_core::base::totp::TotpSecret;
use overturn_core::request::denied::Denied;
use overturn_store::accounts::queries;
use std::sync::Arc;

/// `POST …/totp`: a secret for an authenticator app, shown in this answer only.
#[worker::send]
pub(crate) async fn begin(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let secret = TotpSecret::new(platform::bytes()?);
    let load = queries::account_of_caller(&presented.hash);
    let asked = (&presented, &once, &body);
    pipeline::change(
        &call,
        asked,
        Action::EnrolFactor,
        load,
        |person, account, _| {
            let account = account.ok_or(Denied::NotSignedIn)?;
            Ok(enrolment::begin(
                person,
                &account.email,
                secret.clone(),
                &call.ctx,
            ))
        },
    )
    .await
}

/// `POST …/totp/confirm`: the first code makes it the account's second factor.
#[worker::send]
pub(crate) async fn confirm(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    DeviceCookie(device): DeviceCookie,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let parsed = body.as_ref().map_err(Denied::clone);
    let parsed = parsed.and_then(|body| enrolment::parse(body));
    let factor = parsed
        .as_ref()
        .ok()
        .map(|asked| queries::waiting_factor(&presented.hash, asked.factor_id));
    let load = (queries::account_of_caller(&presented.hash), factor);
    let (codes, setting) = (codes()?, setting(&call)?);
    let asked = (&presented, &once, &body);
    let mut enrolled = None;
    let mut response = pipeline::change(
        &call,
        asked,
        Action::EnrolFactor,
        load,
        |person, (account, factor), _| {
            let parsed = parsed.as_ref().map_err(Denied::clone)?;
            let account = account.ok_or(Denied::NotSignedIn)?;
            let factor = factor.flatten();
            let secret = factor
                .as_ref()
                .map(|factor| call.app.keys.open(person.user_id, factor));
            let asked = Enrolment {
                secret: tampered::noted(&call, secret.transpose())?,
                factor,
                email: &account.email,
                codes: codes.clone(),
            };
            enrolled = Some(account.email_key());
            Ok(enrolment::confirm(parsed, &asked, person, setting)?)
        },
    )
    .await?;
    // Both factors were shown here: the next sign-in is no stranger's.
    if let Some(email_key) = enrolled {
        after_commit::know_device(&call, &email_key, device.as_deref(), &mut response)?;
    }
    Ok(response)
}

/// `POST …/recovery_codes`: ten new ones, shown in this answer only.
#[worker::send]
pub(crate) async fn renew_codes(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let codes = codes()?;
    let load = queries::account_of_caller(&presented.hash);
    let asked = (&presented, &once, &body);
    pipeline::change(
        &call,
        asked,
        Action::ChangeFactor,
        load,
        |person, account, _| {
            let account = account.ok_or(Denied::NotSignedIn)?;
            Ok(enrolment::renew_codes(
                person,
                &account.email,
                &codes,
                &call.ctx,
            ))
        },
    )
    .await
}

fn codes() -> Result<Vec<RecoveryCode>, Refusal> {
    let drawn = (0..CODES).map(|_| platform::bytes().map(RecoveryCode::mint));
    Ok(drawn.collect::<Result<_, _>>()?)
}
