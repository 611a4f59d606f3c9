//! Shared by the tests of several modules and of the service.
#![allow(clippy::unwrap_used, reason = "a test that meets the unexpected should panic")]

use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::claims::identity::IdentityKey;
use crate::claims::intake::StoredClaim;
use crate::claims::{Claim, ClaimStatus, Item, Patient, Present};
use alloc::string::ToString;
use alloc::vec::Vec;
use proptest::test_runner::Config;
use uuid::Uuid;

/// The practice of most tests.
pub const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));

/// Noon of 2026-03-04 (UTC).
pub fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

/// Property tests leave no files behind, and run fewer cases in a slow interpreter.
pub fn config() -> Config {
    let cases = if cfg!(target_arch = "wasm32") { 64 } else { 512 };
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// The stored row of an item that was created under this key with this id.
pub fn row(item: &Item<'_>, key: &IdentityKey, id: u128) -> StoredClaim {
    let tags = key.tags(PRACTICE, item);
    StoredClaim {
        claim_number: item.claim.claim_number.to_string(),
        id: ClaimId(Uuid::from_u128(id)),
        status: ClaimStatus::Received,
        key_version: tags.key_version,
        patient_tag: tags.patient,
        procedure_tag: tags.procedure,
        date_of_service: item.claim.date_of_service,
        payer_claim_number: item.claim.payer_claim_number.to_string(),
        billed: item.claim.billed_amount,
        denied: item.claim.denied_amount,
        present: Present::of(item),
    }
}

pub fn item() -> Item<'static> {
    Item {
        patient: Patient {
            first_name: "Jane".into(),
            last_name: "Doe".into(),
            date_of_birth: Date::parse("1980-02-29").unwrap(),
            account_number: None,
            member_id: Some("W123".into()),
        },
        claim: Claim {
            claim_number: "A-1".into(),
            payer_claim_number: "P-1".into(),
            payer_name: "Acme Health".into(),
            date_of_service: Date::parse("2026-01-02").unwrap(),
            denial_date: None,
            plan_type: None,
            procedure_code: Some("99213-25".into()),
            billed_amount: Cents::new(12_345),
            denied_amount: None,
            denial_codes: ["CO-45".into()].to_vec(),
            denial_reason: None,
            diagnosis_codes: Vec::new(),
        },
    }
}
