//! The content of each column. A new column fails here until it is classified.

use super::fixture::Fixture;
use overturn_core::base::sealed::SealedPlace;
use std::collections::BTreeSet;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A ciphertext. `SealedPlace` names it, the re-seal covers it, and the privacy tests have a canary in it.
    Sealed,
    /// Made with a key of the service or of the practice. It can be compared, and shows nothing without the key.
    Fingerprint,
    /// SHA-256 of a random secret, a request or rows; or Argon2 of a password.
    Hash,
    /// Unencrypted, for this reason.
    Clear(&'static str),
}
use Kind::{Clear, Fingerprint, Hash, Sealed};

const ID: Kind = Clear("random ids, which name nobody");
const TIME: Kind = Clear("when the service or staff did something");
const STATE: Kind = Clear("names from lists of the program, numbers, and counts");
const LOOKED_UP: Kind = Clear("what the service looks claims up and works out deadlines by");
const MONEY: Kind = Clear("amounts, which the service adds up");
const PERSON: Kind = Clear("people of the practice or of the staff, who are no patients");
const SETTING: Kind = Clear("what a practice says about itself, and what it calls its keys and endpoints");
const OWN_WORDS: Kind = Clear("ids and names of the program's own; the canaries are looked for in it");

const DIGEST: Kind = Clear("the digest of a file, which only somebody with the same file can recognize");

const PUBLIC_KEY: Kind = Clear("public keys and addresses, which prove nothing by themselves");
const PUBLISHED: Kind = Clear("what a practice publishes in the DNS of its domain");

