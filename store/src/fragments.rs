//! Parts of SQL that several contexts use.

/// Whether patient data of a practice may be read or changed: `core::disclosure`, as a condition.
macro_rules! readable {
    ($practice:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM practices p WHERE p.id = ",
            $practice,
            " AND p.state = 'active' AND ",
            agreement!("p.id"),
            ")"
        )
    };
}

/// Whether a practice has an agreement in force.
macro_rules! agreement {
    ($practice:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = ",
            $practice,
            " AND a.kind = 'baa' AND a.ended_at IS NULL)"
        )
    };
}

/// The practice of a caller, `?1` the hash of what was presented.
macro_rules! of_caller {
    () => {
        "(SELECT practice_id FROM callers WHERE hash = ?1)"
    };
}

/// The newest data key of a practice, as `StoredDataKey` reads it; NULL where it has none. SQLite does not
/// always keep in mind that what a subquery gives is JSON.
macro_rules! data_key {
    ($practice:expr) => {
        concat!(
            "json((SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) FROM practice_keys dk WHERE dk.practice_id = ",
            $practice,
            " ORDER BY dk.version DESC LIMIT 1))"
        )
    };
}

/// The last number of a change among the claims of practice `?1`, `base.n`. In this form SQLite looks at the end of the index
/// and nowhere else; for `max` in a subquery it goes through all of it.
macro_rules! base {
    () => {
        "base AS MATERIALIZED (SELECT coalesce((SELECT changed FROM claims
           WHERE practice_id = ?1 AND changed > 0 ORDER BY changed DESC LIMIT 1), 0) AS n)"
    };
}
