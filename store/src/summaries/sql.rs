//! The statements of summaries. They read one row for each status and deadline day, not for each claim.

/// The counts of `$counted`, as `core::summaries::StoredCount` reads them. `?2` is today and `?3` the last day that is
/// listed by its date.
macro_rules! counts {
    ($($counted:expr),+) => {
        concat!(
            "SELECT json_group_array(json_object('status', status, 'due', bucket, 'claims', claims,
               'billed', json_array(billed_high, billed_low), 'denied', json_array(denied_high, denied_low),
               'recovered', json_array(recovered_high, recovered_low))) AS json
             FROM (SELECT status, CASE WHEN due IN ('', '~') THEN due WHEN due < ?2 THEN 'late' WHEN due > ?3 THEN 'later'
                 ELSE due END AS bucket, sum(claims) AS claims,
                 sum(billed_high) AS billed_high, sum(billed_low) AS billed_low, sum(denied_high) AS denied_high,
                 sum(denied_low) AS denied_low, sum(recovered_high) AS recovered_high, sum(recovered_low) AS recovered_low
               FROM ",
            $($counted,)+
            " GROUP BY 1, 2 HAVING sum(claims) > 0)"
        )
    };
}

/// `?1` the caller's hash, `?2` today, `?3` the last day.
pub(super) const OF_PRACTICE: &str = counts!("claim_counts WHERE scope = ", of_caller!());

/// `?1` the practice, `?2` today, `?3` the last day. A practice whose patient data may not be read has no counts.
pub(super) const OF_ONE: &str = counts!("claim_counts WHERE scope = ?1 AND ", readable!("?1"));

/// `?1` is `all`, `?2` today, `?3` the last day. The counts of all practices, without those of practices whose patient data
/// may not be read: the queue does not show their claims. This reads the counts of all practices together, a few rows for
/// each practice, and the counts of those that are left out.
pub(super) const OF_ALL: &str = counts!(
    "(SELECT status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low
        FROM claim_counts WHERE scope = ?1
      UNION ALL
      SELECT n.status, n.due, -n.claims, -n.billed_high, -n.billed_low, -n.denied_high, -n.denied_low,
        -n.recovered_high, -n.recovered_low
        FROM practices hidden CROSS JOIN claim_counts n
        WHERE n.scope = hidden.id AND NOT ",
    readable!("hidden.id"),
    ")"
);

/// How many cases have a decision that is due, at most `?2`. `?1` is the day after today. Only those whose patient data may
/// be read.
macro_rules! decisions_due {
    ($more:literal) => {
        concat!(
            "SELECT json(count(*)) AS json FROM (SELECT 1 FROM cases q WHERE q.is_open = 1 AND q.ask_on < ?1 AND ",
            $more,
            readable!("q.practice_id"),
            " LIMIT CAST(?2 AS INTEGER))"
        )
    };
}

/// Of all practices.
pub(super) const DECISIONS_DUE: &str = decisions_due!("");

/// Of the practice `?3`.
pub(super) const DECISIONS_DUE_OF: &str = decisions_due!("q.practice_id = ?3 AND ");

/// The open claims of practice `p` whose deadline fulfils a condition, as the queue lists them: none if the practice's
/// patient data may not be read.
macro_rules! open_claims {
    ($due:literal) => {
        concat!(
            "(SELECT coalesce(sum(n.claims), 0) FROM claim_counts n WHERE n.scope = p.id
               AND n.status IN ('received', 'reviewing', 'in_report', 'in_appeal')",
            $due,
            " AND p.state = 'active' AND ",
            agreement!("p.id"),
            ")"
        )
    };
}

/// `?1` the beginning of the name, `?2` the practice to start after or NULL, `?3` how many, `?4` today, `?5` the last
/// day that is soon. As `core::summaries::ListedPractice` reads them, by name.
pub(super) const PRACTICES: &str = concat!(
    "SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'status', p.state, 'agreement', CASE WHEN ",
    agreement!("p.id"),
    " THEN 'in_force' WHEN EXISTS (SELECT 1 FROM agreements e WHERE e.practice_id = p.id AND e.kind = 'baa') THEN 'ended'
        ELSE 'missing' END,
       'claims', json_object('open', ",
    open_claims!(""),
    ", 'late', ",
    open_claims!(" AND n.due < ?4"),
    ", 'due_soon', ",
    open_claims!(" AND n.due BETWEEN ?4 AND ?5"),
    "))) AS json
     FROM (SELECT p.* FROM practices p
       WHERE p.name COLLATE NOCASE >= ?1 AND p.name COLLATE NOCASE < ?1 || char(1114111)
         AND (?2 IS NULL OR (p.name COLLATE NOCASE, p.id) > (SELECT a.name, a.id FROM practices a WHERE a.id = ?2))
       ORDER BY p.name COLLATE NOCASE, p.id LIMIT CAST(?3 AS INTEGER)) p"
);

/// `?1` how many. Staff belong to no practice, and the index of members begins with the practice.
pub(super) const COLLEAGUES: &str = "SELECT json_group_array(json_object('id', id, 'name', name)) AS json FROM (
       SELECT u.id, coalesce(nullif(u.name, ''), u.email) AS name FROM users u
       WHERE u.practice_id IS NULL AND u.role = 'staff' AND u.state = 'active'
       ORDER BY 2 COLLATE NOCASE, 1 LIMIT CAST(?1 AS INTEGER))";

/// Names of payers, as `core::summaries::Payer` reads them. `?2` is how many.
macro_rules! payers {
    ($practice:expr) => {
        concat!(
            "SELECT json_group_array(json_object('name', name)) AS json FROM (
               SELECT name FROM payers WHERE practice_id = ",
            $practice,
            " ORDER BY name LIMIT CAST(?2 AS INTEGER))"
        )
    };
}

/// `?1` the caller's hash, `?2` how many.
pub(super) const PAYERS: &str = payers!(of_caller!());

/// `?1` the practice, `?2` how many.
pub(super) const PAYERS_OF: &str = payers!("?1");

/// `?1` how many. Each step looks up the next name in the index, however many practices have the one before.
pub(super) const ALL_PAYERS: &str = "WITH RECURSIVE n(name) AS (
       SELECT (SELECT p.name FROM payers p ORDER BY p.name LIMIT 1)
       UNION ALL
       SELECT (SELECT p.name FROM payers p WHERE p.name > n.name ORDER BY p.name LIMIT 1) FROM n WHERE n.name IS NOT NULL
       LIMIT CAST(?1 AS INTEGER))
     SELECT json_group_array(json_object('name', name)) AS json FROM n WHERE name IS NOT NULL";