/// Every column, by table.
const COLUMNS: &[(&str, &[(Kind, &str)])] = &[
    ("addresses", &[(PERSON, "email_key"), (ID, "user_id"), (STATE, "cell"), (TIME, "reserved_at")]),
    (
        "agreements",
        &[
            (ID, "practice_id id signed_by"),
            (STATE, "kind version"),
            (PERSON, "signer_name signer_title signed_from"),
            (TIME, "signed_at ended_at"),
        ],
    ),
    (
        "answers",
        &[
            (ID, "user_id request_id"),
            (Hash, "place fingerprint"),
            (STATE, "status"),
            (OWN_WORDS, "body"),
            (TIME, "at"),
        ],
    ),
    (
        "api_keys",
        &[
            (ID, "practice_id id created_by replaced_by"),
            (SETTING, "name hint"),
            (Hash, "hash"),
            (STATE, "scopes"),
            (TIME, "created_at expires_at revoked_at last_used_at warn_at"),
        ],
    ),
    (
        "api_tokens",
        &[
            (ID, "practice_id id user_id replaced_by"),
            (SETTING, "name hint"),
            (Hash, "hash"),
            (STATE, "scopes"),
            (TIME, "created_at expires_at revoked_at last_used_at warn_at"),
        ],
    ),
    (
        "audit",
        &[
            (ID, "practice_id id actor record request_id session_id"),
            (STATE, "action seq"),
            (OWN_WORDS, "detail"),
            (PERSON, "address"),
            (TIME, "at"),
            (Fingerprint, "mac"),
            (Hash, "previous"),
        ],
    ),
    (
        "case_claims",
        &[
            (ID, "practice_id case_id claim_id"),
            (STATE, "outcome closing_reason"),
            (MONEY, "recovered_cents"),
            (TIME, "joined_at decided_at"),
        ],
    ),
    (
        "case_levels",
        &[
            (ID, "practice_id case_id begun_by"),
            (STATE, "level kind outcome decision_source"),
            (TIME, "due_on filed_on decided_on begun_at decision_due follow_up_on"),
        ],
    ),
    (
        "cases",
        &[
            (ID, "practice_id id opened_by"),
            (LOOKED_UP, "payer_name"),
            (STATE, "version is_open sandbox"),
            (TIME, "opened_at due ask_on"),
        ],
    ),
    (
        "claim_counts",
        &[
            (ID, "scope"),
            (STATE, "status claims"),
            (TIME, "due"),
            (MONEY, "billed_high billed_low denied_high denied_low recovered_high recovered_low"),
        ],
    ),
    (
        "claim_events",
        &[
            (ID, "practice_id claim_id actor request_id"),
            (STATE, "version kind status"),
            (OWN_WORDS, "detail"),
            (TIME, "at"),
        ],
    ),
    (
        "claim_notes",
        &[(ID, "practice_id claim_id id author"), (STATE, "key_version"), (TIME, "at"), (Sealed, "sealed")],
    ),
    (
        "claims",
        &[
            (ID, "practice_id id submission_id taken_by report_id case_id"),
            (
                LOOKED_UP,
                "claim_number payer_claim_number payer_name date_of_service denial_date plan_type adjustment_codes letter_denied letter_plan",
            ),
            (MONEY, "billed_cents denied_cents recovered_cents"),
            (
                STATE,
                "version status signing_status key_version changed present appeal_due_from closing_reason letter_counts letter_by sandbox script_step",
            ),
            (TIME, "received_at updated_at appeal_due letter_due letter_at script_at"),
            (Fingerprint, "patient_tag procedure_tag"),
            (Sealed, "sealed"),
        ],
    ),
    (
        "attempts",
        &[
            (ID, "practice_id delivery_id id webhook_id"),
            (SETTING, "url"),
            (STATE, "took_ms status error key_version"),
            (Fingerprint, "signatures"),
            (TIME, "at"),
            (Sealed, "sealed"),
        ],
    ),
    (
        "continuations",
        &[(Hash, "hash"), (ID, "user_id session_id sso"), (STATE, "epoch attempts"), (TIME, "expires_at used_at")],
    ),
    ("daily_jobs", &[(STATE, "name day"), (TIME, "again_at")]),
    (
        "data_jobs",
        &[
            (ID, "practice_id id requested_by"),
            (STATE, "kind state version totals counts position taken_from bytes unreadable trail_to"),
            (TIME, "requested_at due_at begun_at finished_at"),
            (Hash, "digest before"),
        ],
    ),
    (
        "deliveries",
        &[
            (ID, "practice_id webhook_id id"),
            (STATE, "kind state attempts last_status last_error sandbox"),
            (OWN_WORDS, "body"),
            (TIME, "created_at next_at lease_ends last_at tested_at"),
        ],
    ),
    ("document_settings", &[(ID, "practice_id"), (STATE, "version retention_days legal_hold")]),
    ("document_uses", &[(ID, "practice_id document_id record_id attached_by"), (STATE, "kind"), (TIME, "attached_at")]),
    (
        "documents",
        &[
            (ID, "practice_id id claim_id uploaded_by"),
            (STATE, "kind state content_type size scans key_version"),
            (DIGEST, "sha256"),
            (TIME, "uploaded_at scan_at"),
            (Sealed, "sealed"),
        ],
    ),
    ("domains", &[(SETTING, "domain"), (ID, "practice_id"), (STATE, "cell"), (TIME, "reserved_at")]),
    (
        "factors",
        &[(ID, "user_id id"), (STATE, "key_version last_step"), (TIME, "created_at confirmed_at"), (Sealed, "sealed")],
    ),
    ("forwards", &[(Hash, "what"), (STATE, "cell"), (TIME, "opened_at")]),
    ("guards", &[(STATE, "failed")]),
    (
        "identities",
        &[
            (ID, "user_id id"),
            (SETTING, "provider issuer"),
            (PERSON, "subject email"),
            (TIME, "created_at last_used_at"),
        ],
    ),
    (
        "level_claims",
        &[
            (ID, "practice_id claim_id case_id"),
            (STATE, "level filed stands"),
            (MONEY, "recovered_cents"),
            (TIME, "recovered_at"),
        ],
    ),
    ("links", &[(Hash, "hash"), (ID, "user_id"), (STATE, "kind epoch"), (TIME, "expires_at used_at")]),
    ("logins", &[(PERSON, "login"), (ID, "user_id"), (STATE, "cell"), (TIME, "reserved_at")]),
    ("loose_objects", &[(ID, "practice_id id upload_id"), (TIME, "due_at"), (STATE, "removing")]),
    ("mismatches", &[(ID, "practice_id claim_id"), (STATE, "day count told")]),
    ("notices", &[(ID, "practice_id id about"), (STATE, "kind"), (SETTING, "detail"), (TIME, "at due_at next_at")]),
    (
        "passkeys",
        &[
            (ID, "user_id id credential_id"),
            (PUBLIC_KEY, "public_key"),
            (STATE, "sign_count backup_eligible backed_up transports"),
            (PERSON, "name"),
            (TIME, "created_at last_used_at"),
        ],
    ),
    ("password_tries", &[(ID, "user_id"), (STATE, "tries"), (TIME, "closed_at")]),
    ("own_cell", &[(STATE, "one number")]),
    ("patients_opened", &[(ID, "user_id"), (Fingerprint, "patient"), (TIME, "at")]),
    ("payers", &[(ID, "practice_id"), (LOOKED_UP, "name"), (STATE, "sandbox")]),
    (
        "moves",
        &[
            (ID, "id practice"),
            (STATE, "source target step position written fences epoch"),
            (TIME, "lease_ends began_at switched_at ended_at emptied_at"),
        ],
    ),
    ("moving", &[(ID, "id of"), (STATE, "state epoch batch round writes")]),
    ("moving_changes", &[(ID, "id key"), (STATE, "name round")]),
    ("places", &[(ID, "practice_id"), (STATE, "cell")]),
    (
        "practice_domains",
        &[(ID, "practice_id id"), (SETTING, "domain"), (PUBLISHED, "token"), (TIME, "created_at verified_at")],
    ),
    (
        "practice_keys",
        &[
            (ID, "practice_id id"),
            (STATE, "version key_version"),
            (TIME, "created_at destroyed_at"),
            (Sealed, "wrapped"),
        ],
    ),
    (
        "practices",
        &[
            (ID, "id sandbox_of"),
            (SETTING, "name address npi tax_id phone"),
            (STATE, "version state appeal_button single_session sso_required time_zone counted clock_ms"),
            (TIME, "created_at swept_at idle_at"),
        ],
    ),
    ("queue_filters", &[(ID, "user_id id"), (PERSON, "name"), (LOOKED_UP, "query")]),
    ("recovery_codes", &[(ID, "user_id"), (Hash, "hash"), (TIME, "used_at")]),
    ("report_claims", &[(ID, "practice_id report_id claim_id")]),
    ("reports", &[(ID, "practice_id id delivered_by"), (TIME, "delivered_at")]),
    (
        "sessions",
        &[
            (ID, "user_id id sso"),
            (Hash, "hash"),
            (STATE, "kind epoch"),
            (PERSON, "ip agent"),
            (TIME, "created_at ends_at seen_at verified_at revoked_at alerted_at"),
        ],
    ),
    (
        "signatures",
        &[(ID, "practice_id claim_id id link_id"), (STATE, "key_version"), (TIME, "signed_at"), (Sealed, "sealed")],
    ),
    (
        "signing_links",
        &[
            (ID, "practice_id claim_id id created_by"),
            (Hash, "hash"),
            (STATE, "key_version attempts"),
            (TIME, "created_at expires_at revoked_at used_at"),
            (Sealed, "sealed"),
        ],
    ),
    ("spent_proofs", &[(Hash, "hash"), (TIME, "expires_at")]),
    (
        "sso_providers",
        &[
            (ID, "practice_id id"),
            (STATE, "version trusted kind contexts idp_initiated"),
            (SETTING, "name configured entity_id"),
            (PUBLIC_KEY, "metadata certificates"),
            (TIME, "certificates_end warn_at created_at"),
        ],
    ),
    ("trail_heads", &[(ID, "practice_id"), (STATE, "seq key_version"), (Hash, "digest"), (Fingerprint, "mac")]),
    (
        "users",
        &[
            (ID, "id practice_id"),
            (STATE, "version role state epoch"),
            (PERSON, "email email_key name"),
            (Hash, "password_hash"),
            (TIME, "created_at"),
        ],
    ),
    (
        "webhooks",
        &[
            (ID, "practice_id id created_by"),
            (SETTING, "url"),
            (STATE, "version events state key_version old_key_version"),
            (TIME, "old_until created_at failing_since disabled_at"),
            (Sealed, "sealed old_sealed"),
        ],
    ),
];

