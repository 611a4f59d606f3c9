//! `/api/v1/settings/sso`: how the people of a practice sign in.

use super::paths::{SamlAddresses, oidc_path};
use super::provider_bodies::SecondFactorContext;
use super::txt;
use crate::call::Call;
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::{as_taken::AsTaken, kinds::AnyNames};
use overturn_core::base::id::{DomainId, SsoProviderId};
use overturn_core::identity::saml::SigningCertificate;

pub(super) const DOMAINS_MAX: usize = 20;
pub(super) const PROVIDERS_MAX: usize = 10;

names! {
    /// The protocol of a provider.
    ProviderKind {
        /// SAML 2.0. The practice uploads the provider's metadata.
        Saml = "saml",
        /// OpenID Connect. The installation has the provider in its configuration.
        Oidc = "oidc",
    }
}

/// What the installation offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Installation {
    /// The service's own origin, such as `https://overturn.example`.
    pub(super) origin: String,
    /// True if the service has keys for SAML.
    pub(super) saml: bool,
    /// Its OpenID Connect providers.
    pub(super) oidc: Vec<AvailableProvider>,
}

/// An OpenID Connect provider of the installation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AvailableProvider {
    /// Its id in the configuration, such as `google`.
    pub(super) id: String,
    /// The name on its button.
    pub(super) name: String,
}

impl Installation {
    pub(super) fn of(call: &Call) -> Self {
        let settings = &call.app.settings;
        let oidc = settings.identity.oidc.iter();
        Self {
            origin: settings.origin(&call.url),
            saml: !settings.identity.saml_keys.is_empty(),
            oidc: oidc.map(|one| AvailableProvider { id: one.id.clone(), name: one.name.clone() }).collect(),
        }
    }

    pub(super) fn oidc(&self, id: &str) -> Option<&AvailableProvider> {
        self.oidc.iter().find(|provider| provider.id == id)
    }

    /// True if people can sign in by the provider.
    pub(super) fn serves(&self, provider: &SettingsProvider) -> bool {
        match &provider.configured {
            Some(id) => self.oidc(id).is_some(),
            None => self.saml,
        }
    }

    /// For a statement: whether it serves SAML, and the ids of its OpenID Connect providers.
    pub(super) fn served(&self) -> (i64, Json<Vec<&str>>) {
        (self.saml.into(), Json(self.oidc.iter().map(|provider| provider.id.as_str()).collect()))
    }
}

/// How the people of a practice sign in, as stored.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct SsoSettings {
    /// The number of edits of the practice.
    pub(super) version: i64,
    /// Whether single sign-on is required.
    pub(super) required: bool,
    /// True if a person of the practice has a session that began by single sign-on.
    pub(super) in_use: bool,
    /// The identity providers, the oldest first.
    pub(super) providers: Vec<SettingsProvider>,
    /// The mail domains, the oldest first.
    pub(super) domains: Vec<SettingsDomain>,
}

/// An identity provider of a practice, as stored, without its metadata.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct SettingsProvider {
    pub(super) id: SsoProviderId,
    /// The number of its edits.
    pub(super) version: i64,
    pub(super) kind: ProviderKind,
    pub(super) name: String,
    /// The id in the configuration, of an OpenID Connect provider.
    pub(super) configured: Option<String>,
    /// The entity id, of a SAML provider.
    pub(super) entity_id: Option<String>,
    /// The certificates, of a SAML provider.
    pub(super) certificates: Option<Vec<SigningCertificate>>,
    /// The contexts that stand for a second factor.
    pub(super) contexts: Vec<SecondFactorContext>,
    /// Whether the provider may begin sign-ins.
    pub(super) idp_initiated: bool,
    pub(super) created_at: Time,
}

/// A mail domain of a practice, as stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct SettingsDomain {
    pub(super) id: DomainId,
    pub(super) practice_id: PracticeId,
    pub(super) domain: String,
    /// The random part of the text that its TXT record must have.
    pub(super) token: String,
    pub(super) created_at: Time,
    pub(super) verified_at: Option<Time>,
    /// True if another practice has verified it.
    pub(super) taken: bool,
}

