//! `/api/v1/settings/sso`: the identity providers and mail domains of a practice, and whether it requires single sign-on.

pub mod domain;
pub mod ending;
pub mod provider;
pub mod required;
pub mod txt;

mod metadata;
mod public_mail;

pub use metadata::refused as metadata_refused;

use crate::base::id::{DomainId, SsoProviderId};
use crate::base::sso_path::{SamlAddresses, oidc_path};
use crate::base::time::Time;
use crate::identity::saml::SigningCertificate;
use crate::plan::sso::{ProviderKind, SecondFactorContext, ServedProviders};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// The most identity providers of a practice.
pub const PROVIDERS_MAX: usize = 10;
/// The most mail domains of a practice.
pub const DOMAINS_MAX: usize = 20;

/// What the installation offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installation {
    /// The service's own origin, such as `https://overturn.example`.
    pub origin: String,
    /// True if the service has keys for SAML.
    pub saml: bool,
    /// Its OpenID Connect providers.
    pub oidc: Vec<AvailableProvider>,
}

/// An OpenID Connect provider of the installation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AvailableProvider {
    /// Its id in the configuration, such as `google`.
    pub id: String,
    /// The name on its button.
    pub name: String,
}

impl Installation {
    fn oidc(&self, id: &str) -> Option<&AvailableProvider> {
        self.oidc.iter().find(|provider| provider.id == id)
    }

    /// True if people can sign in by the provider.
    fn serves(&self, provider: &SettingsProvider) -> bool {
        match &provider.configured {
            Some(id) => self.oidc(id).is_some(),
            None => self.saml,
        }
    }

    /// The providers that it serves, for the conditions of a batch.
    fn served(&self) -> ServedProviders {
        let oidc = self.oidc.iter();
        ServedProviders { saml: self.saml, configured: oidc.map(|provider| provider.id.clone()).collect() }
    }
}

/// How the people of a practice sign in, as stored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SsoSettings {
    /// The number of edits of the practice.
    pub version: i64,
    /// Whether single sign-on is required.
    pub required: bool,
    /// True if a person of the practice has a session that began by single sign-on.
    pub in_use: bool,
    /// The identity providers, the oldest first.
    pub providers: Vec<SettingsProvider>,
    /// The mail domains, the oldest first.
    pub domains: Vec<SettingsDomain>,
}

/// An identity provider of a practice, as stored, without its metadata.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct SettingsProvider {
    pub id: SsoProviderId,
    /// The number of its edits.
    pub version: i64,
    /// Its protocol.
    pub kind: ProviderKind,
    pub name: String,
    /// The id in the configuration, of an OpenID Connect provider.
    pub configured: Option<String>,
    /// The entity id, of a SAML provider.
    pub entity_id: Option<String>,
    /// The certificates, of a SAML provider.
    pub certificates: Option<Vec<SigningCertificate>>,
    /// The contexts that stand for a second factor.
    pub contexts: Vec<SecondFactorContext>,
    /// Whether the provider may begin sign-ins.
    pub idp_initiated: bool,
    /// When it was added.
    pub created_at: Time,
}

/// A mail domain of a practice, as stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct SettingsDomain {
    pub id: DomainId,
    pub domain: String,
    /// The random part of the text that its TXT record must have.
    pub token: String,
    /// When it was added.
    pub created_at: Time,
    /// When it was verified.
    pub verified_at: Option<Time>,
    /// True if another practice has verified it.
    pub taken: bool,
}

impl SsoSettings {
    fn provider(&self, id: SsoProviderId) -> Option<&SettingsProvider> {
        self.providers.iter().find(|provider| provider.id == id)
    }

    fn domain(&self, id: DomainId) -> Option<&SettingsDomain> {
        self.domains.iter().find(|domain| domain.id == id)
    }
}

/// The settings, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SsoView {
    /// The number of edits of the practice.
    pub version: i64,
    /// Whether everybody except owners must sign in by a provider.
    pub required: bool,
    /// The identity providers.
    pub providers: Vec<ProviderView>,
    /// The mail domains.
    pub domains: Vec<DomainView>,
    /// The OpenID Connect providers of the installation.
    pub available: Vec<AvailableProvider>,
    /// True if the installation serves SAML providers.
    pub saml_available: bool,
}

/// An identity provider, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProviderView {
    id: SsoProviderId,
    version: i64,
    kind: ProviderKind,
    name: String,
    provider: Option<String>,
    entity_id: Option<String>,
    /// `None` while the installation does not serve it.
    sign_in_url: Option<String>,
    metadata_url: Option<String>,
    acs_url: Option<String>,
    certificates: Vec<CertificateView>,
    contexts: Vec<SecondFactorContext>,
    idp_initiated: bool,
    created_at: Time,
}

/// A certificate, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct CertificateView {
    sha256: String,
    expires_at: Time,
}

/// A mail domain, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DomainView {
    id: DomainId,
    domain: String,
    verified_at: Option<Time>,
    txt_name: String,
    txt_value: String,
    created_at: Time,
}

impl ProviderView {
    fn of(stored: &SettingsProvider, installation: &Installation) -> Self {
        let origin = &installation.origin;
        let saml = stored.configured.is_none().then(|| SamlAddresses::of(origin, stored.id));
        let start = match (&stored.configured, &saml) {
            (Some(configured), _) => Some(format!("{origin}{}", oidc_path(configured))),
            (None, saml) => saml.as_ref().map(|saml| saml.start.clone()),
        };
        let certificates = stored.certificates.iter().flatten();
        Self {
            id: stored.id,
            version: stored.version,
            kind: stored.kind,
            name: stored.name.clone(),
            provider: stored.configured.clone(),
            entity_id: stored.entity_id.clone(),
            sign_in_url: start.filter(|_| installation.serves(stored)),
            metadata_url: saml.as_ref().map(|saml| saml.metadata.clone()),
            acs_url: saml.map(|saml| saml.acs),
            certificates: certificates
                .map(|certificate| CertificateView {
                    sha256: certificate.sha256.clone(),
                    expires_at: Time(certificate.expires_at),
                })
                .collect(),
            contexts: stored.contexts.clone(),
            idp_initiated: stored.idp_initiated,
            created_at: stored.created_at,
        }
    }
}

impl DomainView {
    fn of(stored: &SettingsDomain) -> Self {
        Self {
            id: stored.id,
            domain: stored.domain.clone(),
            verified_at: stored.verified_at,
            txt_name: txt::name(&stored.domain),
            txt_value: txt::value(&stored.token),
            created_at: stored.created_at,
        }
    }
}

/// The settings, as shown.
#[must_use]
pub fn show(stored: &SsoSettings, installation: &Installation) -> SsoView {
    let providers = stored.providers.iter();
    SsoView {
        version: stored.version,
        required: stored.required,
        providers: providers.map(|provider| ProviderView::of(provider, installation)).collect(),
        domains: stored.domains.iter().map(DomainView::of).collect(),
        available: installation.oidc.clone(),
        saml_available: installation.saml,
    }
}

/// The SHA-256 of each certificate, for the audit trail.
fn fingerprints(certificates: &[SigningCertificate]) -> Vec<String> {
    let certificates = certificates.iter();
    certificates.map(|one| one.sha256.to_string()).collect()
}
