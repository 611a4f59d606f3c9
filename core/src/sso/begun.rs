//! What the ceremonies of a sign-in by a provider hold. They travel in cookies ([`crate::accounts::ceremony`]).

use crate::base::id::{PracticeId, SsoProviderId};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// What a browser sends only to requests that begin at the service itself.
///
/// The provider leads back from another site, so the browser leaves these cookies out of that request. They are
/// remembered when the sign-in begins. `Debug` prints nothing of them.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BeginningBrowser {
    /// The hash of its session.
    pub session: Option<String>,
    /// The cookie of a device that has completed a sign-in.
    pub device: Option<String>,
}

impl core::fmt::Debug for BeginningBrowser {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BeginningBrowser(…)")
    }
}

/// A sign-in by an OpenID Connect provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BegunByOidc {
    /// The provider's id in the configuration.
    pub provider: String,
    /// The value that the provider's answer must repeat.
    pub state: String,
    /// The value that the ID token must repeat.
    pub nonce: String,
    /// The PKCE verifier.
    pub verifier: String,
    pub browser: BeginningBrowser,
}

impl core::fmt::Debug for BegunByOidc {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BegunByOidc(…)")
    }
}

/// A sign-in by a SAML provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BegunBySaml {
    pub provider: SsoProviderId,
    /// The id of the request, which the response must answer.
    pub request_id: String,
    /// The value that the provider's answer must repeat.
    pub relay_state: String,
    pub browser: BeginningBrowser,
}

/// An identity that a provider confirmed, and that no account has. The signed-in person may join it to their account.
/// `Debug` prints only the provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingIdentity {
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
    /// The person's address there, which is verified.
    pub email: String,
}

impl core::fmt::Debug for WaitingIdentity {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WaitingIdentity").field("provider", &self.provider).finish_non_exhaustive()
    }
}
