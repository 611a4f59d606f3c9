//! The statements of patients' signatures.

/// `?1` the hash of a link's token. Counts an attempt at the date of birth, before anything is compared.
pub(crate) const COUNT_TRY: &str = "UPDATE signing_links SET attempts = attempts + 1 WHERE hash = ?1";

/// `?1` the hash of a link's token, as `patient::StoredSigning` reads it.
pub(crate) const LINK: &str = concat!(
    "SELECT json_object('practice_id', l.practice_id, 'practice', p.name, 'time_zone', p.time_zone,
       'practice_state', p.state,
       'agreement_in_force', json(iif(",
    agreement!("p.id"),
    ", 'true', 'false')), 'link_id', l.id,
       'expires_at', l.expires_at, 'revoked_at', l.revoked_at, 'used_at', l.used_at, 'tries', l.attempts,
       'claim_id', c.id, 'version', c.version, 'status', c.status, 'signing_status', c.signing_status,
       'claim_number', c.claim_number, 'payer_name', c.payer_name, 'date_of_service', c.date_of_service, 'billed_cents', c.billed_cents,
       'denied_cents', c.denied_cents, 'key_version', c.key_version, 'sealed', c.sealed,
       'data_key', ", data_key!("l.practice_id"), ") AS json
     FROM signing_links l
     JOIN practices p ON p.id = l.practice_id
     JOIN claims c ON c.practice_id = l.practice_id AND c.id = l.claim_id
     WHERE l.hash = ?1"
);

/// `?1` claims, each an array of practice, claim and its new link, if it has one; `?2` now. Ends the claims' other links.
pub(crate) const REVOKE_OTHER_LINKS: &str = "UPDATE signing_links SET revoked_at = ?2
     WHERE (practice_id, claim_id, id) IN (
       SELECT l.practice_id, l.claim_id, l.id FROM json_each(?1) j CROSS JOIN signing_links l
       WHERE l.practice_id = j.value ->> 0 AND l.claim_id = j.value ->> 1 AND l.id <> ifnull(j.value ->> 2, '')
         AND l.revoked_at IS NULL AND l.used_at IS NULL)";

/// `?1` the links, `?2` now.
pub(crate) const INSERT_LINKS: &str =
    "INSERT INTO signing_links (practice_id, claim_id, id, hash, key_version, sealed, created_at, created_by, expires_at)
     SELECT j.value ->> 'practice', j.value ->> 'claim', j.value ->> 'id', j.value ->> 'hash', j.value ->> 'key_version',
       j.value ->> 'sealed', ?2, j.value ->> 'created_by', j.value ->> 'expires_at'
     FROM json_each(?1) j WHERE true ON CONFLICT (practice_id, claim_id, id) DO NOTHING";

/// `?1` the practice, `?2` the claim, `?3` the link.
pub(crate) const RETURN_TRY: &str = "UPDATE signing_links SET attempts = max(attempts - 1, 0)
     WHERE practice_id = ?1 AND claim_id = ?2 AND id = ?3";

/// `?1` the practice, `?2` the claim, `?3` the link, `?4` now.
pub(crate) const USE_LINK: &str = "UPDATE signing_links SET used_at = ?4
     WHERE practice_id = ?1 AND claim_id = ?2 AND id = ?3 AND used_at IS NULL";

/// `?1` the practice, `?2` the claim, `?3` id, `?4` the link, `?5` when, `?6` key version, `?7` sealed.
pub(crate) const INSERT_SIGNATURE: &str =
    "INSERT INTO signatures (practice_id, claim_id, id, link_id, signed_at, key_version, sealed)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (practice_id, claim_id, id) DO NOTHING";

/// `?1` the practice, `?2` the claim, as `staff::StoredSignature` reads it. No row for an unsigned claim.
pub(crate) const SIGNATURE: &str =
    "SELECT json_object('id', s.id, 'key_version', s.key_version, 'sealed', s.sealed, 'version', c.version) AS json
     FROM signatures s JOIN claims c ON c.practice_id = s.practice_id AND c.id = s.claim_id
     WHERE s.practice_id = ?1 AND s.claim_id = ?2 ORDER BY s.id DESC LIMIT 1";

/// `?1` the practice, `?2` the claim. True as JSON if it has a link that was neither revoked nor used.
pub(crate) const HAS_LINK: &str =
    "SELECT iif(EXISTS (SELECT 1 FROM signing_links WHERE practice_id = ?1 AND claim_id = ?2
       AND revoked_at IS NULL AND used_at IS NULL), 'true', 'false') AS json";
