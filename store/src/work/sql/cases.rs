//! The statements of cases and their levels.

/// A claim as `work::fit::Side` reads it.
macro_rules! side {
    ($claim:literal) => {
        concat!("json_object('payer_name', ", $claim, ".payer_name, 'patient_tag', ", $claim, ".patient_tag)")
    };
}

/// The last level of a case `k`.
macro_rules! last_level {
    () => {
        concat!(
            "json((SELECT json_object(",
            level!(),
            ") FROM case_levels l WHERE l.practice_id = k.practice_id AND l.case_id = k.id ORDER BY l.level DESC LIMIT 1))"
        )
    };
}

/// The levels of a case `k`, in order.
macro_rules! levels {
    () => {
        concat!(
            "json((SELECT json_group_array(json_object(",
            level!(),
            ")) FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l))"
        )
    };
}

/// How many claims of a case `k` are in appeal in it.
macro_rules! in_appeal {
    () => {
        "(SELECT count(*) FROM case_claims m CROSS JOIN claims c
         WHERE m.practice_id = k.practice_id AND m.case_id = k.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
           AND c.case_id = k.id AND c.status = 'in_appeal')"
    };
}

/// The claims of a case `k`, as `work::cases::CaseClaim` reads them.
macro_rules! case_claims {
    () => {
        concat!(
            "json((SELECT json_group_array(json_object('id', c.id, 'claim_number', c.claim_number, 'status', c.status,
         'deadline', ",
    deadline!(),
    ", 'date_of_service', c.date_of_service, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
         'joined_at', c.joined_at, 'outcome', c.outcome, 'decided_at', c.decided_at,
         'amount_recovered', c.paid, 'closing_reason', c.ended_by))
       FROM (SELECT c.*, m.joined_at, m.outcome, m.decided_at, m.recovered_cents AS paid, m.closing_reason AS ended_by
         FROM case_claims m CROSS JOIN claims c
         WHERE m.practice_id = k.practice_id AND m.case_id = k.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
         ORDER BY c.claim_number) c))"
        )
    };
}

pub(crate) use {case_claims, in_appeal, last_level};

/// `?1` the practice, `?2` the claims: each in this order, as `work::cases::Candidate` reads it; null for a claim that
/// the practice does not have.
pub(crate) const CANDIDATES: &str = concat!(
    "SELECT json_group_array(iif(c.id IS NULL, NULL, json_object('claim', ",
    stored!(),
    ", 'side', ",
    side!("c"),
    "))) AS json
     FROM (SELECT c.* FROM json_each(?2) j LEFT JOIN claims c ON c.practice_id = ?1 AND c.id = j.value ORDER BY j.key) c"
);

/// `?1` the practice, `?2` a claim, `?3` a case, as `work::cases::Joining` reads it: the claim, and one claim of the
/// case. No row for another practice's claim.
pub(crate) const JOINING: &str = concat!(
    "SELECT json_object('id', k.id, 'version', k.version, 'levels', ",
    levels!(),
    ", 'was_in', json(iif(EXISTS (SELECT 1 FROM case_claims i
         WHERE i.practice_id = k.practice_id AND i.case_id = k.id AND i.claim_id = c.id), 'true', 'false')),
       'sides', json_array(",
    side!("c"),
    ", ",
    side!("o"),
    ")) AS json
     FROM cases k JOIN claims c ON c.practice_id = k.practice_id AND c.id = ?2
       JOIN case_claims m ON m.practice_id = k.practice_id AND m.case_id = k.id
       JOIN claims o ON o.practice_id = m.practice_id AND o.id = m.claim_id
     WHERE k.practice_id = ?1 AND k.id = ?3 LIMIT 1"
);

