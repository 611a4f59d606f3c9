//! `GET /api/v1/auth/providers`: by which providers people may sign in.

use super::oidc::configured;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{IfNoneMatch, PublicRequest, values};
use crate::pipeline::tagged;
use crate::response::Response;
use crate::sign_in_limits;
use overturn_core::sso::providers::{self, ProvidersView};
use overturn_store::sso::queries;

/// `GET`: the providers of the installation, or with `domain` those of the practice that has verified it. The answer
/// says nothing about accounts.
pub(crate) async fn list(PublicRequest { call }: PublicRequest, known: IfNoneMatch) -> Result<Response, AppError> {
    sign_in_limits::public_read(&call).await?;
    let settings = &call.app.settings.identity;
    let view = match values(&call.url, "domain").next() {
        None => providers::of_installation(settings.oidc.iter().map(configured)),
        Some(domain) => of_domain(&call, &domain).await?,
    };
    // Answers of core have text for every key, so this cannot fail.
    let text = serde_json::to_string(&view).unwrap_or_default();
    Ok(tagged(&known, text))
}

/// The providers of the practice that has verified a domain.
async fn of_domain(call: &Call, domain: &str) -> Result<ProvidersView, AppError> {
    let settings = &call.app.settings.identity;
    let stored = match providers::domain(domain) {
        Some(domain) => call.db.read(&queries::providers_of_domain(&domain)).await?,
        None => Vec::new(),
    };
    let saml = !settings.saml_keys.is_empty();
    let configured = |id: &str| settings.oidc_provider(id).map(configured);
    Ok(providers::of_practice(stored, saml, configured))
}
