//! `/api/v1/auth/oauth/{provider}`: signing in by an OpenID Connect provider of the installation.

use super::callback::{BegunByOidc, ProviderAnswer};
use super::exchange;
use super::outcome::{self, ToConsole, ToProvider, redirect};
use super::published;
use super::refusal::SsoRefusal;
use super::refused::{self, SignInBy};
use super::shown::ShownIdentity;
use crate::accounts::sign_in::FirstFactor;
use crate::call::Call;
use crate::config::OidcProvider;
use crate::cookies;
use crate::cookies::ceremony::{self, CeremonyPurpose, OpenedCeremony, SpentProof};
use crate::error::AppError;
use crate::extract::{BeginningBrowser, ProviderRequest, query};
use crate::memory::Published;
use crate::request::email::EmailAddress;
use crate::request::error::RequestError;
use crate::response::{Gives, Response};
use crate::settings::sso::oidc_path;
use crate::sign_in_limits;
use overturn_core::identity::oidc::{BeginOidc, BegunOidc, CheckIdToken, OidcClaims, OidcClient};
use overturn_core::identity::{Refusal, Verdict};

/// `beginOidc`: Begin a sign-in at an OpenID Connect provider.
///
/// Leads the browser to the provider's page. The cookie `__Host-oauth` binds the sign-in to the browser for five
/// minutes.
pub(crate) async fn begin(request: ProviderRequest) -> Result<Gives<ToProvider, 302>, AppError> {
    let call = &request.call;
    sign_in_limits::provider(call).await?;
    let provider = find(call, &request.provider)?;
    let client = client(call, provider);
    let published = published::of(call, provider, &client).await?;
    let discovery = published.discovery;
    let question = BeginOidc { client, discovery };
    let begun = match call.app.identity.ask(&question).await? {
        Verdict::Accepted(begun) => begun,
        Verdict::Refused(refusal) => {
            return Err(refused::by_check(call, &SignInBy::oidc(provider), &refusal));
        }
    };
    lead(call, &provider.id, begun, request.browser).map(Gives::from)
}

/// Leads to the provider's page, with a cookie that holds the sign-in.
fn lead(call: &Call, provider: &str, begun: BegunOidc, browser: BeginningBrowser) -> Result<Response, AppError> {
    let content = BegunByOidc {
        provider: provider.into(),
        state: begun.state,
        nonce: begun.nonce,
        verifier: begun.verifier,
        browser,
    };
    let at = (call.ctx.now, call.app.host.bytes()?);
    let keys = &call.app.keys;
    let cookie = ceremony::seal(&keys.ceremonies, CeremonyPurpose::Oidc, &content, at);
    redirect(&begun.url, cookies::OIDC.begin(&cookie))
}

/// `finishOidc`: Where an OpenID Connect provider leads the browser back to.
///
/// Register this exact address at the provider. It leads to the console (see *providers*). An identity that is not
/// connected to an account yet waits for five minutes in the cookie `__Host-identity`, so that the person can sign
/// in otherwise and connect it (`POST /api/v1/auth/identities`).
pub(crate) async fn callback(request: ProviderRequest) -> Result<Gives<ToConsole, 302>, AppError> {
    sign_in_limits::provider(&request.call).await?;
    sign_in(&request).await.map(Gives::from)
}

/// The sign-in that the browser began.
fn opened(call: &Call, cookie: Option<&str>) -> Option<OpenedCeremony<BegunByOidc>> {
    let keys = &call.app.keys;
    ceremony::open(&keys.ceremonies, CeremonyPurpose::Oidc, cookie?, call.ctx.now)
}

/// Signs in by the answer of a provider.
///
/// 1. Did this browser begin the sign-in, with this provider, and does the answer repeat its state?
/// 2. Exchange the code for an ID token, and ask the identity Worker about the token.
/// 3. Decide on the identity that it confirms.
async fn sign_in(request: &ProviderRequest) -> Result<Response, AppError> {
    let call = &request.call;
    let provider = find(call, &request.provider)?;
    let by = SignInBy::oidc(provider);
    let refuse = |refusal| refused::by_rule(call, &by, refusal);
    let begun = opened(call, request.oidc.as_deref());
    let OpenedCeremony { content: begun, spent } = begun.ok_or_else(|| refuse(SsoRefusal::NotBegun))?;
    let answer = ProviderAnswer::read(query(&call.url));
    answer.belongs_to(&begun, &provider.id).map_err(refuse)?;
    let client = client(call, provider);
    let published = published::of(call, provider, &client).await?;
    let named = published.description.names_issuer;
    let code = answer.code(&provider.issuer, named).map_err(refuse)?;
    let of = (provider, &client);
    let id_token = exchange::id_token(call, of, &published, (&begun, code)).await?;
    let claims = check(call, of, &published, (&begun, id_token)).await?;
    let shown = shown(provider, claims, spent).map_err(refuse)?;
    outcome::conclude(call, &shown, &begun.browser, cookies::OIDC).await
}

/// Has an ID token checked. If its key is unknown, the provider may have new keys.
async fn check(
    call: &Call,
    (provider, client): (&OidcProvider, &OidcClient),
    published: &Published,
    (begun, id_token): (&BegunByOidc, String),
) -> Result<OidcClaims, AppError> {
    let key_set = published::key_set(provider, published);
    let mut question = CheckIdToken {
        client: client.clone(),
        keys: key_set.keys(&call.app).await?,
        id_token,
        nonce: begun.nonce.clone(),
        now: call.app.host.now(),
    };
    let mut verdict = call.app.identity.ask(&question).await?;
    if is_unknown_key(&verdict)
        && let Some(keys) = key_set.renewed(&call.app).await?
    {
        question.keys = keys;
        verdict = call.app.identity.ask(&question).await?;
    }
    match verdict {
        Verdict::Accepted(claims) => Ok(claims),
        Verdict::Refused(refusal) => {
            if refusal.reason == Refusal::PROVIDER {
                key_set.forget(&call.app);
            }
            Err(refused::by_check(call, &SignInBy::oidc(provider), &refusal))
        }
    }
}

fn is_unknown_key(verdict: &Verdict<OidcClaims>) -> bool {
    matches!(verdict, Verdict::Refused(refusal) if refusal.reason == Refusal::UNKNOWN_KEY)
}

fn find<'c>(call: &'c Call, id: &str) -> Result<&'c OidcProvider, AppError> {
    let provider = call.app.settings.identity.oidc_provider(id);
    Ok(provider.ok_or(RequestError::NotFound("no such provider"))?)
}

/// The service as the provider's client. The address of the callback is exact.
fn client(call: &Call, provider: &OidcProvider) -> OidcClient {
    let origin = call.app.settings.origin(&call.url);
    provider.client(format!("{origin}{}/callback", oidc_path(&provider.id)))
}

/// What the provider confirmed. `spent` is the mark of the ceremony.
fn shown(provider: &OidcProvider, claims: OidcClaims, spent: SpentProof) -> Result<ShownIdentity, SsoRefusal> {
    let shown = ShownIdentity {
        by: FirstFactor::Oidc,
        provider: provider.id.clone(),
        saml: None,
        provider_name: provider.name.clone(),
        issuer: provider.issuer.clone(),
        subject: claims.subject,
        email: claims.email.as_deref().and_then(EmailAddress::parse),
        verified: claims.email_verified,
        owns_domain: claims.owns_domain,
        authenticated_at: claims.authenticated_at,
        name: claims.name,
        contexts: claims.contexts,
        spent: [spent].into(),
    };
    shown.usable()
}
