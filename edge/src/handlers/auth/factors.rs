//! `/api/v1/auth/2fa`: enrolling an authenticator app, and recovery codes.

use super::session::{account, setting};
use crate::ambient;
use crate::app::Call;
use crate::door::{self, Json};
use crate::error::Refusal;
use crate::extract::{Body, DeviceCookie, Once, Presented};
use crate::outcome;
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::enrolment::{self, Enrolment};
use overturn_core::accounts::recovery::{CODES, RecoveryCode};
use overturn_core::accounts::second_factor::StoredFactor;
use overturn_core::auth::rights::Action;
use overturn_core::base::totp::TotpSecret;
use overturn_core::request::denied::Denied;
use overturn_store::{load, rows};
use std::sync::Arc;

/// `POST …/totp`: a secret for an authenticator app, shown in this answer only.
#[worker::send]
pub(crate) async fn begin(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let secret = TotpSecret::new(ambient::bytes()?);
    let load = vec![load::account_of_caller(&presented.hash)];
    let asked = (&presented, &once, &body);
    door::change(
        &call,
        asked,
        Action::EnrolFactor,
        load,
        |person, read, _| {
            let account = account(&read)?;
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
    let mut load = vec![load::account_of_caller(&presented.hash)];
    let factor = parsed
        .iter()
        .map(|asked| load::waiting_factor(&presented.hash, asked.factor_id));
    load.extend(factor);
    let (codes, setting) = (codes()?, setting(&call)?);
    let asked = (&presented, &once, &body);
    let mut enrolled = None;
    let mut response = door::change(
        &call,
        asked,
        Action::EnrolFactor,
        load,
        |person, read, _| {
            let parsed = parsed.as_ref().map_err(Denied::clone)?;
            let account = account(&read)?;
            let factor: Option<StoredFactor> = rows::one(read.json(1))?;
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
        outcome::know_device(&call, &email_key, device.as_deref(), &mut response)?;
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
    let load = vec![load::account_of_caller(&presented.hash)];
    let asked = (&presented, &once, &body);
    door::change(
        &call,
        asked,
        Action::ChangeFactor,
        load,
        |person, read, _| {
            let account = account(&read)?;
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
    let drawn = (0..CODES).map(|_| ambient::bytes().map(RecoveryCode::mint));
    Ok(drawn.collect::<Result<_, _>>()?)
}
