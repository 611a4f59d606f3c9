//! The statements of sign-ins by external providers.

use crate::accounts::sql::{account, enrolled, practice_facts};

/// `?1` the practice, `?2` the provider, `?3` its kind, `?4` its name, `?5` its id in the configuration, `?6` its entity id,
/// `?7` its metadata, `?8` its certificates, `?9` when they end, `?10` its contexts, `?11` whether it may begin sign-ins,
/// `?12` now, `?13` when the practice is warned of that end.
pub(crate) const INSERT_PROVIDER: &str =
    "INSERT INTO sso_providers (practice_id, id, kind, name, configured, entity_id, metadata,
       certificates, certificates_end, contexts, idp_initiated, created_at, warn_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice, `?2` the provider, `?3` its name, `?4` its contexts, `?5` whether it may begin sign-ins. What is NULL
/// stays.
pub(crate) const EDIT_PROVIDER: &str = "UPDATE sso_providers SET name = coalesce(?3, name),
       contexts = coalesce(?4, contexts), idp_initiated = coalesce(?5, idp_initiated)
     WHERE practice_id = ?1 AND id = ?2";

/// `?1` the practice, `?2` the provider, `?3` its entity id, `?4` its metadata, `?5` its certificates, `?6` when they end,
/// `?7` when the practice is warned of that end.
pub(crate) const RENEW_METADATA: &str = "UPDATE sso_providers SET entity_id = ?3, metadata = ?4, certificates = ?5,
       certificates_end = ?6, warn_at = ?7
     WHERE practice_id = ?1 AND id = ?2 AND kind = 'saml'";

/// `?1` the practice, `?2` the provider.
pub(crate) const DELETE_PROVIDER: &str = "DELETE FROM sso_providers WHERE practice_id = ?1 AND id = ?2";

/// `?1` the practice, `?2` the provider. An identity of a provider of the installation stays, because other practices may
/// trust it.
pub(crate) const DELETE_IDENTITIES_OF_PROVIDER: &str = "DELETE FROM identities
     WHERE provider = ?2 AND user_id IN (SELECT id FROM users WHERE practice_id = ?1)";

/// `?1` the practice. Its sessions no longer count as sessions of a provider that it trusts.
pub(crate) const END_TRUST: &str = "UPDATE sessions SET sso = 0
     WHERE sso = 1 AND user_id IN (SELECT id FROM users WHERE practice_id = ?1)";

/// `?1` the practice. Likewise the sign-ins that wait for a second factor.
pub(crate) const END_TRUST_OF_CONTINUATIONS: &str = "UPDATE continuations SET sso = 0
     WHERE sso = 1 AND user_id IN (SELECT id FROM users WHERE practice_id = ?1)";

/// `?1` the provider, `?2` the issuer, `?3` the subject. Frees an identity of an account that was removed, for the account
/// that its person joins it to.
pub(crate) const FREE_IDENTITY: &str = "DELETE FROM identities
     WHERE provider = ?1 AND issuer = ?2 AND subject = ?3
       AND user_id IN (SELECT id FROM users WHERE state = 'removed')";

/// `?1` the practice, `?2` the provider, `?3` when it is warned again.
pub(crate) const WARNED: &str = "UPDATE sso_providers SET warn_at = ?3 WHERE practice_id = ?1 AND id = ?2";

/// `?1` the practice, `?2` whether it requires single sign-on.
pub(crate) const REQUIRE: &str = "UPDATE practices SET sso_required = ?2 WHERE id = ?1";

/// `?1` the practice, `?2` the domain's id, `?3` the domain, `?4` its token, `?5` now.
pub(crate) const INSERT_DOMAIN: &str = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";

/// `?1` the practice, `?2` the domain's id, `?3` now.
pub(crate) const VERIFY_DOMAIN: &str = "UPDATE practice_domains SET verified_at = ?3
     WHERE practice_id = ?1 AND id = ?2 AND verified_at IS NULL";

/// `?1` the practice, `?2` the domain's id.
pub(crate) const DELETE_DOMAIN: &str = "DELETE FROM practice_domains WHERE practice_id = ?1 AND id = ?2";

/// `?1` the account, `?2` the identity, `?3` the provider, `?4` the issuer, `?5` the subject, `?6` the address, `?7` now.
pub(crate) const INSERT_IDENTITY: &str =
    "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (user_id, id) DO NOTHING";

/// `?1` the account, `?2` the identity, `?3` now.
pub(crate) const USE_IDENTITY: &str = "UPDATE identities SET last_used_at = ?3 WHERE user_id = ?1 AND id = ?2";

/// `?1` the account, `?2` the identity.
pub(crate) const DELETE_IDENTITY: &str = "DELETE FROM identities WHERE user_id = ?1 AND id = ?2";

/// The provider `?1` at the practice of a row, if the practice trusts it, as `core::sso::shown::TrustedProvider` reads
/// it. `?1` is the id of a SAML provider, or the id in the configuration.
macro_rules! trusted {
    ($practice:expr) => {
        concat!(
            "(SELECT json_object('id', s.id, 'contexts', json(s.contexts)) FROM sso_providers s
              WHERE s.practice_id = ",
            $practice,
            " AND (s.kind = 'saml' AND s.id = ?1 OR s.kind = 'oidc' AND s.configured = ?1))"
        )
    };
}

