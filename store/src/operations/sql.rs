//! The lookups of the operator's commands. They run rarely, across practices, and need no index.

use crate::accounts::sql::role;

/// `?1` an id, `?2` the key of an address. Active and invited accounts.
pub(crate) const PEOPLE: &str = concat!(
    "SELECT json_group_array(json_object('id', u.id, 'practice_id', u.practice_id, 'role', ",
    role!(),
    ", 'state', u.state,
       'epoch', u.epoch, 'enrolled', json(iif(EXISTS (SELECT 1 FROM factors f
         WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL), 'true', 'false')))) AS json
     FROM users u WHERE u.state <> 'removed' AND (u.id = ?1 OR u.email_key = ?2)"
);

/// `?1` the practice. No row for an unknown one.
pub(crate) const PRACTICE: &str = "SELECT json_quote(p.id) AS json FROM practices p WHERE p.id = ?1";

/// Every practice, oldest first.
pub(crate) const PRACTICES: &str =
    "SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'state', p.state, 'created_at', p.created_at)) AS json
     FROM (SELECT * FROM practices ORDER BY id) p";

/// Every practice that has had a data key, with its newest one.
pub(crate) const DATA_KEYS: &str = concat!(
    "SELECT json_group_array(json_array(p.practice_id, ",
    data_key!("p.practice_id"),
    ")) AS json FROM (SELECT DISTINCT practice_id FROM practice_keys) p"
);

/// Every document that was not removed.
pub(crate) const DOCUMENTS: &str = "SELECT json_group_array(id) AS json FROM documents WHERE sealed IS NOT NULL";

/// `?1` an id or the beginning of a key. The matching keys.
pub(crate) const KEYS: &str = "SELECT json_group_array(json_object('practice_id', k.practice_id, 'id', k.id)) AS json
     FROM api_keys k WHERE k.id = ?1 OR k.hint = ?1";

/// `?1` the practice and `?2` the claim to start after. The next claims of all practices, as many as fit into one
/// value.
pub(crate) const RESEAL_PAGE: &str = concat!(
    "SELECT json_group_array(json_array(practice_id, id, claim_number, key_version, sealed,
       ",
    data_key!("c.practice_id"),
    ")) AS json
     FROM (SELECT c.*, sum(length(sealed)) OVER keys AS size, row_number() OVER keys AS n
           FROM (SELECT practice_id, id, claim_number, key_version, sealed
                 FROM claims WHERE (practice_id, id) > (?1, ?2) ORDER BY practice_id, id LIMIT 500) c
           WINDOW keys AS (ORDER BY practice_id, id)) c
     WHERE n = 1 OR size <= 1000000"
);

/// `?1` the re-sealed rows. A row that got another key in between is not changed.
pub(crate) const RESEAL: &str =
    "WITH f AS MATERIALIZED (
       SELECT j.value ->> 'practice_id' AS practice_id, j.value ->> 'id' AS id, j.value ->> 'was' AS was,
         j.value ->> 'key_version' AS now, j.value ->> 'sealed' AS sealed, j.value ->> 'patient_tag' AS patient_tag,
         j.value ->> 'procedure_tag' AS procedure_tag
       FROM json_each(?1) j)
     UPDATE claims SET sealed = f.sealed, patient_tag = f.patient_tag, procedure_tag = f.procedure_tag, key_version = f.now
     FROM f
     WHERE claims.practice_id = f.practice_id AND claims.id = f.id AND claims.key_version = f.was";
