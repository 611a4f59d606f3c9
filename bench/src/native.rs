//! The core natively: reading, checking and deciding a batch, beside reading alone and beside a JSON schema.

use crate::batch;
use crate::rounds;
use overturn_core::access::Caller;
use overturn_core::ctx::{Ctx, Instant};
use overturn_core::id::{ApiKeyId, PracticeId};
use overturn_core::identity::{IdentityKey, IdentityKeys, KeyVersion};
use overturn_core::intake::{self, Decision, Snapshot};
use overturn_core::scope::Scope;
use serde::Deserialize;
use std::borrow::Cow;
use std::hint::black_box;
use std::time::Duration;

/// The envelope as `serde_json` reads it by itself.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    claims: Vec<Item<'a>>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow)]
    patient: Patient<'a>,
    #[serde(borrow)]
    claim: Claim<'a>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
struct Patient<'a> {
    #[serde(borrow)]
    first_name: Cow<'a, str>,
    #[serde(borrow)]
    last_name: Cow<'a, str>,
    #[serde(borrow)]
    date_of_birth: Cow<'a, str>,
    #[serde(borrow)]
    account_number: Option<Cow<'a, str>>,
    #[serde(borrow)]
    member_id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
struct Claim<'a> {
    #[serde(borrow)]
    claim_number: Cow<'a, str>,
    #[serde(borrow)]
    payer_claim_number: Cow<'a, str>,
    #[serde(borrow)]
    payer_name: Cow<'a, str>,
    #[serde(borrow)]
    date_of_service: Cow<'a, str>,
    #[serde(borrow)]
    denial_date: Option<Cow<'a, str>>,
    #[serde(borrow)]
    plan_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    procedure_code: Option<Cow<'a, str>>,
    #[serde(borrow)]
    billed_amount: Option<Cow<'a, str>>,
    #[serde(borrow)]
    denied_amount: Option<Cow<'a, str>>,
    #[serde(borrow)]
    denial_codes: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    denial_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    diagnosis_codes: Vec<Cow<'a, str>>,
}

/// Measures and prints.
pub fn run(rounds: usize) {
    let bytes = batch::of("C", 100).to_string().into_bytes();
    let ctx = Ctx::new(Instant(1_795_000_000_000), [7; 32]);
    let keys = IdentityKeys::new(IdentityKey::new(KeyVersion(1), &[9; 32]), Vec::new());
    let caller = Caller {
        practice_id: PracticeId(uuid(1)),
        api_key_id: ApiKeyId(uuid(2)),
        scope: Scope::ClaimsWrite,
        appeal_button: true,
        touch: false,
    };
    let snapshot = Snapshot::default();
    let mut floor = || {
        let read: Envelope<'_> = serde_json::from_slice(black_box(&bytes)).unwrap();
        assert_eq!(black_box(read.claims).len(), 100);
    };
    let mut validate = || {
        let send = intake::parse(black_box(&bytes), &ctx).unwrap();
        assert_eq!(black_box(send.items).len(), 100);
    };
    let mut both = || {
        let send = intake::parse(black_box(&bytes), &ctx).unwrap();
        let decision = intake::decide(&send, &caller, &snapshot, &keys, &ctx).unwrap();
        assert!(matches!(black_box(decision), Decision::Write(_)));
    };
    let series = rounds::interleaved(
        &mut [&mut floor, &mut validate, &mut both],
        rounds,
        Duration::from_millis(200),
    );
    println!("bytes {}", bytes.len());
    for (name, series_of) in ["floor", "validate", "validate+decide"].iter().zip(&series) {
        println!(
            "{name:20} {:8.1} µs  x{:.2}",
            rounds::median(series_of) / 1000.0,
            rounds::ratio(series_of, &series[0])
        );
    }
}

fn uuid(n: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(n)
}
