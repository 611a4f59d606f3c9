//! An identity that a provider confirmed, and what the store knows about it.

use super::refusal::SsoRefusal;
use crate::accounts::account::{ACCOUNT, Account};
use crate::accounts::sign_in::{FirstFactor, ShownFactor};
use crate::cookies::ceremony::SpentProof;
use crate::prelude::*;
use crate::request::email::EmailAddress;
use crate::settings::sso::SecondFactorContext;
use overturn_core::base::id::{IdentityId, SsoProviderId};
use std::fmt;

/// The longest id of a person at a provider, in bytes. OpenID Connect allows 255 characters.
const SUBJECT_MAX: usize = 512;

/// The longest issuer or entity id, in bytes (SAML 2.0 core, 8.3.6).
const ISSUER_MAX: usize = 1024;

/// An identity that a provider confirmed. `Debug` prints only the provider.
#[derive(Clone)]
pub(super) struct ShownIdentity {
    /// The protocol.
    pub(super) by: FirstFactor,
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub(super) provider: String,
    /// The SAML provider that checked it; `None` for a provider of the installation.
    pub(super) saml: Option<PracticeProvider>,
    /// What people call the provider.
    pub(super) provider_name: String,
    /// The issuer or entity id.
    pub(super) issuer: String,
    /// The person's id there.
    pub(super) subject: String,
    /// The person's address there.
    pub(super) email: Option<EmailAddress>,
    /// Whether the provider itself says that the address is verified.
    pub(super) verified: bool,
    /// Whether the provider speaks for the domain of the address: it is the domain's own, or a tenant of the domain's owner.
    pub(super) owns_domain: bool,
    /// When the person showed their factors there, as far as the provider says.
    pub(super) authenticated_at: Option<Instant>,
    /// The person's name there.
    pub(super) name: Option<String>,
    /// How the person signed in there.
    pub(super) contexts: Vec<String>,
    /// What the batch that uses it spends.
    pub(super) spent: Vec<SpentProof>,
}

impl fmt::Debug for ShownIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShownIdentity").field("provider", &self.provider).finish_non_exhaustive()
    }
}

impl ShownIdentity {
    /// The first factor of a sign-in by it.
    pub(super) fn factor(&self, sso: Option<SsoProviderId>, proves_second_factor: bool) -> ShownFactor<'_> {
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
            Some(of) => of.practice_id == practice,
            None => self.owns_domain && owner.is_some_and(|owner| owner.practice_id == practice),
        }
    }

    /// The provider, by which a practice trusts the identity, as it was checked.
    pub(super) fn trusted_at(&self, practice_id: PracticeId, trusted: &TrustedProvider) -> PracticeProvider {
        self.saml.unwrap_or(PracticeProvider { practice_id, id: trusted.id, version: trusted.version })
    }

    /// The key of the address, empty without one.
    pub(super) fn email_key(&self) -> String {
        self.email.as_ref().map(EmailAddress::key).unwrap_or_default()
    }

    /// The domain of the address in lower case, empty without an address.
    pub(super) fn domain(&self) -> String {
        let address = self.email.as_ref().map_or("", EmailAddress::as_str);
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        domain.to_ascii_lowercase()
    }

    /// The same, if its parts can be stored.
    pub(super) fn usable(self) -> Result<Self, SsoRefusal> {
        let fits = |text: &str, max| !text.trim().is_empty() && text.len() <= max;
        if fits(&self.subject, SUBJECT_MAX) && fits(&self.issuer, ISSUER_MAX) {
            Ok(self)
        } else {
            Err(SsoRefusal::Subject)
        }
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
pub(super) struct TrustedProvider {
    /// Its id at the practice.
    pub(super) id: SsoProviderId,
    /// The version since which its sign-ins are checked as now.
    pub(super) version: i64,
    /// The contexts of a sign-in there that stand for a second factor.
    pub(super) contexts: Vec<SecondFactorContext>,
}

impl TrustedProvider {
    /// True if one of the contexts stands for a second factor.
    pub(super) fn replaces_factor(&self, shown: &[String]) -> bool {
        let shown = shown.iter().map(String::as_str);
        let mut proven = shown.filter_map(SecondFactorContext::parse);
        proven.any(|context| self.contexts.contains(&context))
    }
}

/// A provider of a practice as it was when it checked an identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct PracticeProvider {
    pub(super) practice_id: PracticeId,
    pub(super) id: SsoProviderId,
    /// The version since which its sign-ins are checked as now.
    pub(super) version: i64,
}

