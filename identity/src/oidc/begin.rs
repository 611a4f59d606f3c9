//! The beginning of a sign-in: the address of the provider's page.

use super::discovery;
use openidconnect::core::{CoreAuthenticationFlow, CoreClient};
use openidconnect::{ClientId, CsrfToken, Nonce, PkceCodeChallenge, RedirectUrl, Scope};
use overturn_core::identity::oidc::{BeginOidc, BegunOidc};
use overturn_core::identity::{Refusal, Verdict};
use std::time::Duration;

/// How old a person's sign-in at the provider may be before the provider asks again: a day. A provider that is asked for
/// an age has to say when the person signed in (OpenID Connect Core 1.0, section 3.1.2.1).
const MAX_AGE: Duration = Duration::from_secs(86_400);

pub(crate) fn begin(asked: &BeginOidc) -> Verdict<BegunOidc> {
    begun(asked).into()
}

fn begun(asked: &BeginOidc) -> Result<BegunOidc, Refusal> {
    let provider = discovery::checked(&asked.client, &asked.discovery)?;
    let id = ClientId::new(asked.client.client_id.clone());
    let redirect = RedirectUrl::new(asked.client.redirect_uri.clone())
        .map_err(|_| Refusal::new(Refusal::CONFIGURATION, "the redirect address is not an address"))?;
    let client = CoreClient::from_provider_metadata(provider, id, None).set_redirect_uri(redirect);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    // The library adds the scope `openid` itself.
    let scopes = asked.client.scopes.iter().filter(|one| *one != "openid");
    let (url, state, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes(scopes.cloned().map(Scope::new))
        .set_pkce_challenge(challenge)
        .set_max_age(MAX_AGE)
        .add_extra_param("response_mode", "query")
        .url();
    Ok(BegunOidc {
        url: url.into(),
        state: state.into_secret(),
        nonce: nonce.secret().clone(),
        verifier: verifier.into_secret(),
    })
}
