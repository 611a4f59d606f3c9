//! Refused sign-ins: the reason goes to the log, once. The person gets only advice.

use super::refusal::SsoRefusal;
use super::shown::ShownIdentity;
use crate::accounts::sign_in::FirstFactor;
use crate::call::Call;
use crate::config::OidcProvider;
use crate::error::{AppError, SsoAdvice};
use crate::pipeline::log_refused_at;
use overturn_core::base::id::SsoProviderId;
use overturn_core::identity::Refusal;

/// A sign-in by a provider, for the log.
#[derive(Clone)]
pub(super) struct SignInBy {
    protocol: FirstFactor,
    provider: String,
}

impl SignInBy {
    pub(super) fn oidc(provider: &OidcProvider) -> Self {
        Self { protocol: FirstFactor::Oidc, provider: provider.id.clone() }
    }

    pub(super) fn saml(provider: SsoProviderId) -> Self {
        Self { protocol: FirstFactor::Saml, provider: provider.to_string() }
    }

    pub(super) fn shown(shown: &ShownIdentity) -> Self {
        Self { protocol: shown.by, provider: shown.provider.clone() }
    }

    fn log(&self, call: &Call, reason: &str, detail: &str) {
        log_refused_at(call, (self.protocol.name(), &self.provider), reason, detail);
    }
}

/// Logs why a sign-in is refused, and returns the refusal with the advice for it.
pub(super) fn by_rule(call: &Call, by: &SignInBy, refusal: SsoRefusal) -> AppError {
    by.log(call, refusal.name(), "");
    AppError::SsoRefused(refusal.advice())
}

/// The same for a proof that the identity Worker does not accept.
pub(super) fn by_check(call: &Call, by: &SignInBy, refusal: &Refusal) -> AppError {
    by.log(call, &refusal.reason, &refusal.detail);
    AppError::SsoRefused(SsoAdvice::NotAccepted)
}
