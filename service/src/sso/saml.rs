//! `/api/v1/auth/saml/{provider}`: signing in by the SAML provider of a practice.

use super::outcome::{self, ToConsole, ToProvider, redirect};
use super::refusal::SsoRefusal;
use super::refused::{self, SignInBy};
use super::shown::{PracticeProvider, ShownIdentity};
use crate::accounts::sign_in::FirstFactor;
use crate::call::Call;
use crate::cookies;
use crate::cookies::ceremony::{self, CeremonyPurpose, OpenedCeremony, SpentProof};
use crate::extract::{BeginningBrowser, IfNoneMatch, ProviderForm, ProviderRequest};
use crate::pipeline::tagged_as;
use crate::prelude::*;
use crate::request::email::EmailAddress;
use crate::response;
use crate::settings::sso::SamlAddresses;
use crate::sign_in_limits;
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use http::header::CONTENT_TYPE;
use overturn_core::base::id::SsoProviderId;
use overturn_core::identity::saml::{BeginSaml, CheckSamlResponse, DescribeService, SamlClaims, ServiceProvider};
use overturn_core::identity::{Question, Verdict};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The longest form field with a response. It is base64 of at most 256 KiB.
const RESPONSE_MAX: usize = 360 * 1024;

/// How long after its end an assertion may still be accepted, because clocks differ, and some time more.
const SKEW_MS: i64 = 5 * 60_000;

/// The media type of our metadata.
const METADATA: &str = "application/samlmetadata+xml";

/// Our metadata for a provider.
pub(crate) enum Metadata {}

#[cfg(feature = "schema")]
overturn_core::described! { Metadata = { "type": "string", "contentMediaType": METADATA } }

/// A SAML provider of an active practice.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SamlProvider {
    pub(super) practice_id: PracticeId,
    pub(super) id: SsoProviderId,
    /// The version since which its sign-ins are checked as now.
    pub(super) version: i64,
    /// What the practice calls it.
    pub(super) name: String,
    pub(super) entity_id: String,
    pub(super) metadata: String,
    /// Whether it may begin sign-ins.
    pub(super) idp_initiated: bool,
}

/// A sign-in by a SAML provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct BegunBySaml {
    pub(super) provider: SsoProviderId,
    /// The id of the request, which the response must answer.
    pub(super) request_id: String,
    /// The value that the provider's answer must repeat.
    pub(super) relay_state: String,
    pub(super) browser: BeginningBrowser,
}

/// `beginSaml`: Begin a sign-in at the SAML provider of a practice.
///
/// Leads the browser to the provider's page with a signed request. The cookie `__Host-saml` binds the sign-in to
/// the browser for five minutes.
pub(crate) async fn begin(request: ProviderRequest) -> Result<Gives<ToProvider, 302>, AppError> {
    sign_in_limits::provider(&request.call).await?;
    lead(request).await.map(Gives::from)
}

/// Leads to the provider's page, with a cookie that holds the sign-in.
async fn lead(request: ProviderRequest) -> Result<Response, AppError> {
    let call = &request.call;
    let provider = find(call, &request.provider).await?;
    let relay_state = BASE64URL_NOPAD.encode(&call.app.host.bytes::<32>()?);
    let by = SignInBy::saml(provider.id);
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
    let cookie = ceremony::seal(&keys.ceremonies, CeremonyPurpose::Saml, &content, at);
    redirect(&begun.url, cookies::SAML.begin(&cookie))
}

/// `finishSaml`: Take the response of a SAML provider.
///
/// The assertion consumer service. The provider's page posts here, from its own site. The answer is as for `GET
/// /api/v1/auth/oauth/{provider}/callback`.
pub(crate) async fn consume(form: ProviderForm) -> Result<Gives<ToConsole, 302>, AppError> {
    sign_in_limits::provider(&form.request.call).await?;
    sign_in(form).await.map(Gives::from)
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
        ceremony::open::<BegunBySaml>(&keys.ceremonies, CeremonyPurpose::Saml, cookie, call.ctx.now)
    });
    let by = SignInBy::saml(provider.id);
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
    let shown = shown(&provider, claims, spent).map_err(refuse)?;
    let browser = answered.map_or(&request.browser, |begun| &begun.content.browser);
    outcome::conclude(call, &shown, browser, cookies::SAML).await
}

