//! Sign-ins by external providers: what practices trust, and whose identities are joined to accounts.

use crate::base::id::{DomainId, IdentityId, PracticeId, SsoProviderId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::identity::saml::{ProviderDescription, SigningCertificate};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

names! {
    /// The protocol of a provider.
    ProviderKind {
        /// SAML 2.0. The practice uploads the provider's metadata.
        Saml = "saml",
        /// OpenID Connect. The installation has the provider in its configuration.
        Oidc = "oidc",
    }
}

names! {
    /// A context of a sign-in at a provider that proves a second factor. A provider may name other contexts, and none of them
    /// replaces our second factor: their names do not say what the provider has asked for.
    SecondFactorContext {
        /// OpenID Connect, RFC 8176: authentication by several factors.
        Mfa = "mfa",
        /// The REFEDS profile of multi-factor authentication.
        Refeds = "https://refeds.org/profile/mfa",
        /// Microsoft Entra ID and AD FS.
        Microsoft = "http://schemas.microsoft.com/claims/multipleauthn",
        /// Okta: two distinct factors.
        Okta = "urn:okta:loa:2fa:any",
        /// NIST SP 800-63, authenticator assurance level 2.
        Aal2 = "http://idmanagement.gov/ns/assurance/aal/2",
        /// NIST SP 800-63, authenticator assurance level 3.
        Aal3 = "http://idmanagement.gov/ns/assurance/aal/3",
        /// SAML 2.0: a smart card with a private key, and its PIN.
        SmartcardPki = "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI",
        /// SAML 2.0: two factors with a registered mobile phone.
        MobileTwoFactorContract = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract",
        /// SAML 2.0: two factors with a mobile phone that is not registered.
        MobileTwoFactorUnregistered = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered",
    }
}

/// The providers that the installation serves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ServedProviders {
    /// Whether it serves SAML providers.
    pub saml: bool,
    /// The ids of its OpenID Connect providers.
    pub configured: Vec<String>,
}

/// A new provider of a practice.
#[derive(Clone, Debug)]
pub struct NewProvider {
    pub practice_id: PracticeId,
    pub id: SsoProviderId,
    /// What the practice calls it.
    pub name: String,
    pub source: ProviderSource,
    /// The contexts of a sign-in there that stand for a second factor.
    pub contexts: Vec<SecondFactorContext>,
    /// Whether the provider may begin sign-ins.
    pub idp_initiated: bool,
}

/// What a provider is.
#[derive(Clone, Debug)]
pub enum ProviderSource {
    /// A SAML provider.
    Saml(SamlSource),
    /// A provider of the installation, by its id in the configuration.
    Oidc(String),
}

/// The metadata of a SAML provider.
#[derive(Clone, Debug)]
pub struct SamlSource {
    /// The XML text.
    pub metadata: String,
    /// What it says.
    pub description: ProviderDescription,
}

/// How long before the last certificate ends the practice is warned first, in milliseconds: 30 days.
const WARNED_MS: i64 = 30 * 86_400_000;
/// How long before it ends the practice is warned again, in milliseconds: 7 days.
const WARNED_AGAIN_MS: i64 = 7 * 86_400_000;

/// When a practice is warned again, after a warning at `now` about certificates that end at `end`.
#[must_use]
pub fn next_warning(end: Instant, now: Instant) -> Option<Instant> {
    let again = end.plus(-WARNED_AGAIN_MS);
    (now < again).then_some(again)
}

impl SamlSource {
    /// When the practice is warned first that the last certificate ends.
    #[must_use]
    pub fn first_warning(&self) -> Option<Instant> {
        let end = self.certificates_end()?;
        Some(end.plus(-WARNED_MS))
    }

    /// When the last certificate ends.
    #[must_use]
    pub fn certificates_end(&self) -> Option<Instant> {
        let certificates = self.description.certificates.iter();
        certificates.map(|certificate| certificate.expires_at).max()
    }
}

/// A change of a provider. What is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct ProviderEdit {
    /// What the practice calls it.
    pub name: Option<String>,
    /// New metadata of a SAML provider.
    pub source: Option<SamlSource>,
    /// The contexts of a sign-in there that stand for a second factor.
    pub contexts: Option<Vec<SecondFactorContext>>,
    /// Whether the provider may begin sign-ins.
    pub idp_initiated: Option<bool>,
}

/// The stored state of a provider.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredProvider {
    pub practice_id: PracticeId,
    pub id: SsoProviderId,
    /// Its protocol.
    pub kind: ProviderKind,
    /// What the practice calls it.
    pub name: String,
    /// The id in the configuration, of an OpenID Connect provider.
    pub configured: Option<String>,
    /// The entity id, of a SAML provider.
    pub entity_id: Option<String>,
    /// The metadata, of a SAML provider.
    pub metadata: Option<String>,
    /// The certificates, of a SAML provider.
    pub certificates: Option<Vec<SigningCertificate>>,
    /// The contexts of a sign-in there that stand for a second factor.
    pub contexts: Vec<SecondFactorContext>,
    /// Whether the provider may begin sign-ins.
    pub idp_initiated: bool,
    pub created_at: Instant,
}

/// A new identity of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewIdentity {
    pub id: IdentityId,
    pub user_id: UserId,
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub provider: String,
    /// The issuer or entity id.
    pub issuer: String,
    /// The person's id there.
    pub subject: String,
    /// The person's address there.
    pub email: String,
}

/// A new mail domain of a practice, which is not verified yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewDomain {
    pub practice_id: PracticeId,
    pub id: DomainId,
    /// The domain, in lower case and in the form of DNS.
    pub domain: String,
    /// The text that a TXT record must hold.
    pub token: String,
}
