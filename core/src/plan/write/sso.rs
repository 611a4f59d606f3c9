//! Changes of sign-ins by external providers.

use crate::base::id::{DomainId, IdentityId, PracticeId, SsoProviderId, UserId};
use crate::base::instant::Instant;
use crate::plan::sso::{NewDomain, NewIdentity, NewProvider, ProviderEdit};
use alloc::boxed::Box;

/// One change of sign-ins by external providers.
#[derive(Clone, Debug)]
pub enum SsoWrite {
    /// A provider of a practice.
    NewProvider(Box<NewProvider>),
    /// Changes a provider.
    ProviderEdited {
        practice: PracticeId,
        provider: SsoProviderId,
        /// The change.
        edit: Box<ProviderEdit>,
    },
    /// Removes a provider, and the identities that only it could confirm.
    ProviderRemoved { practice: PracticeId, provider: SsoProviderId },
    /// Records that the practice was warned about the certificates of a provider.
    ExpiryWarned {
        practice: PracticeId,
        provider: SsoProviderId,
        /// When it is warned again.
        next: Option<Instant>,
    },
    /// Whether a practice requires single sign-on of its people except owners.
    Required {
        practice: PracticeId,
        /// Whether it does.
        required: bool,
    },
    /// A mail domain.
    NewDomain(NewDomain),
    /// Marks a mail domain as verified.
    DomainVerified { practice: PracticeId, domain: DomainId },
    /// Removes a mail domain.
    DomainRemoved { practice: PracticeId, domain: DomainId },
    /// Joins an identity to an account.
    NewIdentity(NewIdentity),
    /// Records a sign-in by an identity.
    IdentityUsed { user: UserId, identity: IdentityId },
    /// Removes an identity from an account.
    IdentityRemoved { user: UserId, identity: IdentityId },
}
