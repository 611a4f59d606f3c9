//! `GET /api/v1/auth/providers`: by which providers people may sign in. It says nothing about accounts.

use crate::call::Call;
use crate::config::OidcProvider;
use crate::directory::DOMAINS;
use crate::extract::{IfNoneMatch, PublicRequest, values};
use crate::pipeline::tagged;
use crate::prelude::*;
use crate::request::domain::is_domain;
use crate::settings::sso::{ProviderKind, oidc_path, saml_path};
use crate::sign_in_limits;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::SsoProviderId;
use std::rc::Rc;

/// A provider by which a person may sign in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SignInProvider {
    id: String,
    /// What people call it.
    name: String,
    /// The path that begins a sign-in.
    url: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ProvidersView {
    providers: Vec<SignInProvider>,
}

/// A provider of an active practice that has verified a domain.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct ProviderOfDomain {
    /// Its id at the practice.
    pub(super) id: SsoProviderId,
    /// Its protocol.
    pub(super) kind: ProviderKind,
    /// What the practice calls it.
    pub(super) name: String,
    /// The id in the configuration, of an OpenID Connect provider.
    pub(super) configured: Option<String>,
}

/// The domain of a query in lower case; `None` if it cannot be one.
fn domain(text: &str) -> Option<String> {
    let text = text.trim();
    is_domain(text).then(|| text.to_ascii_lowercase())
}

/// The providers of the active practice that has verified a domain, the oldest first.
pub(super) fn of_domain(domain: &str) -> Query<Vec<ProviderOfDomain>> {
    select!(
        "sso.providers_of_domain",
        "SELECT json_group_array(json_object('id', id, 'kind', kind, 'name', name, 'configured', configured)) AS json
         FROM (SELECT s.* FROM practice_domains d JOIN practices p ON p.id = d.practice_id AND p.state = 'active'
             JOIN sso_providers s ON s.practice_id = d.practice_id
           WHERE d.domain = {domain} AND d.verified_at IS NOT NULL ORDER BY s.id)";
        domain
    )
    .one()
}

/// `listProviders`: By which providers people may sign in.
///
/// Without `domain`, these are the providers of this installation. With `domain`, they are the providers of the
/// practice that has verified the domain; the list is empty if no practice has. The answer says nothing about
/// accounts. Lead the browser to `url` to begin a sign-in.
pub(crate) async fn list(
    PublicRequest { call }: PublicRequest,
    known: IfNoneMatch,
) -> Result<Gives<ProvidersView>, AppError> {
    sign_in_limits::public_read(&call).await?;
    let view = match values(&call.url, "domain").next() {
        None => of_installation(&call.app.settings.identity.oidc),
        Some(text) => of_asked(&call, &text).await?,
    };
    // The answer has text for every key, so this cannot fail.
    let text = serde_json::to_string(&view).unwrap_or_default();
    Ok(tagged(&known, text).into())
}

/// The providers of the practice that has verified this domain, if it is one.
async fn of_asked(call: &Rc<Call>, text: &str) -> Result<ProvidersView, AppError> {
    let stored = match domain(text) {
        Some(domain) => {
            let cell = DOMAINS.cell(call, &domain).await?;
            call.in_cell(cell.unwrap_or(Cell::FIRST)).db.read(&of_domain(&domain)).await?
        }
        None => Vec::new(),
    };
    let settings = &call.app.settings.identity;
    let saml = !settings.saml_keys.is_empty();
    Ok(of_practice(stored, saml, |id| settings.oidc_provider(id).is_some()))
}

fn of_installation(configured: &[OidcProvider]) -> ProvidersView {
    ProvidersView { providers: configured.iter().map(|provider| of(&provider.id, &provider.name)).collect() }
}

/// The providers of the practice that has verified a domain. A SAML provider is left out while SAML is off, and one of
/// the installation while the installation does not have it.
fn of_practice(stored: Vec<ProviderOfDomain>, saml: bool, is_configured: impl Fn(&str) -> bool) -> ProvidersView {
    let view = |stored: ProviderOfDomain| match stored.kind {
        ProviderKind::Saml => {
            saml.then(|| SignInProvider { id: stored.id.to_string(), name: stored.name, url: saml_path(stored.id) })
        }
        ProviderKind::Oidc => {
            let id = stored.configured.filter(|id| is_configured(id))?;
            Some(of(&id, &stored.name))
        }
    };
    ProvidersView { providers: stored.into_iter().filter_map(view).collect() }
}

fn of(id: &str, name: &str) -> SignInProvider {
    SignInProvider { id: id.into(), name: name.into(), url: oidc_path(id) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_domain_is_read_in_lower_case_or_not_at_all() {
        assert_eq!(domain(" Clinic.Example ").as_deref(), Some("clinic.example"));
        for text in ["", "clinic", "a b.example", "clinic.example/x", "kliník.example"] {
            assert_eq!(domain(text), None, "{text}");
        }
        let long: String = std::iter::repeat_n("a.", 127).collect();
        assert_eq!(domain(&long), None);
    }

    #[test]
    fn a_practice_shows_the_providers_that_work() {
        let id = SsoProviderId(Uuid::from_u128(7));
        let stored = |kind, configured: Option<&str>| ProviderOfDomain {
            id,
            kind,
            name: "Clinic".into(),
            configured: configured.map(Into::into),
        };
        let all = || {
            [
                stored(ProviderKind::Saml, None),
                stored(ProviderKind::Oidc, Some("google")),
                stored(ProviderKind::Oidc, Some("gone")),
            ]
            .into()
        };
        let known = |id: &str| id == "google";
        let urls = |view: ProvidersView| -> Vec<String> { view.providers.into_iter().map(|view| view.url).collect() };
        let google = "/api/v1/auth/oauth/google";
        let saml = saml_path(id);
        assert_eq!(urls(of_practice(all(), true, known)), [saml.as_str(), google]);
        assert_eq!(urls(of_practice(all(), false, known)), [google]);
    }
}
