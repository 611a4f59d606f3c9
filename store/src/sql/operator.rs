//! What the operator's orders look up. They are given now and then, across practices, and need no index.

use super::accounts::role;

/// `?1` an id, `?2` the key of an address: the accounts in use or invited.
pub(crate) const PEOPLE: &str = concat!(
    "SELECT json_group_array(json_object('id', u.id, 'practice_id', u.practice_id, 'role', ",
    role!(),
    ", 'state', u.state,
       'epoch', u.epoch, 'enrolled', json(iif(EXISTS (SELECT 1 FROM factors f
         WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL), 'true', 'false')))) AS json
     FROM users u WHERE u.state <> 'removed' AND (u.id = ?1 OR u.email_key = ?2)"
);

/// `?1` the practice. No row for an unknown one.
pub(crate) const PRACTICE: &str =
    "SELECT json_quote(p.id) AS json FROM practices p WHERE p.id = ?1";

/// Every practice, the oldest first.
pub(crate) const PRACTICES: &str =
    "SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'state', p.state, 'created_at', p.created_at)) AS json
     FROM (SELECT * FROM practices ORDER BY id) p";

/// `?1` an id or the first characters that are shown of a key: the keys that it stands for.
pub(crate) const KEYS: &str =
    "SELECT json_group_array(json_object('practice_id', k.practice_id, 'id', k.id)) AS json
     FROM api_keys k WHERE k.id = ?1 OR k.hint = ?1";
