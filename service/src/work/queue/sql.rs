//! The SQL of the queue and of lists like it: over all practices whose patient data may be read.

/// A page of the claims `c` that this query finds, with `claims` and `cut`: as many as fit into one value of the database.
/// Text counts with the most bytes that its characters can have. `$day` is what they are ordered by, and `$way` is `DESC` for
/// the reverse order. The values of a claim are parts of [`crate::work::sql`].
macro_rules! claims_page {
    ($day:literal, $way:literal, $more:expr, $found:expr) => {
        concat!(
            "WITH found AS (SELECT c.*, sum(1500 + 4 * length(c.claim_number) + 4 * length(c.payer_name)
                 + length(c.adjustment_codes)) OVER (ORDER BY c.day ",
            $way,
            ", c.id ",
            $way,
            ") AS size
               FROM (SELECT c.*, ",
            $day,
            " AS day FROM ",
            $found,
            " ORDER BY day ",
            $way,
            ", c.id ",
            $way,
            " LIMIT CAST({limit} AS INTEGER)) c)
             SELECT json_object(",
            $more,
            ", 'cut', json(iif(max(c.size) > 1900000, 'true', 'false')), 'claims',
               json_group_array(json_object('id', c.id, 'practice', {CLAIM_PRACTICE}, 'claim_number', c.claim_number,
                 'status', c.status, 'signing_status', c.signing_status, 'taken_by', {TAKEN_BY}, 'deadline', {DEADLINE},
                 'letter', {LETTER}, 'payer_name', c.payer_name, 'plan_type', c.plan_type,
                 'date_of_service', c.date_of_service, 'denial_date', c.denial_date, 'billed_amount', c.billed_cents,
                 'denied_amount', c.denied_cents, 'denial_codes', json(c.adjustment_codes), 'received_at', c.received_at,
                 'version', c.version, 'report_id', c.report_id, 'case_id', c.case_id, 'updated_at', c.updated_at,
                 'ask_on', (SELECT nullif(k.ask_on, '~') FROM cases k WHERE c.status = 'in_appeal'
                   AND k.practice_id = c.practice_id AND k.id = c.case_id),
                 'was_paid', json(iif(c.recovered_cents IS NULL, 'false', 'true')), 'link', {KEPT_LINK})) FILTER (WHERE c.size <= 1900000)) AS json FROM found c"
        )
    };
}
pub(in crate::work) use claims_page;

/// True if a claim `q` comes after the cursor and its day is in the range. `$after` and `$last` compare in the order of the
/// page. SQLite seeks no row value in an index of an expression, so the day of the cursor is compared alone as well.
macro_rules! within {
    ($day:literal, $after:literal, $last:literal) => {
        concat!(
            "(",
            $day,
            ", q.id) ",
            $after,
            " ({due}, {id}) AND ",
            $day,
            " ",
            $after,
            "= {due} AND ",
            $day,
            " ",
            $last,
            " {last}"
        )
    };
}

/// The claims with a status: one range of the index, read in order for at most one page.
macro_rules! of_status {
    () => {
        "claims q WHERE q.sandbox = 0 AND q.status = s.value AND "
    };
}

/// The claims of cases that wait for the payer's decision, for which a person asks on a day: a range of an index of the
/// cases.
macro_rules! to_ask {
    () => {
        "cases k CROSS JOIN case_claims m CROSS JOIN claims q WHERE s.value = 'in_appeal' AND k.is_open = 1 AND k.sandbox = 0
           AND m.practice_id = k.practice_id AND m.case_id = k.id AND q.practice_id = m.practice_id AND q.id = m.claim_id
           AND q.case_id = k.id AND q.status = 'in_appeal' AND "
    };
}

/// How many of the claims `$of` within these days pass. It looks at a bounded number of them.
macro_rules! counted {
    ($of:expr, $within:expr) => {
            concat!(
                "'count', json(iif({scans} IS NULL, NULL, (SELECT json_object('passed', (SELECT count(*) FROM (SELECT 1 FROM
                   (SELECT q.practice_id, q.id, q.status, q.signing_status, q.payer_name, q.adjustment_codes, q.received_at,
                      q.taken_by FROM json_each({statuses}) s CROSS JOIN ",
                $of,
                $within,
                " LIMIT CAST({scans} AS INTEGER)) q WHERE {PASSES} LIMIT CAST({counts} AS INTEGER))), 'scanned',
                   (SELECT count(*) FROM (SELECT 1 FROM json_each({statuses}) s CROSS JOIN ",
                $of,
                $within,
                " LIMIT CAST({scans} AS INTEGER)) q)))))"
            )
    };
}

/// The first claims `c` of all statuses, by what `$by` says. `$from` are those of one status.
macro_rules! first {
    ($by:expr, $way:literal, $from:expr) => {
        concat!(
            "json_each({statuses}) s CROSS JOIN json_each((SELECT json_group_array(json(of)) FROM (
       SELECT json_array(q.practice_id, q.claim_number, ",
            $by,
            ") AS of FROM ",
            $from,
            " AND {PASSES} ORDER BY ",
            $by,
            " ",
            $way,
            ", q.id ",
            $way,
            " LIMIT CAST({limit} AS INTEGER)))) r
     CROSS JOIN claims c ON c.practice_id = r.value ->> 0 AND c.claim_number = r.value ->> 1"
        )
    };
}

/// A page of the queue by a day.
macro_rules! queue {
    ($day:literal, $way:literal, $after:literal, $last:literal, $of:expr) => {
        claims_page!(
            "r.value ->> 2",
            $way,
            counted!($of, within!($day, $after, $last)),
            first!($day, $way, concat!($of, within!($day, $after, $last)))
        )
    };
}
pub(super) const EARLIEST: &str = queue!("ifnull(q.appeal_due, '~')", "", ">", "<=", of_status!());
pub(super) const LATEST: &str = queue!("ifnull(q.appeal_due, '~')", "DESC", "<", ">=", of_status!());
pub(super) const TO_ASK: &str = queue!("k.ask_on", "", ">", "<=", to_ask!());
pub(super) const TO_ASK_LATEST: &str = queue!("k.ask_on", "DESC", "<", ">=", to_ask!());

/// What a claim `q` is sorted by if not by a day: its arrival or its denied amount, as text of equal length.
macro_rules! value {
    () => {
        "CASE {by} WHEN 'arrived' THEN printf('%019d', q.received_at)
           ELSE iif(q.denied_cents IS NULL, {nothing}, printf('%019d', q.denied_cents)) END"
    };
}

/// A page of the queue by a value that no index has: of each status, it sorts the claims with the earliest days, up to a
/// bounded number.
macro_rules! by_value {
    ($day:literal, $way:literal, $after:literal, $of:expr) => {
        claims_page!(
            "r.value ->> 2",
            $way,
            counted!($of, concat!($day, " >= {first} AND ", $day, " <= {last}")),
            first!(
                value!(),
                $way,
                concat!(
                    "(SELECT q.practice_id, q.claim_number, q.id, q.status, q.signing_status, q.payer_name,
         q.adjustment_codes, q.received_at, q.taken_by, q.denied_cents FROM ",
                    $of,
                    $day,
                    " >= {first} AND ",
                    $day,
                    " <= {last} ORDER BY ",
                    $day,
                    ", q.id LIMIT CAST({most} AS INTEGER)) q WHERE (",
                    value!(),
                    ", q.id) ",
                    $after,
                    " ({due}, {id})"
                )
            )
        )
    };
}
pub(super) const LEAST: &str = by_value!("ifnull(q.appeal_due, '~')", "", ">", of_status!());
pub(super) const MOST: &str = by_value!("ifnull(q.appeal_due, '~')", "DESC", "<", of_status!());
pub(super) const TO_ASK_LEAST: &str = by_value!("k.ask_on", "", ">", to_ask!());
pub(super) const TO_ASK_MOST: &str = by_value!("k.ask_on", "DESC", "<", to_ask!());

/// The claims of a number.
///
/// A claim number is unique within a practice, and the index of each practice's numbers finds it. This takes one lookup
/// for each practice, however many claims there are. An index on the number alone would need one lookup, but would cost
/// one more row for every claim sent.
macro_rules! of_number {
    ($way:literal, $after:literal, $last:literal) => {
        claims_page!(
            "ifnull(c.appeal_due, '~')",
            $way,
            "'count', NULL",
            concat!(
                "(SELECT {practice} AS id WHERE {practice} IS NOT NULL
                  UNION ALL SELECT p.id FROM practices p WHERE {practice} IS NULL AND p.sandbox_of IS NULL) p
     CROSS JOIN claims c ON c.practice_id = p.id AND c.claim_number = {number}
     WHERE EXISTS (SELECT 1 FROM claims q WHERE q.practice_id = c.practice_id AND q.claim_number = c.claim_number
       AND q.status IN (SELECT value FROM json_each({statuses})) AND ",
                within!("ifnull(q.appeal_due, '~')", $after, $last),
                " AND {PASSES})"
            )
        )
    };
}
pub(super) const OF_NUMBER: &str = of_number!("", ">", "<=");
pub(super) const OF_NUMBER_LATEST: &str = of_number!("DESC", "<", ">=");
