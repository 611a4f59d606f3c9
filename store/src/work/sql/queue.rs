//! The statements of the staff's queue, the only ones that cover all practices.

/// A page of the claims `c` that this query finds, as `work::queue::FoundQueue` reads it: as many as fit into one value of
/// the database. Text counts with the most bytes that its characters can have. `$way` is `DESC` for the reverse order.
macro_rules! page {
    ($way:literal, $more:expr, $found:expr) => {
        concat!(
            "WITH found AS (SELECT c.*, sum(1500 + 4 * length(c.claim_number) + 4 * length(c.payer_name)
                 + length(c.adjustment_codes)) OVER (ORDER BY ifnull(c.appeal_due, '~') ",
            $way,
            ", c.id ",
            $way,
            ") AS size
               FROM (SELECT c.* FROM ",
            $found,
            " ORDER BY ifnull(c.appeal_due, '~') ",
            $way,
            ", c.id ",
            $way,
            " LIMIT CAST(?4 AS INTEGER)) c)
             SELECT json_object(",
            $more,
            ", 'cut', json(iif(max(c.size) > 1900000, 'true', 'false')), 'claims',
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

/// True if a claim `q` comes after the cursor and is in the range of deadlines. `$after` and `$last` compare in the order of
/// the page. SQLite seeks no row value in an index of an expression, so the deadline of the cursor is compared alone as well.
macro_rules! within {
    ($after:literal, $last:literal) => {
        concat!(
            "(ifnull(q.appeal_due, '~'), q.id) ",
            $after,
            " (?2, ?3) AND ifnull(q.appeal_due, '~') ",
            $after,
            "= ?2 AND ifnull(q.appeal_due, '~') ",
            $last,
            " ?12"
        )
    };
}

/// True if a claim `q` passes every filter except status, number and deadline. Claims of a practice whose patient data may
/// not be read pass none.
macro_rules! passes {
    () => {
        concat!(
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

/// The claims `q` of the statuses and deadlines, at most `?16`.
macro_rules! counted {
    ($columns:literal, $after:literal, $last:literal) => {
        concat!(
            "(SELECT ",
            $columns,
            " FROM json_each(?1) s CROSS JOIN claims q WHERE q.status = s.value AND ",
            within!($after, $last),
            " LIMIT CAST(?16 AS INTEGER)) q"
        )
    };
}

/// A page of the queue. Each status is one range of the index, read in order for at most one page. The page has the first
/// claims of all ranges. The count looks at a bounded number of claims.
macro_rules! queue {
    ($way:literal, $after:literal, $last:literal) => {
        page!(
            $way,
            concat!(
                "'count', json(iif(?16 IS NULL, NULL, (SELECT json_object('passed', (SELECT count(*) FROM (SELECT 1 FROM ",
                counted!(
                    "q.practice_id, q.id, q.status, q.signing_status, q.payer_name, q.adjustment_codes, q.received_at, q.taken_by",
                    $after,
                    $last
                ),
                " WHERE ",
                passes!(),
                " LIMIT CAST(?17 AS INTEGER))), 'scanned', (SELECT count(*) FROM ",
                counted!("1", $after, $last),
                ")))))"
            ),
            concat!(
                "json_each(?1) s CROSS JOIN json_each((SELECT json_group_array(json(of)) FROM (
       SELECT json_array(q.practice_id, q.claim_number) AS of FROM claims q WHERE q.status = s.value AND ",
                within!($after, $last),
                " AND ",
                passes!(),
                " ORDER BY ifnull(q.appeal_due, '~') ",
                $way,
                ", q.id ",
                $way,
                " LIMIT CAST(?4 AS INTEGER)))) r
     CROSS JOIN claims c ON c.practice_id = r.value ->> 0 AND c.claim_number = r.value ->> 1"
            )
        )
    };
}

/// The claims of a number.
///
/// A claim number is unique within a practice, and the index of each practice's numbers finds it. This takes one lookup
/// for each practice, however many claims there are. An index on the number alone would need one lookup, but would cost
/// one more row for every claim sent.
macro_rules! of_number {
    ($way:literal, $after:literal, $last:literal) => {
        page!(
            $way,
            "'count', NULL",
            concat!(
                "(SELECT ?5 AS id WHERE ?5 IS NOT NULL UNION ALL SELECT p.id FROM practices p WHERE ?5 IS NULL) p
     CROSS JOIN claims c ON c.practice_id = p.id AND c.claim_number = ?16
     WHERE EXISTS (SELECT 1 FROM claims q WHERE q.practice_id = c.practice_id AND q.claim_number = c.claim_number
       AND q.status IN (SELECT value FROM json_each(?1)) AND ",
                within!($after, $last),
                " AND ",
                passes!(),
                ")"
            )
        )
    };
}

/// `?1` the statuses, `?2` and `?3` the deadline and id to start after, `?4` how many, `?5` the practice, `?6` the
/// payer, `?7` the code, `?8` received from, `?9` received before, `?10` the holder (`me`, `nobody` or an
/// account), all NULL for any; `?11` the caller's hash, `?12` the last deadline, `?13` the state of the patient's signature or
/// NULL for any, `?14` now, `?15` the most wrong dates of birth of a link, `?16` how many claims to look at for the count or
/// NULL for none, `?17` how many to count.
pub(crate) const QUEUE: &str = queue!("", ">", "<=");

/// The same in the reverse order. `?12` is the first deadline.
pub(crate) const QUEUE_LATEST: &str = queue!("DESC", "<", ">=");

/// The same as [`QUEUE`] up to `?15`, `?16` the claim number.
pub(crate) const OF_NUMBER: &str = of_number!("", ">", "<=");

/// The same in the reverse order.
pub(crate) const OF_NUMBER_LATEST: &str = of_number!("DESC", "<", ">=");

/// Claims that are still `received`, found by the tags of a patient among the first `?3` claims `q` of this range.
macro_rules! of_patient {
    ($range:expr) => {
        page!(
            "",
            concat!(
                "'scanned', (SELECT count(*) FROM (SELECT 1 FROM claims q WHERE ",
                $range,
                " ORDER BY ifnull(q.appeal_due, '~'), q.id LIMIT CAST(?3 AS INTEGER)))"
            ),
            concat!(
                "(SELECT * FROM (SELECT r.* FROM json_each(?1) t CROSS JOIN claims r INDEXED BY claims_of_patient
           WHERE r.practice_id = t.value ->> 0 AND r.patient_tag = t.value ->> 1 AND r.status <> 'received'
           LIMIT CAST(?4 AS INTEGER))
         UNION ALL
         SELECT * FROM (SELECT n.* FROM (SELECT q.practice_id, q.claim_number, q.patient_tag, q.status FROM claims q WHERE ",
                $range,
                " ORDER BY ifnull(q.appeal_due, '~'), q.id LIMIT CAST(?3 AS INTEGER)) f
           CROSS JOIN claims n ON n.practice_id = f.practice_id AND n.claim_number = f.claim_number
           WHERE f.status = 'received' AND f.patient_tag IN (SELECT value ->> 1 FROM json_each(?1))
           LIMIT CAST(?4 AS INTEGER))) c"
            )
        )
    };
}

/// `?1` the tags of a patient, each an array of practice and tag, `?3` how many claims to look at, `?4` how many claims at most, as
/// `work::patients::FoundPatient` reads it.
///
/// Claims whose review began are in an index by patient. Claims that are still `received` are not, because that would cost
/// a row for each claim of a send: they are searched among those that are due first.
pub(crate) const OF_PATIENT: &str = of_patient!("q.status = 'received'");

/// The same for one practice `?2`.
pub(crate) const OF_PATIENT_IN: &str =
    of_patient!("q.practice_id = ?2 AND q.status IN ('received', 'reviewing', 'in_report', 'in_appeal')");

/// `?1` the practice or NULL for all, `?2` how many: the practices whose claims may be read, each with its newest data key, as
/// `work::patients::SearchedPractice` reads them.
pub(crate) const SEARCHED: &str = concat!(
    "SELECT json_group_array(json_object('id', of.id, 'data_key', ",
    data_key!("of.id"),
    ")) AS json FROM (SELECT o.id FROM practices o WHERE (?1 IS NULL OR o.id = ?1) AND ",
    readable!("o.id"),
    " ORDER BY o.id LIMIT CAST(?2 AS INTEGER)) of"
);
