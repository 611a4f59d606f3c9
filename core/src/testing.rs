//! What the tests of several rules share.

use crate::access::Credential;
use crate::amount::Cents;
use crate::claim::{Claim, Item, Patient};
use crate::ctx::Instant;
use crate::date::Date;
use crate::id::{ApiKeyId, PracticeId};
use crate::practice::State;
use crate::scope::{Scope, Scopes};
use alloc::vec::Vec;
use proptest::test_runner::Config;
use uuid::Uuid;

// One name for a test natively and in wasm.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
pub(crate) use wasm_bindgen_test::wasm_bindgen_test as test;

/// Property tests leave no files behind, and run fewer cases where an interpreter is slow.
pub(crate) fn config() -> Config {
    let cases = if cfg!(target_arch = "wasm32") {
        64
    } else {
        512
    };
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

pub(crate) fn credential(now: Instant) -> Credential {
    Credential {
        practice_id: PracticeId(Uuid::from_u128(1)),
        api_key_id: ApiKeyId(Uuid::from_u128(2)),
        scopes: Scopes::of(&Scope::ALL),
        expires_at: now.plus(1),
        revoked: false,
        last_used_at: None,
        practice_state: State::Active,
        baa_signed: true,
        appeal_button: true,
    }
}

pub(crate) fn item() -> Item<'static> {
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
