//! The statements of the staff's queue, the only ones that cover all practices.

/// A page of the claims `c` that this query finds, as `work::queue::FoundQueue` reads it: as many as fit into one value of
/// the database. Text counts with the most bytes that its characters can have.
macro_rules! page {
    ($($found:expr),+ $(,)?) => {
        concat!(
            "WITH found AS (SELECT c.*, sum(1500 + 4 * length(c.claim_number) + 4 * length(c.payer_name)
                 + length(c.adjustment_codes)) OVER (ORDER BY ifnull(c.appeal_due, '~'), c.id) AS size
               FROM (SELECT c.* FROM ",
            $($found,)+
            " ORDER BY ifnull(c.appeal_due, '~'), c.id LIMIT CAST(?4 AS INTEGER)) c)
             SELECT json_object('cut', json(iif(max(c.size) > 1900000, 'true', 'false')), 'claims',
               json_group_array(json_object('id', c.id, 'practice', ",
            practice!("c"),
            ", 'claim_number', c.claim_number, 'status', c.status, 'signing_status', c.signing_status, 'taken_by', ",
            colleague!("c.taken_by"),
            ", 'deadline', ",
            deadline!(),
            ", 'letter', ",
            letter!(),
            ", 'payer_name', c.payer_name, 'plan_type', c.plan_type, 'date_of_service', c.date_of_service,
               'denial_date', c.denial_date, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
               'denial_codes', json(c.adjustment_codes), 'received_at', c.received_at, 'version', c.version,
               'report_id', c.report_id, 'case_id', c.case_id, 'updated_at', c.updated_at, 'link', ",
            kept_link!(),
            ")) FILTER (WHERE c.size <= 1900000)) AS json FROM found c"
        )
    };
}

/// True if a claim `q` comes after the cursor and passes every filter except status and number. Claims of a practice
/// whose patient data may not be read pass none.
macro_rules! passes {
    () => {
        concat!(
            "(ifnull(q.appeal_due, '~'), q.id) > (?2, ?3) AND ifnull(q.appeal_due, '~') <= ?12 AND ",
            readable!("q.practice_id"),
            " AND (?5 IS NULL OR q.practice_id = ?5) AND (?6 IS NULL OR lower(q.payer_name) = lower(?6))
              AND (?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(q.adjustment_codes) a WHERE a.value = ?7))
              AND (?8 IS NULL OR q.received_at >= ?8) AND (?9 IS NULL OR q.received_at < ?9)
              AND (?13 IS NULL OR q.signing_status = 'needed' AND q.status NOT IN ('recovered', 'closed')
                AND ?13 = iif(EXISTS (SELECT 1 FROM signing_links l
                WHERE l.practice_id = q.practice_id AND l.claim_id = q.id AND l.revoked_at IS NULL AND l.used_at IS NULL
                  AND l.expires_at > ?14 AND l.attempts < ?15), 'waiting', 'link_dead'))
              AND (?10 IS NULL OR ifnull(q.taken_by, '') = CASE ?10 WHEN 'me' THEN (SELECT user_id FROM callers WHERE hash = ?11)
                WHEN 'nobody' THEN '' ELSE ?10 END)"
        )
    };
}

/// `?1` the statuses, `?2` and `?3` the deadline and id to start after, `?4` how many, `?5` the practice, `?6` the
/// payer, `?7` the code, `?8` received from, `?9` received before, `?10` the holder (`me`, `nobody` or an
/// account), all NULL for any; `?11` the caller's hash, `?12` the last deadline, `?13` the state of the patient's signature or
/// NULL for any, `?14` now, `?15` the most wrong dates of birth of a link.
///
/// Each status is one range of the index, read in order for at most one page. The page has the first claims of all
/// ranges.
pub(crate) const QUEUE: &str = page!(
    "json_each(?1) s CROSS JOIN json_each((SELECT json_group_array(json(of)) FROM (
       SELECT json_array(q.practice_id, q.claim_number) AS of FROM claims q WHERE q.status = s.value AND ",
    passes!(),
    " ORDER BY ifnull(q.appeal_due, '~'), q.id LIMIT CAST(?4 AS INTEGER)))) r
     CROSS JOIN claims c ON c.practice_id = r.value ->> 0 AND c.claim_number = r.value ->> 1",
);

/// The same, `?16` the claim number.
///
/// A claim number is unique within a practice, and the index of each practice's numbers finds it. This takes one lookup
/// for each practice, however many claims there are. An index on the number alone would need one lookup, but would cost
/// one more row for every claim sent.
pub(crate) const OF_NUMBER: &str = page!(
    "(SELECT ?5 AS id WHERE ?5 IS NOT NULL UNION ALL SELECT p.id FROM practices p WHERE ?5 IS NULL) p
     CROSS JOIN claims c ON c.practice_id = p.id AND c.claim_number = ?16
     WHERE EXISTS (SELECT 1 FROM claims q WHERE q.practice_id = c.practice_id AND q.claim_number = c.claim_number
       AND q.status IN (SELECT value FROM json_each(?1)) AND ",
    passes!(),
    ")",
);
