//! The paths and addresses of sign-ins by external providers.

use overturn_core::base::id::SsoProviderId;

/// The path that begins a sign-in by an OpenID Connect provider. `id` is the provider's in the configuration.
pub(crate) fn oidc_path(id: &str) -> String {
    format!("/api/v1/auth/oauth/{id}")
}

/// The path that begins a sign-in by a SAML provider, and that takes its response.
pub(crate) fn saml_path(id: SsoProviderId) -> String {
    format!("/api/v1/auth/saml/{id}")
}

/// The addresses of the service for one SAML provider, below the origin of the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SamlAddresses {
    /// Begins a sign-in. People open it.
    pub(crate) start: String,
    /// The assertion consumer service, where the provider posts its answers.
    pub(crate) acs: String,
    /// The metadata of the service. It is the service's entity id as well.
    pub(crate) metadata: String,
}

impl SamlAddresses {
    /// The addresses for a provider. `origin` is the service's own, such as `https://overturn.example`.
    pub(crate) fn of(origin: &str, provider: SsoProviderId) -> Self {
        let start = format!("{origin}{}", saml_path(provider));
        Self { acs: start.clone(), metadata: format!("{start}/metadata"), start }
    }
}