/// `?1` the practice, `?2` the case, as `work::cases::StoredCase` reads it.
pub(crate) const CASE: &str = concat!(
    "SELECT json_object('id', k.id, 'version', k.version, 'levels', ",
    levels!(),
    ", 'claims', json((SELECT json_group_array(",
    stored!(),
    ") FROM case_claims m CROSS JOIN claims c WHERE m.practice_id = k.practice_id AND m.case_id = k.id
         AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = k.id AND c.status = 'in_appeal')),
       'elsewhere', json((SELECT json_group_array(json_object('claim', ",
    stored!(),
    ", 'level', json((SELECT json_object(",
    level!(),
    ") FROM case_levels l WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id ORDER BY l.level DESC LIMIT 1))))
       FROM case_claims m CROSS JOIN claims c WHERE m.practice_id = k.practice_id AND m.case_id = k.id
         AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id <> k.id AND c.status = 'in_appeal'))) AS json
     FROM cases k WHERE k.practice_id = ?1 AND k.id = ?2"
);

/// A case `k` in a list.
macro_rules! listed {
    () => {
        concat!(
            "'id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at, 'opened_by', ",
            colleague!("k.opened_by"),
            ", 'claims', (SELECT count(*) FROM case_claims m WHERE m.practice_id = k.practice_id AND m.case_id = k.id),
               'in_appeal', ",
            in_appeal!(),
            ",
               'level', ",
            last_level!()
        )
    };
}

/// The cases of a list.
macro_rules! list {
    ($found:literal) => {
        concat!(
            "SELECT json_group_array(json_object(",
            listed!(),
            ")) AS json FROM (",
            $found,
            " LIMIT CAST(?3 AS INTEGER)) k"
        )
    };
}

/// `?1` the practice, `?2` the case to start after, `?3` how many.
pub(crate) const LIST: &str = list!("SELECT * FROM cases WHERE practice_id = ?1 AND id < ?2 ORDER BY id DESC");

/// The same of the payer `?4` only.
pub(crate) const LIST_OF_PAYER: &str = list!(
    "SELECT * FROM cases INDEXED BY cases_of_payer
     WHERE practice_id = ?1 AND payer_name = ?4 COLLATE NOCASE AND id < ?2 ORDER BY id DESC"
);

/// The same of the claim `?5` only, and of the payer `?4` unless it is NULL.
pub(crate) const LIST_OF_CLAIM: &str = list!(
    "SELECT o.* FROM case_claims m INDEXED BY case_claims_of_claim CROSS JOIN cases o
     WHERE m.practice_id = ?1 AND m.claim_id = ?5 AND m.case_id < ?2 AND o.practice_id = m.practice_id AND o.id = m.case_id
       AND (?4 IS NULL OR o.payer_name = ?4 COLLATE NOCASE)
     ORDER BY m.case_id DESC"
);

