//! What must hold of sign-ins by external providers when a batch runs.

use crate::json::json;
use crate::statement::{Param, Statement, count, text};
use overturn_core::plan::SsoGuard;
use overturn_core::plan::sso::ServedProviders;

/// `?1` the practice, `?2` the provider.
const PROVIDER: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND id = ?2)";

/// True if the installation serves the provider of a row: `?2` whether it serves SAML, `?3` the ids of its OpenID Connect
/// providers as JSON.
macro_rules! served {
    () => {
        "iif(kind = 'saml', CAST(?2 AS INTEGER) = 1, configured IN (SELECT value FROM json_each(?3)))"
    };
}

/// `?1` the practice, `?2` and `?3` what the installation serves, `?4` the provider.
const PROVIDER_DISPENSABLE: &str = concat!(
    "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM practices WHERE id = ?1 AND sso_required = 1)
       AND NOT EXISTS (SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND id <> ?4 AND ",
    served!(),
    ")"
);

/// `?1` the practice, `?2` and `?3` what the installation serves.
const ANY_PROVIDER: &str = concat!(
    "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND ",
    served!(),
    ")"
);

/// `?1` the practice, `?2` the bound.
const PROVIDERS_BELOW: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE (
       SELECT count(*) FROM sso_providers WHERE practice_id = ?1) >= CAST(?2 AS INTEGER)";

/// `?1` the practice, `?2` the entity id.
const ENTITY_FREE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND entity_id = ?2)";

/// `?1` the practice, `?2` the provider, `?3` since when.
const WARNING_DUE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND id = ?2 AND warn_at = CAST(?3 AS INTEGER))";

/// `?1` the practice, `?2` the domain's id.
const DOMAIN: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM practice_domains WHERE practice_id = ?1 AND id = ?2)";

/// `?1` the practice, `?2` the domain, `?3` the bound.
const DOMAIN_NEW: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM practice_domains WHERE practice_id = ?1 AND domain = ?2)
       OR (SELECT count(*) FROM practice_domains WHERE practice_id = ?1) >= CAST(?3 AS INTEGER)";

/// `?1` the practice, `?2` the provider's id in the configuration.
const NOT_CONFIGURED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM sso_providers WHERE practice_id = ?1 AND configured = ?2)";

/// `?1` the provider, `?2` the issuer, `?3` the subject.
const IDENTITY_FREE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM identities i JOIN users u ON u.id = i.user_id AND u.state <> 'removed'
       WHERE i.provider = ?1 AND i.issuer = ?2 AND i.subject = ?3)";

/// `?1` the account, `?2` the key of its address, `?3` the bound.
const JOINABLE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM users u WHERE u.id = ?1 AND u.state = 'active' AND u.email_key = ?2
         AND (SELECT count(*) FROM identities i WHERE i.user_id = u.id) < CAST(?3 AS INTEGER))";

/// `?1` the account, `?2` the identity.
const IDENTITY: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM identities WHERE user_id = ?1 AND id = ?2)";

/// `?1` the domain.
const DOMAIN_FREE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM practice_domains WHERE domain = ?1 AND verified_at IS NOT NULL)";

/// `?1` the practice, `?2` the domain.
const DOMAIN_VERIFIED: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM practice_domains WHERE practice_id = ?1 AND domain = ?2 AND verified_at IS NOT NULL)";

/// `?1` the practice, `?2` the key of the address.
const ADDRESS_FREE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM users WHERE email_key = ?2 AND (state = 'active' OR state = 'invited' AND practice_id = ?1))";

/// The statement of a guard.
pub(crate) fn lower(guard: &SsoGuard) -> Statement {
    match guard {
        SsoGuard::Provider { practice, provider } => Statement::new(PROVIDER, [text(practice), text(provider)]),
        SsoGuard::ProviderDispensable { practice, provider, served } => {
            let [saml, configured] = params(served);
            let params = [text(practice), saml, configured, text(provider)];
            Statement::new(PROVIDER_DISPENSABLE, params)
        }
        SsoGuard::AnyProvider { practice, served } => {
            let [saml, configured] = params(served);
            Statement::new(ANY_PROVIDER, [text(practice), saml, configured])
        }
        SsoGuard::ProvidersBelow { practice, bound } => {
            Statement::new(PROVIDERS_BELOW, [text(practice), count(*bound)])
        }
        SsoGuard::EntityFree { practice, entity_id } => Statement::new(ENTITY_FREE, [text(practice), text(entity_id)]),
        SsoGuard::WarningDue { practice, provider, since } => {
            Statement::new(WARNING_DUE, [text(practice), text(provider), Param::Int(since.0)])
        }
        SsoGuard::Domain { practice, domain } => Statement::new(DOMAIN, [text(practice), text(domain)]),
        SsoGuard::DomainNew { practice, domain, bound } => {
            Statement::new(DOMAIN_NEW, [text(practice), text(domain), count(*bound)])
        }
        SsoGuard::NotConfigured { practice, configured } => {
            Statement::new(NOT_CONFIGURED, [text(practice), text(configured)])
        }
        SsoGuard::IdentityFree { provider, issuer, subject } => {
            Statement::new(IDENTITY_FREE, [text(provider), text(issuer), text(subject)])
        }
        SsoGuard::Joinable { user, email_key, bound } => {
            Statement::new(JOINABLE, [text(user), text(email_key), count(*bound)])
        }
        SsoGuard::Identity { user, identity } => Statement::new(IDENTITY, [text(user), text(identity)]),
        SsoGuard::DomainFree(domain) => Statement::new(DOMAIN_FREE, [text(domain)]),
        SsoGuard::DomainVerified { practice, domain } => {
            Statement::new(DOMAIN_VERIFIED, [text(practice), text(domain)])
        }
        SsoGuard::AddressFree { practice, email_key } => {
            Statement::new(ADDRESS_FREE, [text(practice), text(email_key)])
        }
    }
}

/// What the installation serves.
fn params(served: &ServedProviders) -> [Param; 2] {
    let configured = Param::Text(json(&served.configured));
    [Param::Int(served.saml.into()), configured]
}
