//! Why a sign-in by a provider is refused.

use crate::error::SsoAdvice;
use overturn_core::names;

names! {
    /// Why a sign-in by a provider is refused. It goes to the log only: the person gets the [`SsoAdvice`] for it. A proof
    /// that the identity Worker does not accept has a reason of its own.
    SsoRefusal {
        /// The browser did not begin this sign-in, or it took too long.
        NotBegun = "not_begun",
        /// The answer does not repeat the state of the browser's sign-in.
        State = "state",
        /// The answer is for another provider than the one that the browser began with.
        MixedUp = "provider_mixed_up",
        /// The answer names another issuer, or no issuer although the provider always names one (RFC 9207).
        Issuer = "issuer",
        /// The person or the provider ended the sign-in.
        Denied = "denied_by_provider",
        /// The answer has no code, or a parameter twice.
        Malformed = "malformed",
        /// The provider does not exchange the code. Codes are used once.
        Code = "code",
        /// The provider may not begin sign-ins.
        Unsolicited = "unsolicited",
        /// The provider's person has no usable id there.
        Subject = "subject",
        /// The provider does not say that the address is verified, or a practice's provider speaks for an address
        /// outside the domains that the practice verified.
        Address = "address_not_verified",
        /// The account belongs to another practice than the provider.
        OtherPractice = "other_practice",
        /// The practice is not active, or no longer has the provider.
        Practice = "practice",
        /// The practice has removed an account with the address. A member has to invite the person again.
        Removed = "removed",
        /// The proof was used before, or the account has changed in the meantime.
        Spent = "spent",
    }
}

impl SsoRefusal {
    /// What the person is told. It does not show whether an account, a practice or a setting exists.
    pub(crate) const fn advice(self) -> SsoAdvice {
        match self {
            Self::NotBegun | Self::State | Self::MixedUp | Self::Unsolicited | Self::Code | Self::Spent => {
                SsoAdvice::BeginAgain
            }
            Self::Denied => SsoAdvice::Ended,
            Self::Issuer
            | Self::Malformed
            | Self::Subject
            | Self::Address
            | Self::OtherPractice
            | Self::Practice
            | Self::Removed => SsoAdvice::NotAccepted,
        }
    }
}
