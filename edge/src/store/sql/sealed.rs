//! The statements that bring what is sealed under another key, for each table alike.

/// What is sealed in a table, under the practice's id and the row's own.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::store) struct Sealed {
    /// What it is known by.
    pub(in crate::store) name: &'static str,
    /// What its re-sealing is called in the audit trail.
    pub(in crate::store) event: &'static str,
    /// `?1` practice, `?2` what a row belongs to, `?3` row, after which to go on.
    pub(in crate::store) page: &'static str,
    /// `?1` the re-sealed rows, `?2` the key version. A row that came under another key meanwhile stays as it is.
    pub(in crate::store) write: &'static str,
}

/// A table whose rows are known by practice, what they belong to, and id; and the columns of the key and of what it seals.
macro_rules! sealed {
    ($name:literal, $table:literal ($owner:literal), $version:literal, $sealed:literal) => {
        Sealed {
            name: $name,
            event: concat!($name, ".resealed"),
            page: concat!(
                "SELECT json_group_array(json_object('key', json_array(practice_id, ", $owner, ", id),
                   'key_version', ", $version, ", 'sealed', ", $sealed, ")) AS json
                 FROM (SELECT * FROM ", $table, "
                       WHERE (practice_id, ", $owner, ", id) > (?1, ?2, ?3) AND ", $sealed, " IS NOT NULL
                       ORDER BY practice_id, ", $owner, ", id LIMIT 100)"
            ),
            write: concat!(
                "WITH f AS MATERIALIZED (
                   SELECT j.value ->> '$.key[0]' AS practice_id, j.value ->> '$.key[1]' AS owner,
                     j.value ->> '$.key[2]' AS id, j.value ->> 'was' AS was, j.value ->> 'sealed' AS sealed
                   FROM json_each(?1) j)
                 UPDATE ", $table, " SET ", $sealed, " = f.sealed, ", $version, " = ?2 FROM f
                 WHERE ", $table, ".practice_id = f.practice_id AND ", $table, ".", $owner, " = f.owner
                   AND ", $table, ".id = f.id AND ", $table, ".", $version, " = f.was"
            ),
        }
    };
}

/// Every table with something sealed but claims and second factors, in the order in which they are re-sealed.
pub(in crate::store) const TABLES: &[Sealed] = &[
    sealed!("notes", "claim_notes"("claim_id"), "key_version", "sealed"),
    sealed!(
        "signing_links",
        "signing_links"("claim_id"),
        "key_version",
        "sealed"
    ),
    sealed!(
        "signatures",
        "signatures"("claim_id"),
        "key_version",
        "sealed"
    ),
    sealed!("webhooks", "webhooks"("id"), "key_version", "sealed"),
    sealed!(
        "old_webhooks",
        "webhooks"("id"),
        "old_key_version",
        "old_sealed"
    ),
];
