//! Conditions on sign-ins by external providers.

use crate::base::id::{DomainId, IdentityId, PracticeId, SsoProviderId, UserId};
use crate::base::instant::Instant;
use crate::plan::sso::ServedProviders;
use alloc::string::String;

/// A condition on sign-ins by external providers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SsoGuard {
    /// The practice still has the provider.
    Provider { practice: PracticeId, provider: SsoProviderId },
    /// The practice does not require single sign-on, or has another provider than this one that the installation serves.
    ProviderDispensable {
        practice: PracticeId,
        provider: SsoProviderId,
        /// What the installation serves.
        served: ServedProviders,
    },
    /// The practice has a provider that the installation serves.
    AnyProvider {
        practice: PracticeId,
        /// What the installation serves.
        served: ServedProviders,
    },
    /// The practice has fewer providers than this.
    ProvidersBelow { practice: PracticeId, bound: usize },
    /// The practice has no SAML provider of this entity id.
    EntityFree { practice: PracticeId, entity_id: String },
    /// The practice is still due to be warned, since this instant, that certificates of the provider end.
    WarningDue {
        practice: PracticeId,
        provider: SsoProviderId,
        /// Since when.
        since: Instant,
    },
    /// The practice does not trust this provider of the configuration yet.
    NotConfigured {
        practice: PracticeId,
        /// The provider's id in the configuration.
        configured: String,
    },
    /// No account has the identity.
    IdentityFree {
        provider: String,
        issuer: String,
        /// The person's id there.
        subject: String,
    },
    /// The account is active, still has the address, and has fewer identities than this.
    Joinable {
        user: UserId,
        /// The key of the address, which is that of the identity as well.
        email_key: String,
        bound: usize,
    },
    /// The account still has the identity.
    Identity { user: UserId, identity: IdentityId },
    /// No practice has verified the domain.
    DomainFree(String),
    /// The practice still has this domain, verified or not.
    Domain { practice: PracticeId, domain: DomainId },
    /// The practice has fewer domains than this, and not this one.
    DomainNew { practice: PracticeId, domain: String, bound: usize },
    /// The practice still has the domain, verified.
    DomainVerified { practice: PracticeId, domain: String },
    /// No account of any practice is in use for the address, and none of this practice is invited.
    AddressFree {
        practice: PracticeId,
        /// The key of the address.
        email_key: String,
    },
}
