//! The variables of passkeys.

use super::super::mail;
use super::address::{Wrong, is_this_machine};
use http::Uri;
use overturn_core::identity::passkeys::RelyingParty;

const RP_ID: &str = "PASSKEY_RP_ID";
const ORIGINS: &str = "PASSKEY_ORIGINS";

/// The relying party id in dev, unless a variable sets another. Browsers accept no IP address.
const DEV_RP_ID: &str = "localhost";

/// The relying party of passkeys.
pub(crate) struct PasskeySettings {
    /// The relying party id: a host name. Passkeys are lost when it changes.
    pub(crate) rp_id: String,
    /// The origins whose pages may use its passkeys. Empty only in dev without `PUBLIC_URL`.
    pub(crate) origins: Vec<String>,
    /// True if pages of this machine may use the passkeys, at any port.
    local: bool,
}

impl PasskeySettings {
    pub(super) fn read(
        variable: impl Fn(&str) -> Option<String>,
        public_url: Option<&str>,
        is_dev: bool,
    ) -> Result<Self, Wrong> {
        let host = public_url.and_then(host).unwrap_or_else(|| DEV_RP_ID.into());
        let rp_id = match variable(RP_ID) {
            Some(id) if is_same_or_above(&id, &host) => id,
            Some(_) => return Err((RP_ID, "must be the host of PUBLIC_URL or a domain above it")),
            None => host,
        };
        let mut origins: Vec<String> = public_url.map(str::to_owned).into_iter().collect();
        for origin in variable(ORIGINS).iter().flat_map(|list| list.split(',')) {
            match mail::origin(Some(origin.trim().to_owned()), is_dev) {
                Ok(Some(origin)) if !origins.contains(&origin) => origins.push(origin),
                Ok(_) => {}
                Err(_) => return Err((ORIGINS, "must be https origins with commas between")),
            }
        }
        let local = is_dev && public_url.is_none();
        Ok(Self { rp_id, origins, local })
    }

    /// The relying party for a page of an origin. The page's own origin counts only in dev, on this machine.
    pub(crate) fn relying_party(&self, page: &str) -> RelyingParty {
        let mut origins = self.origins.clone();
        let is_local = || host(page).is_some_and(|host| is_this_machine(&host));
        if self.local && is_local() && !origins.iter().any(|origin| origin == page) {
            origins.push(page.to_owned());
        }
        RelyingParty { id: self.rp_id.clone(), origins }
    }

    /// All origins that share the passkeys, for browsers (Web Authentication Level 3, 5.11). `None` if all of them are of the
    /// relying party's own site: browsers then do not ask.
    pub(crate) fn related_origins(&self) -> Option<&[String]> {
        let is_own = |origin: &String| {
            host(origin).is_some_and(|host| {
                let below = host.strip_suffix(&self.rp_id);
                below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
            })
        };
        let are_own = self.origins.iter().all(is_own);
        (!are_own).then_some(&self.origins)
    }
}

fn host(origin: &str) -> Option<String> {
    let uri: Uri = origin.parse().ok()?;
    uri.host().map(str::to_owned)
}

/// True if a domain is that of a host or one above it. A top-level domain is not.
fn is_same_or_above(domain: &str, host: &str) -> bool {
    let below = host.strip_suffix(domain);
    let is_above = below.is_some_and(|below| below.ends_with('.')) && domain.contains('.');
    domain == host || is_above
}
