//! The lookups of the operator's commands. They run rarely, across practices, and need no index.

/// `?1` an id, `?2` the key of an address. Active and invited accounts.
pub(crate) const PEOPLE: &str =
    "SELECT json_group_array(json_object('id', u.id, 'practice_id', u.practice_id, 'role', u.role, 'state', u.state,
       'epoch', u.epoch, 'enrolled', json(iif(EXISTS (SELECT 1 FROM factors f
         WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL), 'true', 'false')))) AS json
     FROM users u WHERE u.state <> 'removed' AND (u.id = ?1 OR u.email_key = ?2)";

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
