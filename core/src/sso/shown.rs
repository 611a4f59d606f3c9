//! An identity that a provider confirmed, and what the store knows about it.

use super::SsoRefusal;
use super::begun::BegunBySaml;
use crate::accounts::account::Account;
use crate::accounts::ceremony::OpenedCeremony;
use crate::accounts::sign_in::{FirstFactor, ShownFactor};
use crate::base::email::EmailAddress;
use crate::base::id::{IdentityId, PracticeId, SsoProviderId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::identity::oidc::OidcClaims;
use crate::identity::saml::SamlClaims;
use crate::plan::accounts::SpentProof;
use crate::plan::sso::SecondFactorContext;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The longest id of a person at a provider, in bytes. OpenID Connect allows 255 characters.
const SUBJECT_MAX: usize = 512;

/// The longest issuer or entity id, in bytes (SAML 2.0 core, 8.3.6).
const ISSUER_MAX: usize = 1024;

/// How long after its end an assertion may still be accepted, because clocks differ, and some time more.
const SKEW_MS: i64 = 5 * 60_000;

/// The name of an OpenID Connect provider, as its configuration has it.
#[derive(Clone, Copy, Debug)]
pub struct ConfiguredProvider<'p> {
    pub id: &'p str,
    /// What people call it.
    pub name: &'p str,
    pub issuer: &'p str,
}

/// A SAML provider of an active practice.
#[derive(Clone, Debug, Deserialize)]
pub struct SamlProvider {
    pub practice_id: PracticeId,
    pub id: SsoProviderId,
    /// What the practice calls it.
    pub name: String,
    pub entity_id: String,
    pub metadata: String,
    /// Whether it may begin sign-ins.
    pub idp_initiated: bool,
}

/// An identity that a provider confirmed. `Debug` prints only the provider.
#[derive(Clone)]
pub struct ShownIdentity {
    /// The protocol.
    pub by: FirstFactor,
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub provider: String,
    /// The SAML provider with its practice; `None` for a provider of the installation.
    pub saml: Option<(PracticeId, SsoProviderId)>,
    /// What people call the provider.
    pub provider_name: String,
    /// The issuer or entity id.
    pub issuer: String,
    /// The person's id there.
    pub subject: String,
    /// The person's address there.
    pub email: Option<EmailAddress>,
    /// Whether the provider itself says that the address is verified.
    pub verified: bool,
    /// Whether the provider speaks for the domain of the address: it is the domain's own, or a tenant of the domain's owner.
    pub owns_domain: bool,
    /// When the person showed their factors there, as far as the provider says.
    pub authenticated_at: Option<Instant>,
    /// The person's name there.
    pub name: Option<String>,
    /// How the person signed in there.
    pub contexts: Vec<String>,
    /// What the batch that uses it spends.
    pub spent: Vec<SpentProof>,
}

impl core::fmt::Debug for ShownIdentity {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ShownIdentity").field("provider", &self.provider).finish_non_exhaustive()
    }
}

impl ShownIdentity {
    /// What an OpenID Connect provider confirmed. `spent` is the mark of the ceremony.
    ///
    /// # Errors
    ///
    /// [`SsoRefusal::Subject`].
    pub fn by_oidc(
        provider: ConfiguredProvider<'_>,
        claims: OidcClaims,
        spent: SpentProof,
    ) -> Result<Self, SsoRefusal> {
        let shown = Self {
            by: FirstFactor::Oidc,
            provider: provider.id.into(),
            saml: None,
            provider_name: provider.name.into(),
            issuer: provider.issuer.into(),
            subject: claims.subject,
            email: address(claims.email.as_deref()),
            verified: claims.email_verified,
            owns_domain: claims.owns_domain,
            authenticated_at: claims.authenticated_at,
            name: claims.name,
            contexts: claims.contexts,
            spent: [spent].into(),
        };
        shown.usable()
    }

    /// What a SAML provider confirmed. `begun` is the ceremony, unless the provider began the sign-in.
    ///
    /// # Errors
    ///
    /// [`SsoRefusal::Subject`].
    pub fn by_saml(provider: &SamlProvider, claims: SamlClaims, begun: Option<SpentProof>) -> Result<Self, SsoRefusal> {
        let assertion = spent_assertion(provider.id, &claims);
        let shown = Self {
            by: FirstFactor::Saml,
            provider: alloc::format!("{}", provider.id),
            saml: Some((provider.practice_id, provider.id)),
            provider_name: provider.name.clone(),
            issuer: provider.entity_id.clone(),
            subject: claims.subject,
            email: address(claims.email.as_deref()),
            verified: false,
            owns_domain: true,
            authenticated_at: claims.authenticated_at,
            name: claims.name,
            contexts: claims.contexts,
            spent: [assertion].into_iter().chain(begun).collect(),
        };
        shown.usable()
    }

