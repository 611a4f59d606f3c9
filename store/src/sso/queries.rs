//! Queries about sign-ins by external providers.

use super::sql;
use crate::query::Query;
use crate::statement::text;
use overturn_core::accounts::ceremony::OpenedCeremony;
use overturn_core::base::id::{IdentityId, SsoProviderId};
use overturn_core::sso::begun::WaitingIdentity;
use overturn_core::sso::identities::{StoredIdentity, StoredJoin};
use overturn_core::sso::providers::ProviderOfDomain;
use overturn_core::sso::shown::{SamlProvider, ShownIdentity, StoredSso};

/// What the store knows about an identity that a provider confirmed.
#[must_use]
pub fn shown(identity: &ShownIdentity) -> Query<StoredSso> {
    let params = [
        text(&identity.provider),
        text(&identity.issuer),
        text(&identity.subject),
        text(identity.email_key()),
        text(identity.domain()),
    ];
    Query::one("sso.shown", sql::SHOWN, params)
}

/// A SAML provider of an active practice.
#[must_use]
pub fn saml_provider(id: SsoProviderId) -> Query<Option<SamlProvider>> {
    Query::optional("sso.saml_provider", sql::SAML_PROVIDER, [text(id)])
}

/// The providers of the practice that has verified a domain.
#[must_use]
pub fn providers_of_domain(domain: &str) -> Query<Vec<ProviderOfDomain>> {
    Query::one("sso.providers_of_domain", sql::PROVIDERS_OF_DOMAIN, [text(domain)])
}

/// All identities of the caller, by the hash of the credential.
#[must_use]
pub fn identities(caller: &str) -> Query<Vec<StoredIdentity>> {
    Query::one("sso.identities", sql::IDENTITIES, [text(caller)])
}

/// One of the caller's own identities.
#[must_use]
pub fn identity(caller: &str, id: IdentityId) -> Query<Option<StoredIdentity>> {
    Query::optional("sso.identity", sql::IDENTITY, [text(caller), text(id)])
}

/// What the store knows when the caller is to join a waiting identity.
#[must_use]
pub fn to_join(caller: &str, waiting: Option<&OpenedCeremony<WaitingIdentity>>) -> Query<Option<StoredJoin>> {
    let part = |of: fn(&WaitingIdentity) -> &String| text(waiting.map_or("", |waiting| of(&waiting.content)));
    let params = [
        text(caller),
        part(|waiting| &waiting.provider),
        part(|waiting| &waiting.issuer),
        part(|waiting| &waiting.subject),
        text(waiting.map_or("", |waiting| &waiting.spent.hash)),
    ];
    Query::optional("sso.to_join", sql::TO_JOIN, params)
}
