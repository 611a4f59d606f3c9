//! What a send reads: the caller, claims by number, and claims to open.

use crate::auth::key::Credential;
use crate::sql::select;
use crate::store::Query;
use crate::store::json::json;
use crate::store::rows::{self, ShapeError};
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{ClaimToOpen, MismatchCounts, MismatchRow, StoredClaim};

/// A credential, and the newest data key of its practice.
pub type CredentialToSend = (Option<Credential>, Option<StoredDataKey>);

/// Claims with the numbers of a send, and the mismatches of the day.
pub type ClaimsOfSend = Query<(Vec<StoredClaim>, MismatchCounts)>;

/// The columns of a claim `c`, in the order of [`StoredClaim`].
pub(super) const STORED: &str =
    "json_group_array(json_array(c.claim_number, c.id, c.status, c.key_version, c.patient_tag,
       c.procedure_tag, c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents, c.present))";

/// The claims with these numbers and the mismatches of the day, of the practice of a credential `k`. Many rows travel as one
/// JSON text. So 64-bit integers stay exact, and one claim takes as many statements as a hundred.
const CLAIMS: &str = "SELECT json_array(
       json((SELECT {STORED} FROM claims c
             WHERE c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each({numbers})))),
       json((SELECT json_group_array(json_array(nullif(m.claim_id, ''), m.count, m.told)) FROM mismatches m
             WHERE m.day = {day} AND m.practice_id = k.practice_id))) AS json";

/// The queries of a send with a key: the credential with its practice's data key, then the practice's claims with these
/// numbers and the mismatches of the day.
#[must_use]
pub fn of_key(key_hash: &str, numbers: &[&str], day: Date) -> (Query<CredentialToSend>, ClaimsOfSend) {
    let numbers = json(&numbers);
    let claims = select!(
        "claims.of_key", "{CLAIMS} FROM api_keys k WHERE k.hash = {key_hash}" [CLAIMS, STORED]; key_hash, numbers, day
    );
    (credential(key_hash), claims.read(stored))
}

/// The same claims for a person.
pub(super) fn of_person(credential: &str, numbers: &[&str], day: Date) -> ClaimsOfSend {
    let numbers = json(&numbers);
    let claims = select!(
        "claims.of_person", "{CLAIMS} FROM callers k WHERE k.hash = {credential}" [CLAIMS, STORED];
        credential, numbers, day
    );
    claims.read(stored)
}

fn stored(json: Option<&str>) -> Result<(Vec<StoredClaim>, MismatchCounts), ShapeError> {
    let read: Option<(Vec<StoredClaim>, Vec<MismatchRow>)> = rows::one(json)?;
    let (claims, counts) = read.unwrap_or_default();
    Ok((claims, counts.into_iter().collect()))
}

/// The credential and the data key of its practice. No row for an unknown key.
pub(crate) fn credential(key_hash: &str) -> Query<CredentialToSend> {
    const CREDENTIAL: &str = credential!();
    const DATA_KEY: &str = data_key!("k.practice_id");
    select!(
        "claims.credential_to_send",
        "SELECT json_array({CREDENTIAL}, {DATA_KEY}) AS json FROM api_keys k JOIN practices p ON p.id = k.practice_id
         WHERE k.hash = {key_hash}" [CREDENTIAL, DATA_KEY];
        key_hash
    )
    .or_default()
}

/// How many claims one statement reads for opening: their sealed parts fit into one database value.
const OPENED_AT_ONCE: usize = 10;

/// Claims of a practice to open, a few in each statement.
#[must_use]
pub(crate) fn to_open(practice: PracticeId, claims: &[ClaimId]) -> Vec<Query<Vec<ClaimToOpen>>> {
    const DEADLINE: &str = deadline!();
    const LETTER: &str = letter!();
    let read = |some: &[ClaimId]| {
        select!(
            "claims.to_open",
            "SELECT json_group_array(json_object('id', c.id, 'version', c.version, 'key_version', c.key_version,
               'sealed', c.sealed, 'status', c.status, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
               'deadline', {DEADLINE}, 'letter', {LETTER},
               'levels', json((SELECT json_group_array(json_object('case_id', l.case_id, 'level', l.level,
                   'filed', json(iif(l.filed = 1, 'true', 'false'))))
                 FROM level_claims l WHERE l.practice_id = c.practice_id AND l.claim_id = c.id)),
               'in_case', json((SELECT json_object('id', k.id, 'version', k.version, 'levels', json((
                   SELECT json_group_array(json_object('level', l.level, 'kind', l.kind, 'filed_on', l.filed_on,
                     'decided_on', l.decided_on, 'decision_due', l.decision_due, 'decision_source', l.decision_source))
                   FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l)))
                 FROM cases k WHERE c.status = 'in_appeal' AND c.plan_type IS NULL AND k.practice_id = c.practice_id
                   AND k.id = c.case_id)))) AS json
             FROM json_each({claims}) j CROSS JOIN claims c WHERE c.practice_id = {practice} AND c.id = j.value"
                [DEADLINE, LETTER];
            practice, claims = json(&some)
        )
        .or_default()
    };
    claims.chunks(OPENED_AT_ONCE).map(read).collect()
}