/// The columns of the matching kinds as `table.column`, each as often as it is listed.
fn listed(wanted: impl Fn(Kind) -> bool) -> Vec<String> {
    let mut all = Vec::new();
    for (table, kinds) in COLUMNS {
        for (_, names) in kinds.iter().filter(|(kind, _)| wanted(*kind)) {
            all.extend(names.split(' ').map(|name| format!("{table}.{name}")));
        }
    }
    all.sort();
    all
}

#[test]
fn every_column_is_classified() {
    let f = Fixture::new();
    let sql = "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c
               WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut read = f.db.prepare(sql).unwrap();
    let mut schema: Vec<String> = read.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    schema.sort();
    let listed = listed(|_| true);
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "no column is of two kinds");
    let not_in = |one: &[String], other: &[String]| -> Vec<String> {
        let missing = one.iter().filter(|name| !other.contains(name));
        missing.cloned().collect()
    };
    assert_eq!(not_in(&schema, &listed), [""; 0], "not classified");
    assert_eq!(not_in(&listed, &schema), [""; 0], "not in the schema");
}

#[test]
fn every_sealed_column_has_a_place() {
    let mut places: Vec<String> = SealedPlace::COLUMNS.iter().map(ToString::to_string).collect();
    places.sort();
    assert_eq!(listed(|kind| kind == Sealed), places);
}

#[test]
fn every_unencrypted_column_has_a_reason() {
    let reasons = COLUMNS.iter().flat_map(|(_, kinds)| *kinds);
    let mut reasons = reasons.filter_map(|(kind, _)| match kind {
        Clear(reason) => Some(*reason),
        Sealed | Fingerprint | Hash => None,
    });
    assert!(reasons.all(|reason| reason.split(' ').count() >= 3));
}
