//! The paths and addresses of sign-ins by external providers.

use super::id::SsoProviderId;
use alloc::format;
use alloc::string::String;

/// The path that begins a sign-in by an OpenID Connect provider. `id` is the provider's in the configuration.
#[must_use]
pub fn oidc_path(id: &str) -> String {
    format!("/api/v1/auth/oauth/{id}")
}

/// The path that begins a sign-in by a SAML provider, and that takes its response.
#[must_use]
pub fn saml_path(id: SsoProviderId) -> String {
    format!("/api/v1/auth/saml/{id}")
}

/// The addresses of the service for one SAML provider, below the origin of the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamlAddresses {
    /// Begins a sign-in. People open it.
    pub start: String,
    /// The assertion consumer service, where the provider posts its answers.
    pub acs: String,
    /// The metadata of the service. It is the service's entity id as well.
    pub metadata: String,
}

impl SamlAddresses {
    /// The addresses for a provider. `origin` is the service's own, such as `https://overturn.example`.
    #[must_use]
    pub fn of(origin: &str, provider: SsoProviderId) -> Self {
        let start = format!("{origin}{}", saml_path(provider));
        Self { acs: start.clone(), metadata: format!("{start}/metadata"), start }
    }
}