impl PracticeProvider {
    /// The guard that the practice still trusts it, with the same certificates and contexts.
    pub(super) fn is_unchanged(self) -> Guard {
        let Self { practice_id, id, version } = self;
        abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM sso_providers
               WHERE practice_id = {practice_id} AND id = {id} AND trusted = CAST({version} AS INTEGER))";
            practice_id, id, version
        )
    }
}

/// The account that an identity is joined to.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct JoinedIdentity {
    /// The identity.
    pub(super) id: IdentityId,
    /// The account, which is in use.
    pub(super) account: Account,
    /// Whether its practice is active. True for staff.
    pub(super) active: bool,
    /// The provider, if the practice trusts it.
    pub(super) trusted: Option<TrustedProvider>,
}

/// The practice that has verified the domain of an address.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct DomainOwner {
    pub(super) practice_id: PracticeId,
    pub(super) practice_name: String,
    pub(super) active: bool,
    /// The provider, if the practice trusts it.
    pub(super) trusted: Option<TrustedProvider>,
}

/// What the store knows about an identity and its address.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct StoredSso {
    /// The account that it is joined to.
    pub(super) joined: Option<JoinedIdentity>,
    /// The practice that has verified the domain of the address.
    pub(super) owner: Option<DomainOwner>,
    /// How the address is used.
    pub(super) address: Option<AddressUse>,
}

/// The provider of an identity at the practice `p`, if the practice trusts it.
const TRUSTED: &str =
    "(SELECT json_object('id', s.id, 'version', s.trusted, 'contexts', json(s.contexts)) FROM sso_providers s
       WHERE s.practice_id = p.id
         AND (s.kind = 'saml' AND s.id = {provider} OR s.kind = 'oidc' AND s.configured = {provider}))";

/// What is known about an identity. An account that was invited or removed counts at the practice of the domain only. A
/// removed account counts by its address and by its identity, because addresses change.
pub(super) fn stored(of: &ShownIdentity) -> Query<StoredSso> {
    select!(
        "sso.shown",
        "SELECT json_object(
           'joined', json((SELECT json_object('id', i.id, 'account', json({ACCOUNT}),
               'active', json(iif(p.id IS NULL OR p.state = 'active', 'true', 'false')), 'trusted', json({TRUSTED}))
             FROM identities i JOIN users u ON u.id = i.user_id AND u.state = 'active'
               LEFT JOIN practices p ON p.id = u.practice_id
             WHERE i.provider = {provider} AND i.issuer = {issuer} AND i.subject = {subject})),
           'owner', json((SELECT json_object('practice_id', p.id, 'practice_name', p.name,
               'active', json(iif(p.state = 'active', 'true', 'false')), 'trusted', json({TRUSTED}))
             FROM practice_domains d JOIN practices p ON p.id = d.practice_id
             WHERE d.domain = {domain} AND d.verified_at IS NOT NULL)),
           'address', CASE
             WHEN EXISTS (SELECT 1 FROM users WHERE email_key = {email_key} AND state = 'active') THEN 'active'
             ELSE coalesce((SELECT u.state FROM practice_domains d JOIN users u ON u.practice_id = d.practice_id
                 WHERE d.domain = {domain} AND d.verified_at IS NOT NULL AND u.email_key = {email_key}
                 ORDER BY u.state LIMIT 1),
               (SELECT u.state FROM practice_domains d
                   JOIN users u ON u.practice_id = d.practice_id AND u.state = 'removed'
                   JOIN identities i ON i.user_id = u.id
                 WHERE d.domain = {domain} AND d.verified_at IS NOT NULL
                   AND i.provider = {provider} AND i.issuer = {issuer} AND i.subject = {subject})) END) AS json"
        [ACCOUNT, TRUSTED]; provider = &of.provider, issuer = &of.issuer, subject = &of.subject,
        email_key = of.email_key(), domain = of.domain()
    )
    .one()
}

#[cfg(test)]
mod tests;