/// How the people of the caller's practice sign in. It leaves out the metadata, which may have 256 KiB a provider.
pub(super) fn settings(caller: &str) -> Query<SsoSettings> {
    select!(
        "settings.sso",
        "SELECT json_object('version', p.version, 'required', json(iif(p.sso_required = 1, 'true', 'false')),
           'in_use', json(iif(EXISTS (SELECT 1 FROM users u CROSS JOIN sessions x ON x.user_id = u.id
             WHERE u.practice_id = p.id AND u.state = 'active' AND x.sso IS NOT NULL AND x.revoked_at IS NULL), 'true', 'false')),
           'providers', json((SELECT json_group_array(json_object('id', s.id, 'version', s.version, 'kind', s.kind,
               'name', s.name, 'configured', s.configured, 'entity_id', s.entity_id,
               'certificates', json(s.certificates), 'contexts', json(s.contexts),
               'idp_initiated', json(iif(s.idp_initiated = 1, 'true', 'false')), 'created_at', s.created_at))
             FROM (SELECT * FROM sso_providers WHERE practice_id = p.id ORDER BY id) s)),
           'domains', json((SELECT json_group_array(json_object('id', d.id, 'practice_id', d.practice_id, 'domain', d.domain, 'token', d.token,
               'created_at', d.created_at, 'verified_at', d.verified_at,
               'taken', json(iif(EXISTS (SELECT 1 FROM practice_domains o WHERE o.domain = d.domain
                 AND o.verified_at IS NOT NULL AND o.practice_id <> d.practice_id), 'true', 'false'))))
             FROM (SELECT * FROM practice_domains WHERE practice_id = p.id ORDER BY id) d))) AS json
         FROM practices p WHERE p.id = {OF_CALLER}";
        caller
    )
    .or_default()
}

/// How the people of the practice sign in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SsoView {
    version: i64,
    /// Whether everyone except owners must sign in with an identity provider of the practice.
    required: bool,
    /// The identity providers, the oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = PROVIDERS_MAX)))]
    providers: Vec<ProviderView>,
    /// The mail domains, the oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = DOMAINS_MAX)))]
    domains: Vec<DomainView>,
    /// The OpenID Connect providers of this installation.
    available: Vec<AvailableProvider>,
    /// Whether this installation serves SAML providers.
    saml_available: bool,
}

/// An identity provider of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ProviderView {
    id: SsoProviderId,
    version: i64,
    kind: ProviderKind,
    name: String,
    /// The id of a provider of this installation. `null` for SAML.
    provider: Option<String>,
    /// The provider's entity id. `null` for OpenID Connect.
    entity_id: Option<String>,
    /// The address that begins a sign-in. `null` while this installation does not serve the provider.
    sign_in_url: Option<String>,
    /// The address of our metadata, which is also our entity id. `null` for OpenID Connect.
    metadata_url: Option<String>,
    /// The address that the provider posts its answers to. `null` for OpenID Connect.
    acs_url: Option<String>,
    /// The certificates that sign the provider's answers. Empty for OpenID Connect.
    certificates: Vec<CertificateView>,
    #[cfg_attr(feature = "schema", schemars(with = "AsTaken<AnyNames<SecondFactorContext>>"))]
    contexts: Vec<SecondFactorContext>,
    /// Whether a sign-in may begin at the SAML provider. This protects less against forged sign-ins.
    idp_initiated: bool,
    created_at: Time,
}

/// A certificate that signs a provider's answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CertificateView {
    /// The SHA-256 of the certificate, in hex.
    sha256: String,
    expires_at: Time,
}

/// A mail domain whose people may join the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DomainView {
    id: DomainId,
    domain: String,
    /// `null` until the domain is verified.
    verified_at: Option<Time>,
    /// The name of the TXT record.
    txt_name: String,
    /// The text of the TXT record.
    txt_value: String,
    created_at: Time,
}

impl ProviderView {
    pub(super) fn of(stored: &SettingsProvider, installation: &Installation) -> Self {
        let origin = &installation.origin;
        let saml = stored.configured.is_none().then(|| SamlAddresses::of(origin, stored.id));
        let start = match (&stored.configured, &saml) {
            (Some(configured), _) => Some(format!("{origin}{}", oidc_path(configured))),
            (None, saml) => saml.as_ref().map(|saml| saml.start.clone()),
        };
        let shown =
            |one: &SigningCertificate| CertificateView { sha256: one.sha256.clone(), expires_at: Time(one.expires_at) };
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
            certificates: stored.certificates.iter().flatten().map(shown).collect(),
            contexts: stored.contexts.clone(),
            idp_initiated: stored.idp_initiated,
            created_at: stored.created_at,
        }
    }
}

impl DomainView {
    pub(super) fn of(stored: &SettingsDomain) -> Self {
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

pub(super) fn view(stored: &SsoSettings, installation: &Installation) -> SsoView {
    SsoView {
        version: stored.version,
        required: stored.required,
        providers: stored.providers.iter().map(|provider| ProviderView::of(provider, installation)).collect(),
        domains: stored.domains.iter().map(DomainView::of).collect(),
        available: installation.oidc.clone(),
        saml_available: installation.saml,
    }
}

/// `showSso`: Read how the practice's people sign in.
///
/// Owners and admins only.
pub(crate) async fn show(request: ReadRequest) -> Result<Gives<SsoView>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let view = request.show_versioned(load, |_, stored| {
        Ok(Versioned { version: stored.version, body: view(&stored, &installation) })
    });
    view.await
}
