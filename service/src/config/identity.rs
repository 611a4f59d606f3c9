//! The variables and secrets of passkeys and identity providers. All of them are optional.

mod address;
mod oidc;
mod passkeys;
mod saml;

pub(crate) use oidc::OidcProvider;
pub(crate) use passkeys::PasskeySettings;

use address::{Wrong, is_web_address};
use overturn_core::identity::saml::SamlKey;

const DNS_RESOLVER: &str = "DNS_RESOLVER";

/// The DNS over HTTPS that is asked for proofs of domains, unless `DNS_RESOLVER` is set.
const USUAL_RESOLVER: &str = "https://cloudflare-dns.com/dns-query";

/// How people may sign in besides a password.
pub(crate) struct IdentitySettings {
    pub(crate) passkeys: PasskeySettings,
    /// The OpenID Connect providers of this installation.
    pub(crate) oidc: Vec<OidcProvider>,
    /// The keys of the SAML service provider. The first one signs. Without keys, SAML is off.
    pub(crate) saml_keys: Vec<SamlKey>,
    /// The address of a DNS resolver over HTTPS that answers in JSON.
    pub(crate) dns_resolver: String,
}

impl IdentitySettings {
    /// The settings of these variables.
    ///
    /// # Errors
    ///
    /// The name of a variable and its problem, without its value.
    pub(super) fn read(
        variable: impl Fn(&str) -> Option<String>,
        public_url: Option<&str>,
        is_dev: bool,
    ) -> Result<Self, Wrong> {
        let dns_resolver = variable(DNS_RESOLVER).unwrap_or_else(|| USUAL_RESOLVER.into());
        if !is_web_address(&dns_resolver, is_dev) {
            return Err((DNS_RESOLVER, "must be an https address"));
        }
        Ok(Self {
            passkeys: PasskeySettings::read(&variable, public_url, is_dev)?,
            oidc: oidc::read(&variable, is_dev)?,
            saml_keys: saml::read(&variable)?,
            dns_resolver,
        })
    }

    pub(crate) fn oidc_provider(&self, id: &str) -> Option<&OidcProvider> {
        self.oidc.iter().find(|provider| provider.id == id)
    }
}

#[cfg(test)]
mod tests;