    /// The first factor of a sign-in by it.
    pub(super) fn factor(&self, sso: bool, proves_second_factor: bool) -> ShownFactor<'_> {
        ShownFactor {
            by: self.by,
            source: Some(&self.provider),
            sso,
            proves_second_factor,
            verified_at: self.authenticated_at.filter(|_| proves_second_factor),
        }
    }

    /// True if a sign-in counts as one of the practice. A practice's SAML provider speaks for all of its people. A provider of the
    /// installation has people of its own, such as private accounts under an address of the practice: it counts only if it
    /// speaks for a domain that the practice has verified. `owner` has verified the domain of the address.
    pub(super) fn speaks_for(&self, practice: PracticeId, owner: Option<&DomainOwner>) -> bool {
        match self.saml {
            Some((of, _)) => of == practice,
            None => self.owns_domain && owner.is_some_and(|owner| owner.practice_id == practice),
        }
    }

    /// The key of the address, empty without one.
    #[must_use]
    pub fn email_key(&self) -> String {
        self.email.as_ref().map(EmailAddress::key).unwrap_or_default()
    }

    /// The domain of the address in lower case, empty without an address.
    #[must_use]
    pub fn domain(&self) -> String {
        let address = self.email.as_ref().map_or("", EmailAddress::as_str);
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        domain.to_ascii_lowercase()
    }

    /// The same, if its parts can be stored.
    fn usable(self) -> Result<Self, SsoRefusal> {
        let fits = |text: &str, max| !text.trim().is_empty() && text.len() <= max;
        if fits(&self.subject, SUBJECT_MAX) && fits(&self.issuer, ISSUER_MAX) {
            Ok(self)
        } else {
            Err(SsoRefusal::Subject)
        }
    }
}

fn address(text: Option<&str>) -> Option<EmailAddress> {
    EmailAddress::parse(text?)
}

/// The mark of an assertion, by its provider and its id.
fn spent_assertion(provider: SsoProviderId, claims: &SamlClaims) -> SpentProof {
    let mut hash = Sha256::new();
    hash.update(b"saml assertion\n");
    hash.update(provider.0.as_bytes());
    hash.update(claims.assertion_id.as_bytes());
    SpentProof { hash: HEXLOWER.encode(&hash.finalize()), expires_at: claims.expires_at.plus(SKEW_MS) }
}

/// The request that a response must answer: the one that this browser began with this provider. `None` if the provider
/// began the sign-in, and may.
///
/// # Errors
///
/// [`SsoRefusal::MixedUp`], [`SsoRefusal::State`] or [`SsoRefusal::Unsolicited`].
pub fn answered_request<'b>(
    provider: &SamlProvider,
    begun: Option<&'b OpenedCeremony<BegunBySaml>>,
    relay_state: &str,
) -> Result<Option<&'b OpenedCeremony<BegunBySaml>>, SsoRefusal> {
    use subtle::ConstantTimeEq;
    let is_same = |begun: &BegunBySaml| {
        let same: bool = begun.relay_state.as_bytes().ct_eq(relay_state.as_bytes()).into();
        same && !relay_state.is_empty()
    };
    match begun {
        Some(opened) if opened.content.provider == provider.id && is_same(&opened.content) => Ok(Some(opened)),
        // Beside a sign-in that the browser has begun, the provider may begin another one.
        _ if provider.idp_initiated => Ok(None),
        Some(opened) if opened.content.provider != provider.id => Err(SsoRefusal::MixedUp),
        Some(_) => Err(SsoRefusal::State),
        None => Err(SsoRefusal::Unsolicited),
    }
}

names! {
    /// How an address is used by accounts.
    AddressUse {
        /// An account in use has it, of any practice or of the staff.
        Active = "active",
        /// The practice that verified its domain has invited it.
        Invited = "invited",
        /// The practice that verified its domain has removed its account.
        Removed = "removed",
    }
}

/// A provider that a practice trusts.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct TrustedProvider {
    /// Its id at the practice.
    pub id: SsoProviderId,
    /// The contexts of a sign-in there that stand for a second factor.
    pub contexts: Vec<SecondFactorContext>,
}

impl TrustedProvider {
    /// True if one of the contexts stands for a second factor.
    #[must_use]
    pub fn replaces_factor(&self, shown: &[String]) -> bool {
        let shown = shown.iter().map(String::as_str);
        let mut proven = shown.filter_map(SecondFactorContext::parse);
        proven.any(|context| self.contexts.contains(&context))
    }
}

/// The account that an identity is joined to.
#[derive(Clone, Debug, Deserialize)]
pub struct JoinedIdentity {
    /// The identity.
    pub id: IdentityId,
    /// The account, which is in use.
    pub account: Account,
    /// Whether its practice is active. True for staff.
    pub active: bool,
    /// The provider, if the practice trusts it.
    pub trusted: Option<TrustedProvider>,
}

/// The practice that has verified the domain of an address.
#[derive(Clone, Debug, Deserialize)]
pub struct DomainOwner {
    pub practice_id: PracticeId,
    pub practice_name: String,
    pub active: bool,
    /// The provider, if the practice trusts it.
    pub trusted: Option<TrustedProvider>,
}

/// What the store knows about an identity and its address.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct StoredSso {
    /// The account that it is joined to.
    pub joined: Option<JoinedIdentity>,
    /// The practice that has verified the domain of the address.
    pub owner: Option<DomainOwner>,
    /// How the address is used.
    pub address: Option<AddressUse>,
}

#[cfg(test)]
mod tests;