/// `showSamlMetadata`: Our metadata for a SAML provider.
///
/// Give this address, or the document, to the provider. It is also our entity id.
pub(crate) async fn metadata(request: ProviderRequest, known: IfNoneMatch) -> Result<Gives<Metadata>, AppError> {
    let call = &request.call;
    sign_in_limits::public_read(call).await?;
    let provider = find(call, &request.provider).await?;
    let sp = service(call, provider.id);
    let by = SignInBy::saml(provider.id);
    let metadata = ask(call, &by, &DescribeService { sp }).await?;
    let respond = |status, xml| response::with(status, [(CONTENT_TYPE, METADATA)], xml);
    Ok(tagged_as(&known, metadata.xml, respond).into())
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
    let found = call.db.read(&provider(id)).await?;
    Ok(found.ok_or(none)?)
}

/// A SAML provider of an active practice.
pub(super) fn provider(id: SsoProviderId) -> Query<Option<SamlProvider>> {
    select!(
        "sso.saml_provider",
        "SELECT json_object('practice_id', s.practice_id, 'id', s.id, 'version', s.trusted, 'name', s.name,
           'entity_id', s.entity_id, 'metadata', s.metadata,
           'idp_initiated', json(iif(s.idp_initiated = 1, 'true', 'false'))) AS json
         FROM sso_providers s JOIN practices p ON p.id = s.practice_id AND p.state = 'active'
         WHERE s.id = {id} AND s.kind = 'saml'";
        id
    )
    .optional()
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

/// The request that a response must answer: the one that this browser began with this provider. `None` if the provider
/// began the sign-in, and may.
fn answered_request<'b>(
    provider: &SamlProvider,
    begun: Option<&'b OpenedCeremony<BegunBySaml>>,
    relay_state: &str,
) -> Result<Option<&'b OpenedCeremony<BegunBySaml>>, SsoRefusal> {
    let is_same = |begun: &BegunBySaml| {
        let same: bool = begun.relay_state.as_bytes().ct_eq(relay_state.as_bytes()).into();
        same && !relay_state.is_empty()
    };
    match begun {
        Some(opened) if opened.content.provider == provider.id && is_same(&opened.content) => Ok(Some(opened)),
        // Beside a sign-in that the browser has begun, the provider may begin another one.
        _ if provider.idp_initiated => Ok(None),
        Some(opened) if opened.content.provider != provider.id => Err(SsoRefusal::MixedUp),
        Some(_) => Err(SsoRefusal::State),
        None => Err(SsoRefusal::Unsolicited),
    }
}

/// What the provider confirmed. `begun` is the ceremony, unless the provider began the sign-in.
fn shown(provider: &SamlProvider, claims: SamlClaims, begun: Option<SpentProof>) -> Result<ShownIdentity, SsoRefusal> {
    let assertion = spent_assertion(provider.id, &claims);
    let shown = ShownIdentity {
        by: FirstFactor::Saml,
        provider: provider.id.to_string(),
        saml: Some(PracticeProvider { practice_id: provider.practice_id, id: provider.id, version: provider.version }),
        provider_name: provider.name.clone(),
        issuer: provider.entity_id.clone(),
        subject: claims.subject,
        email: claims.email.as_deref().and_then(EmailAddress::parse),
        verified: false,
        owns_domain: true,
        authenticated_at: claims.authenticated_at,
        name: claims.name,
        contexts: claims.contexts,
        spent: [assertion].into_iter().chain(begun).collect(),
    };
    shown.usable()
}

/// The mark of an assertion, by its provider and its id.
fn spent_assertion(provider: SsoProviderId, claims: &SamlClaims) -> SpentProof {
    let mut hash = Sha256::new();
    hash.update(b"saml assertion\n");
    hash.update(provider.0.as_bytes());
    hash.update(claims.assertion_id.as_bytes());
    SpentProof { hash: HEXLOWER.encode(&hash.finalize()), expires_at: claims.expires_at.plus(SKEW_MS) }
}

#[cfg(test)]
mod tests;