/// `?1` the provider, `?2` the issuer, `?3` the subject, `?4` the key of the address, `?5` its domain. What
/// `core::sso::shown::StoredSso` reads. An account that was invited or removed counts at the practice of the domain only.
/// A removed account counts by its address and by its identity, because addresses change.
pub(crate) const SHOWN: &str = concat!(
    "SELECT json_object(
       'joined', json((SELECT json_object('id', i.id, 'account', json(",
    account!(),
    "), 'active', json(iif(p.id IS NULL OR p.state = 'active', 'true', 'false')), 'trusted', json(",
    trusted!("u.practice_id"),
    "))
         FROM identities i JOIN users u ON u.id = i.user_id AND u.state = 'active'
           LEFT JOIN practices p ON p.id = u.practice_id
         WHERE i.provider = ?1 AND i.issuer = ?2 AND i.subject = ?3)),
       'owner', json((SELECT json_object('practice_id', p.id, 'practice_name', p.name,
           'active', json(iif(p.state = 'active', 'true', 'false')), 'trusted', json(",
    trusted!("p.id"),
    "))
         FROM practice_domains d JOIN practices p ON p.id = d.practice_id
         WHERE d.domain = ?5 AND d.verified_at IS NOT NULL)),
       'address', CASE
         WHEN EXISTS (SELECT 1 FROM users WHERE email_key = ?4 AND state = 'active') THEN 'active'
         ELSE coalesce((SELECT u.state FROM practice_domains d JOIN users u ON u.practice_id = d.practice_id
             WHERE d.domain = ?5 AND d.verified_at IS NOT NULL AND u.email_key = ?4
             ORDER BY u.state LIMIT 1),
           (SELECT u.state FROM practice_domains d JOIN users u ON u.practice_id = d.practice_id AND u.state = 'removed'
               JOIN identities i ON i.user_id = u.id
             WHERE d.domain = ?5 AND d.verified_at IS NOT NULL
               AND i.provider = ?1 AND i.issuer = ?2 AND i.subject = ?3)) END) AS json"
);

/// `?1` the provider. A SAML provider of an active practice, as `core::sso::shown::SamlProvider` reads it.
pub(crate) const SAML_PROVIDER: &str =
    "SELECT json_object('practice_id', s.practice_id, 'id', s.id, 'name', s.name, 'entity_id', s.entity_id,
       'metadata', s.metadata, 'idp_initiated', json(iif(s.idp_initiated = 1, 'true', 'false'))) AS json
     FROM sso_providers s JOIN practices p ON p.id = s.practice_id AND p.state = 'active'
     WHERE s.id = ?1 AND s.kind = 'saml'";

/// `?1` a domain. The providers of the active practice that has verified it, the oldest first.
pub(crate) const PROVIDERS_OF_DOMAIN: &str =
    "SELECT json_group_array(json_object('id', id, 'kind', kind, 'name', name, 'configured', configured)) AS json
     FROM (SELECT s.* FROM practice_domains d JOIN practices p ON p.id = d.practice_id AND p.state = 'active'
         JOIN sso_providers s ON s.practice_id = d.practice_id
       WHERE d.domain = ?1 AND d.verified_at IS NOT NULL ORDER BY s.id)";

/// An identity `i`, as `core::sso::identities::StoredIdentity` reads it.
macro_rules! identity {
    () => {
        "json_object('id', i.id, 'provider', i.provider,
           'saml_name', (SELECT s.name FROM sso_providers s WHERE s.id = i.provider),
           'email', i.email, 'created_at', i.created_at, 'last_used_at', i.last_used_at)"
    };
}

/// `?1` the caller's hash. All identities of the caller, the oldest first.
pub(crate) const IDENTITIES: &str = concat!(
    "SELECT json_group_array(",
    identity!(),
    ") AS json FROM (SELECT * FROM identities
       WHERE user_id = (SELECT user_id FROM callers WHERE hash = ?1) ORDER BY id) i"
);

/// `?1` the caller's hash, `?2` the identity.
pub(crate) const IDENTITY: &str = concat!(
    "SELECT ",
    identity!(),
    " AS json FROM identities i
       WHERE i.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND i.id = ?2"
);

/// `?1` the caller's hash, `?2` the provider, `?3` the issuer, `?4` the subject, `?5` the hash of the waiting identity. What
/// `core::sso::identities::StoredJoin` reads.
pub(crate) const TO_JOIN: &str = concat!(
    "SELECT json_object('account', json(",
    account!(),
    "), 'count', (SELECT count(*) FROM identities WHERE user_id = u.id),
       'taken', json(iif(EXISTS (SELECT 1 FROM identities
         JOIN users holder ON holder.id = identities.user_id AND holder.state <> 'removed'
         WHERE provider = ?2 AND issuer = ?3 AND subject = ?4), 'true', 'false')),
       'spent', json(iif(EXISTS (SELECT 1 FROM spent_proofs WHERE hash = ?5), 'true', 'false'))) AS json
     FROM callers c JOIN users u ON u.id = c.user_id AND u.state = 'active'
       LEFT JOIN practices p ON p.id = u.practice_id
     WHERE c.hash = ?1"
);
