//! The variables and secrets of passkeys, identity providers and other services that sign. All of them are optional.

mod address;
mod oidc;
mod passkeys;
mod saml;

pub(crate) use oidc::OidcProvider;
pub(crate) use passkeys::PasskeySettings;

use address::{Wrong, is_web_address};
use overturn_core::identity::saml::SamlKey;

const DNS_RESOLVER: &str = "DNS_RESOLVER";
const GITHUB_KEYS: &str = "GITHUB_KEYS";

/// The DNS over HTTPS that is asked for proofs of domains, unless `DNS_RESOLVER` is set.
const USUAL_RESOLVER: &str = "https://cloudflare-dns.com/dns-query";

/// Where GitHub publishes the keys of its secret scanning, unless `GITHUB_KEYS` is set.
const USUAL_KEYS: &str = "https://api.github.com/meta/public_keys/secret_scanning";

/// How people may sign in besides a password.
pub(crate) struct IdentitySettings {
    pub(crate) passkeys: PasskeySettings,
    /// The OpenID Connect providers of this installation.
    pub(crate) oidc: Vec<OidcProvider>,
    /// The keys of the SAML service provider. The first one signs. Without keys, SAML is off.
    pub(crate) saml_keys: Vec<SamlKey>,
    /// The address of a DNS resolver over HTTPS that answers in JSON.
    pub(crate) dns_resolver: String,
    /// The address of the public keys that sign GitHub's messages about leaked keys.
    pub(crate) github_keys: String,
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
        let github_keys = variable(GITHUB_KEYS).unwrap_or_else(|| USUAL_KEYS.into());
        for (name, address) in [(DNS_RESOLVER, &dns_resolver), (GITHUB_KEYS, &github_keys)] {
            if !is_web_address(address, is_dev) {
                return Err((name, "must be an https address"));
            }
        }
        Ok(Self {
            passkeys: PasskeySettings::read(&variable, public_url, is_dev)?,
            oidc: oidc::read(&variable, is_dev)?,
            saml_keys: saml::read(&variable)?,
            dns_resolver,
            github_keys,
        })
    }

    pub(crate) fn oidc_provider(&self, id: &str) -> Option<&OidcProvider> {
        self.oidc.iter().find(|provider| provider.id == id)
    }
}

#[cfg(test)]
mod tests;
