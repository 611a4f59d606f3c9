//! `/api/v1/auth/saml/{provider}`: signing in by the SAML provider of a practice.

use super::outcome::{self, redirect};
use super::refused::{self, SignInBy};
use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use crate::extract::{ProviderForm, ProviderRequest};
use crate::response::{self, Response};
use crate::sign_in_limits;
use data_encoding::BASE64URL_NOPAD;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use overturn_core::accounts::ceremony::CeremonyPurpose;
use overturn_core::base::id::SsoProviderId;
use overturn_core::base::sso_path::SamlAddresses;
use overturn_core::identity::saml::{BeginSaml, CheckSamlResponse, DescribeService, ServiceProvider};
use overturn_core::identity::{Question, Verdict};
use overturn_core::request::error::RequestError;
use overturn_core::sso::begun::BegunBySaml;
use overturn_core::sso::shown::{SamlProvider, ShownIdentity, answered_request};
use overturn_store::sso::queries;

/// The longest form field with a response. It is base64 of at most 256 KiB.
const RESPONSE_MAX: usize = 360 * 1024;

/// `GET`: leads to the provider's page with a signed request. Nothing is stored.
pub(crate) async fn begin(request: ProviderRequest) -> Result<Response, AppError> {
    sign_in_limits::provider(&request.call).await?;
    lead(request).await
}

/// Leads to the provider's page, with a cookie that holds the sign-in.
async fn lead(request: ProviderRequest) -> Result<Response, AppError> {
    let call = &request.call;
    let provider = find(call, &request.provider).await?;
    let relay_state = BASE64URL_NOPAD.encode(&call.app.host.bytes::<32>()?);
    let by = SignInBy::saml(&provider);
    let question = BeginSaml {
        sp: service(call, provider.id),
        metadata: provider.metadata,
        relay_state: relay_state.clone(),
        now: call.ctx.now,
    };
    let begun = ask(call, &by, &question).await?;
    let content =
        BegunBySaml { provider: provider.id, request_id: begun.request_id, relay_state, browser: request.browser };
    let at = (call.ctx.now, call.app.host.bytes()?);
    let keys = &call.app.keys;
    let cookie = keys.seal_ceremony(CeremonyPurpose::Saml, &content, at);
    redirect(&begun.url, cookies::SAML.begin(&cookie))
}

/// `POST`: the response that the provider's page posts.
///
/// The request comes from another site. The cookie of the ceremony binds it to the browser, and the response must answer
/// the request of that cookie. Only a provider that may begin sign-ins is believed without one.
pub(crate) async fn consume(form: ProviderForm) -> Result<Response, AppError> {
    sign_in_limits::provider(&form.request.call).await?;
    sign_in(form).await
}

/// Signs in by a response that was posted.
///
/// 1. Is the response for this provider, and does it answer the request that this browser began?
/// 2. Ask the identity Worker about the response.
/// 3. Decide on the identity that it confirms.
async fn sign_in(ProviderForm { request, form }: ProviderForm) -> Result<Response, AppError> {
    let call = &request.call;
    let response = form.get("SAMLResponse");
    if response.len() > RESPONSE_MAX {
        return Err(RequestError::BodyTooLarge.into());
    }
    let provider = find(call, &request.provider).await?;
    let begun = request.saml.as_deref().and_then(|cookie| {
        let keys = &call.app.keys;
        keys.open_ceremony::<BegunBySaml>(CeremonyPurpose::Saml, cookie, call.ctx.now)
    });
    let by = SignInBy::saml(&provider);
    let refuse = |refusal| refused::by_rule(call, &by, refusal);
    let answered = answered_request(&provider, begun.as_ref(), form.get("RelayState"));
    let answered = answered.map_err(refuse)?;
    let question = CheckSamlResponse {
        sp: service(call, provider.id),
        metadata: provider.metadata.clone(),
        response: response.to_owned(),
        request_id: answered.map(|begun| begun.content.request_id.clone()),
        now: call.ctx.now,
    };
    let claims = ask(call, &by, &question).await?;
    let spent = answered.map(|begun| begun.spent.clone());
    let shown = ShownIdentity::by_saml(&provider, claims, spent).map_err(refuse)?;
    let browser = answered.map_or(&request.browser, |begun| &begun.content.browser);
    outcome::conclude(call, &shown, browser, cookies::SAML).await
}

/// `GET …/metadata`: the service's metadata for this provider.
pub(crate) async fn metadata(request: ProviderRequest) -> Result<Response, AppError> {
    let call = &request.call;
    sign_in_limits::public_read(call).await?;
    let provider = find(call, &request.provider).await?;
    let sp = service(call, provider.id);
    let by = SignInBy::saml(&provider);
    let metadata = ask(call, &by, &DescribeService { sp }).await?;
    let kind = [(CONTENT_TYPE, "application/samlmetadata+xml")];
    Ok(response::with(StatusCode::OK, kind, metadata.xml))
}

async fn ask<Q: Question>(call: &Call, by: &SignInBy, question: &Q) -> Result<Q::Answer, AppError> {
    match call.app.identity.ask(question).await? {
        Verdict::Accepted(facts) => Ok(facts),
        Verdict::Refused(refusal) => Err(refused::by_check(call, by, &refusal)),
    }
}

/// The provider of an active practice. The same refusal for an unknown one and while SAML is off.
async fn find(call: &Call, id: &str) -> Result<SamlProvider, AppError> {
    let none = RequestError::NotFound("no such provider");
    let is_on = !call.app.settings.identity.saml_keys.is_empty();
    let id = id.parse().ok().filter(|_| is_on).map(SsoProviderId);
    let id = id.ok_or(none.clone())?;
    let found = call.db.read(&queries::saml_provider(id)).await?;
    Ok(found.ok_or(none)?)
}

/// The service as the service provider of one identity provider.
fn service(call: &Call, id: SsoProviderId) -> ServiceProvider {
    let origin = call.app.settings.origin(&call.url);
    let addresses = SamlAddresses::of(&origin, id);
    ServiceProvider {
        entity_id: addresses.metadata,
        acs: addresses.acs,
        keys: call.app.settings.identity.saml_keys.clone(),
    }
}
