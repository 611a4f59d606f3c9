//! `GET /api/v1/auth/providers`: by which providers people may sign in. It says nothing about accounts.

use super::shown::ConfiguredProvider;
use crate::base::domain::is_domain;
use crate::base::id::SsoProviderId;
use crate::base::sso_path::{oidc_path, saml_path};
use crate::plan::sso::ProviderKind;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A provider, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProviderView {
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The path that begins a sign-in.
    pub url: String,
}

/// The providers, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProvidersView {
    pub providers: Vec<ProviderView>,
}

/// A provider of an active practice that has verified a domain.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ProviderOfDomain {
    /// Its id at the practice.
    pub id: SsoProviderId,
    /// Its protocol.
    pub kind: ProviderKind,
    /// What the practice calls it.
    pub name: String,
    /// The id in the configuration, of an OpenID Connect provider.
    pub configured: Option<String>,
}

/// The domain of a query in lower case; `None` if it cannot be one.
#[must_use]
pub fn domain(text: &str) -> Option<String> {
    let text = text.trim();
    is_domain(text).then(|| text.to_ascii_lowercase())
}

#[must_use]
pub fn of_installation<'p>(configured: impl Iterator<Item = ConfiguredProvider<'p>>) -> ProvidersView {
    let providers = configured.map(|provider| of(provider.id, provider.name));
    ProvidersView { providers: providers.collect() }
}

/// The providers of the practice that has verified a domain. A SAML provider is left out while SAML is off, and one of
/// the installation while the installation does not have it.
#[must_use]
pub fn of_practice<'p>(
    stored: Vec<ProviderOfDomain>,
    saml: bool,
    configured: impl Fn(&str) -> Option<ConfiguredProvider<'p>>,
) -> ProvidersView {
    let view = |stored: ProviderOfDomain| match stored.kind {
        ProviderKind::Saml => {
            saml.then(|| ProviderView { id: stored.id.to_string(), name: stored.name, url: saml_path(stored.id) })
        }
        ProviderKind::Oidc => {
            let provider = configured(stored.configured.as_deref()?)?;
            Some(of(provider.id, &stored.name))
        }
    };
    ProvidersView { providers: stored.into_iter().filter_map(view).collect() }
}

fn of(id: &str, name: &str) -> ProviderView {
    ProviderView { id: id.into(), name: name.into(), url: oidc_path(id) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use uuid::Uuid;

    const GOOGLE: ConfiguredProvider<'_> =
        ConfiguredProvider { id: "google", name: "Google", issuer: "https://accounts.google.example" };

    #[test]
    fn a_domain_is_read_in_lower_case_or_not_at_all() {
        assert_eq!(domain(" Clinic.Example ").as_deref(), Some("clinic.example"));
        for text in ["", "clinic", "a b.example", "clinic.example/x", "kliník.example"] {
            assert_eq!(domain(text), None, "{text}");
        }
        let long: String = core::iter::repeat_n("a.", 127).collect();
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
        let known = |id: &str| (id == GOOGLE.id).then_some(GOOGLE);
        let urls = |view: ProvidersView| -> Vec<String> { view.providers.into_iter().map(|view| view.url).collect() };
        let google = "/api/v1/auth/oauth/google";
        let saml = saml_path(id);
        assert_eq!(urls(of_practice(all(), true, known)), [saml.as_str(), google]);
        assert_eq!(urls(of_practice(all(), false, known)), [google]);
        assert_eq!(urls(of_installation([GOOGLE].into_iter())), [google]);
    }
}
