//! The lookups of the operator's commands. They run rarely, across practices, and need no index.

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
