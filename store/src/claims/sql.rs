//! The statements of claims. Each names the practice.
//!
//! Many rows travel as one JSON parameter and come back as one JSON text. So 64-bit integers stay exact, and one claim
//! takes as many statements as a hundred. `edge/migrations` explains the tables.

pub(crate) mod counts;
pub(crate) mod mismatches;

/// Claims `c` as `rows::stored_claims` reads them.
macro_rules! stored_claims {
    () => {
        "json_group_array(json_array(c.claim_number, c.id, c.status, c.key_version, c.patient_tag, c.procedure_tag,
           c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents, c.present))"
    };
}

/// True if a correction `j` changes anything of the claim `c`.
macro_rules! corrects {
    () => {
        "(c.payer_claim_number <> j.value ->> 'payer_claim_number'
          OR c.billed_cents IS NOT coalesce(j.value ->> 'billed', c.billed_cents)
          OR c.denied_cents IS NOT coalesce(j.value ->> 'denied', c.denied_cents))"
    };
}

/// The values of the claim `c` that a correction can change, before it.
macro_rules! before {
    () => {
        "json_object('payer_claim_number', c.payer_claim_number, 'billed_cents', c.billed_cents,
         'denied_cents', c.denied_cents)"
    };
}

/// The same values after the correction `j`.
macro_rules! after {
    () => {
        "json_object('payer_claim_number', j.value ->> 'payer_claim_number',
         'billed_cents', coalesce(j.value ->> 'billed', c.billed_cents),
         'denied_cents', coalesce(j.value ->> 'denied', c.denied_cents))"
    };
}

pub(crate) mod fills;

/// `?1` the key's hash: the key and the practice's newest data key. No row for an unknown key.
pub(crate) const CREDENTIAL_TO_SEND: &str = concat!(
    "SELECT json_array(",
    credential!(),
    ", ",
    data_key!("k.practice_id"),
    ") AS json FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = ?1"
);

/// The claims with the numbers `?2`, and the mismatches of the day `?3`, of the practice of a credential with hash `?1`. No
/// row for an unknown credential.
macro_rules! claims_of {
    ($credentials:literal) => {
        concat!(
            "SELECT json_array(json((SELECT ",
            stored_claims!(),
            " FROM claims c WHERE c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each(?2)))),
       json((SELECT json_group_array(json_array(nullif(m.claim_id, ''), m.count, m.told)) FROM mismatches m
        WHERE m.day = ?3 AND m.practice_id = k.practice_id))) AS json
     FROM ",
            $credentials,
            " k WHERE k.hash = ?1"
        )
    };
}

/// For an API key, see `claims_of`.
pub(crate) const CLAIMS_OF_KEY: &str = claims_of!("api_keys");

/// For a person, see `claims_of`.
pub(crate) const CLAIMS_OF_PERSON: &str = claims_of!("callers");

/// `?1` the practice, `?2` the claim numbers, `?3` the submission. The result of a plan, as `rows::outcome` reads it:
/// claims that are exactly as created are only counted, all others are read in full.
pub(crate) const OUTCOME: &str = concat!(
    "SELECT json_array(coalesce(sum(c.created), 0), ",
    stored_claims!(),
    " FILTER (WHERE NOT c.created)) AS json
     FROM (SELECT *, submission_id = ?3 AND status = 'received' AS created FROM claims
           WHERE practice_id = ?1 AND claim_number IN (SELECT value FROM json_each(?2))) c"
);

/// `?1` the practice, `?2` the submission, `?3` now, `?4` the claims, each an array in the order of the columns. A
/// number that is taken keeps its claim. Each claim is parsed once and kept as binary JSON; with text, every `->>`
/// would parse it again. Change numbers continue from the practice's last one, in the order of commits.
pub(crate) const INSERT_CLAIMS: &str = concat!(
    "WITH f AS MATERIALIZED (SELECT jsonb(value) AS claim, key + 1 AS n FROM json_each(?4)), ",
    base!(),
    "
     INSERT INTO claims (practice_id, submission_id, received_at, updated_at, claim_number, id, payer_claim_number,
       payer_name, date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag,
       procedure_tag, key_version, sealed, appeal_due, appeal_due_from, present, changed)
     SELECT ?1, ?2, ?3, ?3, claim ->> 0, claim ->> 1, claim ->> 2, claim ->> 3, claim ->> 4, claim ->> 5, claim ->> 6,
       claim ->> 7, claim ->> 8, claim -> 9, claim ->> 10, claim ->> 11, claim ->> 12, claim ->> 13,
       claim ->> 14, iif(claim ->> 14 IS NULL, NULL, 'rule'), claim ->> 15, base.n + f.n
     FROM base, f WHERE true
     ON CONFLICT (practice_id, claim_number) DO NOTHING"
);

/// `?1` the practice, `?2` the corrections, `?3` now, `?4` the actor, `?5` the request. Runs before the claims change,
/// so that it can read the old values.
pub(crate) const INSERT_CORRECTED_EVENTS: &str = concat!(
    "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
     SELECT ?1, c.id, c.version + 1, ?3, 'corrected', c.status, ?4, ?5,
       json_object('before', ",
    before!(),
    ", 'after', ",
    after!(),
    ")
     FROM json_each(?2) j CROSS JOIN claims c
     WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id' AND ",
    corrects!()
);

/// `?1` the practice, `?2` the corrections, `?3` now. Materialized, because SQLite would otherwise loop over all claims
/// first.
pub(crate) const UPDATE_CORRECTED: &str = concat!(
    "WITH f AS MATERIALIZED (
       SELECT c.practice_id, c.claim_number, j.key + 1 AS n, j.value ->> 'payer_claim_number' AS payer_claim_number,
         coalesce(j.value ->> 'billed', c.billed_cents) AS billed,
         coalesce(j.value ->> 'denied', c.denied_cents) AS denied
       FROM json_each(?2) j CROSS JOIN claims c
       WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id' AND ",
    corrects!(),
    "), ",
    base!(),
    "
     UPDATE claims SET payer_claim_number = f.payer_claim_number, billed_cents = f.billed, denied_cents = f.denied,
       version = version + 1, updated_at = ?3, changed = base.n + f.n
     FROM base, f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number AND +claims.practice_id = ?1"
);