/// A page of the cases of all practices whose patient data may be read, sorted by `$key`; `$more` narrows it. `?1` the
/// states: 1 for open cases, 0 for the others; `?2` and `?3` the key and id to start after, `?4` how many, `?5` the day
/// that every key comes before. Each state is one range of an index, read in order for at most one page.
macro_rules! all {
    ($key:literal, $of:literal, $more:literal) => {
        concat!(
            "SELECT json_group_array(json_object(",
            listed!(),
            ", 'practice', ",
            practice!("k"),
            ", 'version', k.version, 'due', k.due, 'ask_on', nullif(k.ask_on, '~'))) AS json
             FROM (SELECT k.* FROM json_each(?1) o CROSS JOIN json_each((SELECT json_group_array(json(of)) FROM (
                 SELECT json_array(q.practice_id, q.id) AS of FROM cases q
                 WHERE q.is_open = o.value AND (",
            $key,
            ", q.id) > (?2, ?3) AND ",
            $key,
            " < ?5 AND ",
            $more,
            readable!("q.practice_id"),
            " ORDER BY ",
            $key,
            ", q.id LIMIT CAST(?4 AS INTEGER)))) r
               CROSS JOIN cases k ON k.practice_id = r.value ->> 0 AND k.id = r.value ->> 1
               ORDER BY ",
            $of,
            ", k.id LIMIT CAST(?4 AS INTEGER)) k"
        )
    };
}

/// A page of the cases of all practices.
pub(crate) const ALL: &str = all!("ifnull(q.due, '~')", "ifnull(k.due, '~')", "");

/// The same for the practice `?6`.
pub(crate) const ALL_OF_PRACTICE: &str = all!("ifnull(q.due, '~')", "ifnull(k.due, '~')", "q.practice_id = ?6 AND ");

/// A page of the cases that wait for the payer's decision, sorted by the day on which to ask for it.
pub(crate) const AWAITING: &str = all!("q.ask_on", "k.ask_on", "");

/// The same for the practice `?6`.
pub(crate) const AWAITING_OF_PRACTICE: &str = all!("q.ask_on", "k.ask_on", "q.practice_id = ?6 AND ");

/// `?1` the practice, `?2` the case, as `work::cases::StoredCaseView` reads it.
pub(crate) const VIEW: &str = concat!(
    "SELECT json_object('case', json_object('id', k.id, 'practice', ",
    practice!("k"),
    ", 'version', k.version, 'payer_name', k.payer_name, 'opened_at', k.opened_at, 'opened_by', ",
    colleague!("k.opened_by"),
    ", 'claims', ",
    case_claims!(),
    ",
       'levels', json((SELECT json_group_array(json_object(",
    level!(),
    ", 'begun_at', l.begun_at, 'begun_by', ",
    colleague!("l.begun_by"),
    ")) FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l))),
       'appealed', json((SELECT json_group_array(json_object('id', c.id, 'version', c.version, 'taken_by', ",
    colleague!("c.taken_by"),
    ", 'signing_status', c.signing_status))
         FROM case_claims m CROSS JOIN claims c WHERE m.practice_id = k.practice_id AND m.case_id = k.id
           AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = k.id AND c.status = 'in_appeal'))) AS json
     FROM cases k WHERE k.practice_id = ?1 AND k.id = ?2"
);

/// `?1` the practice, `?2` the case, `?3` the version that was read.
pub(crate) const GUARD: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM cases WHERE practice_id = ?1 AND id = ?2 AND version = ?3)";

/// `?1` the practice, `?2` the case, `?3` the payer, `?4` now, `?5` the person who opens it.
pub(crate) const INSERT: &str =
    "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` the practice, `?2` the case, `?3` its new version.
pub(crate) const UPDATE_VERSION: &str =
    "UPDATE cases SET version = CAST(?3 AS INTEGER) WHERE practice_id = ?1 AND id = ?2";

/// `?1` the practice, `?2` the case, `?3` the level, `?4` its kind, `?5` to `?8` its due, filing and decision dates and
/// its outcome, `?9` now, `?10` the person who begins it, `?11` and `?12` the day by which the payer must decide and its
/// source, `?13` the day to ask.
pub(crate) const UPSERT_LEVEL: &str =
    "INSERT INTO case_levels (practice_id, case_id, level, kind, due_on, filed_on, decided_on, outcome, begun_at, begun_by,
       decision_due, decision_source, follow_up_on)
     VALUES (?1, ?2, CAST(?3 AS INTEGER), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
     ON CONFLICT (practice_id, case_id, level) DO UPDATE SET kind = excluded.kind, due_on = excluded.due_on,
       filed_on = excluded.filed_on, decided_on = excluded.decided_on, outcome = excluded.outcome,
       decision_due = excluded.decision_due, decision_source = excluded.decision_source,
       follow_up_on = excluded.follow_up_on";

/// `?1` the practice, `?2` the case, `?3` the claims, `?4` now. A claim that returns to its case is undecided again.
pub(crate) const INSERT_CLAIMS: &str = "INSERT INTO case_claims (practice_id, case_id, claim_id, joined_at)
     SELECT ?1, ?2, j.value, ?4 FROM json_each(?3) j WHERE true
     ON CONFLICT (practice_id, case_id, claim_id)
     DO UPDATE SET outcome = NULL, recovered_cents = NULL, closing_reason = NULL, decided_at = NULL";

/// `?1` the practice, `?2` the case, `?3` the claim, `?4` the outcome, `?5` the amount as text, `?6` the reason, `?7`
/// now. A corrected amount is no new result.
pub(crate) const UPDATE_OUTCOME: &str =
    "UPDATE case_claims SET outcome = ?4, closing_reason = ?6, decided_at = iif(outcome IS ?4, coalesce(decided_at, ?7), ?7),
       recovered_cents = CAST(?5 AS INTEGER)
     WHERE practice_id = ?1 AND case_id = ?2 AND claim_id = ?3";
