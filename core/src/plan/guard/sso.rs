//! Conditions on sign-ins by external providers.

use crate::base::id::{DomainId, IdentityId, PracticeId, SsoProviderId, UserId};
use crate::base::instant::Instant;
use crate::plan::sso::ServedProviders;
use alloc::string::String;

/// A condition on sign-ins by external providers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SsoGuard {
    /// The practice still has the provider.
    Provider {
        /// The practice.
        practice: PracticeId,
        /// The provider.
        provider: SsoProviderId,
    },
    /// The practice does not require single sign-on, or has another provider than this one that the installation serves.
    ProviderDispensable {
        /// The practice.
        practice: PracticeId,
        /// The provider.
        provider: SsoProviderId,
        /// What the installation serves.
        served: ServedProviders,
    },
    /// The practice has a provider that the installation serves.
    AnyProvider {
        /// The practice.
        practice: PracticeId,
        /// What the installation serves.
        served: ServedProviders,
    },
    /// The practice has fewer providers than this.
    ProvidersBelow {
        /// The practice.
        practice: PracticeId,
        /// The bound.
        bound: usize,
    },
    /// The practice has no SAML provider of this entity id.
    EntityFree {
        /// The practice.
        practice: PracticeId,
        /// The entity id.
        entity_id: String,
    },
    /// The practice is still due to be warned, since this instant, that certificates of the provider end.
    WarningDue {
        /// The practice.
        practice: PracticeId,
        /// The provider.
        provider: SsoProviderId,
        /// Since when.
        since: Instant,
    },
    /// The practice does not trust this provider of the configuration yet.
    NotConfigured {
        /// The practice.
        practice: PracticeId,
        /// The provider's id in the configuration.
        configured: String,
    },
    /// No account has the identity.
    IdentityFree {
        /// The provider.
        provider: String,
        /// The issuer.
        issuer: String,
        /// The person's id there.
        subject: String,
    },
    /// The account is active, still has the address, and has fewer identities than this.
    Joinable {
        /// The account.
        user: UserId,
        /// The key of the address, which is that of the identity as well.
        email_key: String,
        /// The bound.
        bound: usize,
    },
    /// The account still has the identity.
    Identity {
        /// The account.
        user: UserId,
        /// The identity.
        identity: IdentityId,
    },
    /// No practice has verified the domain.
    DomainFree(String),
    /// The practice still has this domain, verified or not.
    Domain {
        /// The practice.
        practice: PracticeId,
        /// The domain.
        domain: DomainId,
    },
    /// The practice has fewer domains than this, and not this one.
    DomainNew {
        /// The practice.
        practice: PracticeId,
        /// The domain.
        domain: String,
        /// The bound.
        bound: usize,
    },
    /// The practice still has the domain, verified.
    DomainVerified {
        /// The practice.
        practice: PracticeId,
        /// The domain.
        domain: String,
    },
    /// No account of any practice is in use for the address, and none of this practice is invited.
    AddressFree {
        /// The practice.
        practice: PracticeId,
        /// The key of the address.
        email_key: String,
    },
}
