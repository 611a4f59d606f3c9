//! The statements that read how a practice's people sign in.

/// `?1` the caller's hash, as `sso::SsoSettings` reads it. It leaves out the metadata, which may have 256 KiB a provider.
pub(crate) const SETTINGS: &str = concat!(
    "SELECT json_object('version', p.version, 'required', json(iif(p.sso_required = 1, 'true', 'false')),
       'in_use', json(iif(EXISTS (SELECT 1 FROM users u CROSS JOIN sessions x ON x.user_id = u.id
         WHERE u.practice_id = p.id AND u.state = 'active' AND x.sso = 1 AND x.revoked_at IS NULL), 'true', 'false')),
       'providers', json((SELECT json_group_array(json_object('id', s.id, 'version', s.version, 'kind', s.kind, 'name', s.name,
           'configured', s.configured, 'entity_id', s.entity_id, 'certificates', json(s.certificates),
           'contexts', json(s.contexts), 'idp_initiated', json(iif(s.idp_initiated = 1, 'true', 'false')),
           'created_at', s.created_at))
         FROM (SELECT * FROM sso_providers WHERE practice_id = p.id ORDER BY id) s)),
       'domains', json((SELECT json_group_array(json_object('id', d.id, 'domain', d.domain, 'token', d.token,
           'created_at', d.created_at, 'verified_at', d.verified_at,
           'taken', json(iif(EXISTS (SELECT 1 FROM practice_domains o WHERE o.domain = d.domain
             AND o.verified_at IS NOT NULL AND o.practice_id <> d.practice_id), 'true', 'false'))))
         FROM (SELECT * FROM practice_domains WHERE practice_id = p.id ORDER BY id) d))) AS json
     FROM practices p WHERE p.id = ",
    of_caller!()
);

/// `?1` now, `?2` how many. The providers about whose certificates a practice is due to be warned, as
/// `ending::EndingProvider` reads them.
pub(crate) const ENDING: &str =
    "SELECT json_group_array(json_object('practice_id', s.practice_id, 'id', s.id, 'ends_at', s.certificates_end,
       'since', s.warn_at)) AS json
     FROM (SELECT * FROM sso_providers WHERE warn_at <= CAST(?1 AS INTEGER) ORDER BY warn_at LIMIT CAST(?2 AS INTEGER)) s";
