//! What OpenID Connect providers publish: the discovery document and the key set.

use super::refused::{self, SignInBy};
use crate::call::Call;
use crate::config::OidcProvider;
use crate::error::AppError;
use crate::key_sets::{KeySet, document, is_fresh, known};
use crate::memory::Published;
use overturn_core::identity::Verdict;
use overturn_core::identity::oidc::{DescribeOidc, OidcClient};

/// What a provider published. The document is checked before it is kept.
pub(super) async fn of(call: &Call, provider: &OidcProvider, client: &OidcClient) -> Result<Published, AppError> {
    let app = &call.app;
    let kept = known(app, &provider.id, |known| known.published.clone());
    if let Some(kept) = kept.filter(|kept| is_fresh(app, kept.fetched_at)) {
        return Ok(kept);
    }
    let issuer = provider.issuer.trim_end_matches('/');
    let address = format!("{issuer}/.well-known/openid-configuration");
    let discovery = document(app, &provider.id, &address, Ok).await?;
    let question = DescribeOidc { client: client.clone(), discovery };
    let description = match call.app.identity.ask(&question).await? {
        Verdict::Accepted(description) => description,
        Verdict::Refused(refusal) => {
            return Err(refused::by_check(call, &SignInBy::oidc(provider), &refusal));
        }
    };
    let published = Published { discovery: question.discovery, description, fetched_at: app.host.now() };
    known(app, &provider.id, |known| known.published = Some(published.clone()));
    Ok(published)
}

/// The provider's key set.
pub(super) fn key_set<'p>(provider: &'p OidcProvider, published: &'p Published) -> KeySet<'p> {
    KeySet { of: &provider.id, address: &published.description.jwks_uri, list: "keys" }
}
