//! What other services published: OpenID Connect providers (`crate::sso`), and who reports leaked keys (`crate::leaks`).

use overturn_core::base::instant::Instant;
use overturn_core::identity::oidc::OidcDescription;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a provider published.
#[derive(Clone)]
pub(crate) struct Published {
    /// The discovery document.
    pub(crate) discovery: Value,
    /// What it says, checked.
    pub(crate) description: OidcDescription,
    pub(crate) fetched_at: Instant,
}

/// What is known of a provider.
#[derive(Default)]
pub(crate) struct KnownProvider {
    pub(crate) published: Option<Published>,
    pub(crate) keys: Option<(Value, Instant)>,
    pub(crate) renewed_at: Option<Instant>,
    pub(crate) failed: Option<(&'static str, Instant)>,
}

/// By the id of the provider. A changed configuration comes with a new isolate.
#[derive(Default)]
pub(crate) struct Providers(RefCell<BTreeMap<String, KnownProvider>>);

impl Providers {
    /// Reads or changes what is known of a provider.
    pub(crate) fn read<T>(&self, id: &str, read: impl FnOnce(&mut KnownProvider) -> T) -> T {
        read(self.0.borrow_mut().entry(id.to_owned()).or_default())
    }
}
