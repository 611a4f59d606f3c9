//! Measures the core natively: parsing, checking and deciding a batch, compared with parsing alone and with a JSON
//! schema.

use crate::batch;
use crate::options::Options;
use crate::rounds;
use crate::table::Table;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::KeyVersion;
use overturn_core::claims::identity::IdentityKey;
use overturn_core::claims::intake::{self, Bounds, Decision, Snapshot};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::hint::black_box;
use std::time::Duration;
use uuid::Uuid;

/// How long each one works before the next one's turn.
const TURN: Duration = Duration::from_millis(200);

/// The envelope, parsed by plain `serde_json`.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    claims: Vec<Item<'a>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
struct Item<'a> {
    #[serde(borrow)]
    patient: Patient<'a>,
    #[serde(borrow)]
    claim: Claim<'a>,
}

/// Text that borrows if it can. serde does that on its own only for a bare `Cow`.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
#[serde(bound(deserialize = "'de: 'a"))]
struct Patient<'a> {
    first_name: Text<'a>,
    last_name: Text<'a>,
    date_of_birth: Text<'a>,
    account_number: Option<Text<'a>>,
    member_id: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read and not looked at, which is the point")]
#[serde(bound(deserialize = "'de: 'a"))]
struct Claim<'a> {
    claim_number: Text<'a>,
    payer_claim_number: Text<'a>,
    payer_name: Text<'a>,
    date_of_service: Text<'a>,
    denial_date: Option<Text<'a>>,
    plan_type: Option<Text<'a>>,
    procedure_code: Option<Text<'a>>,
    billed_amount: Option<Text<'a>>,
    denied_amount: Option<Text<'a>>,
    denial_codes: Vec<Text<'a>>,
    denial_reason: Option<Text<'a>>,
    diagnosis_codes: Vec<Text<'a>>,
}

pub(crate) fn run(options: &Options) {
    let bytes = batch::of("C", 100).to_string().into_bytes();
    let ctx = Ctx::new(Instant(1_795_000_000_000), [7; 32]);
    let key = IdentityKey::new(KeyVersion(1), &[9; 32]);
    let practice = PracticeId(Uuid::from_u128(1));
    let snapshot = Snapshot::default();
    let schema: Value = serde_json::from_str(include_str!("../checks/schema.json")).unwrap();
    // The schema checks dates. It cannot express that a date is not in the future, or that no number repeats.
    let schema = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();

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
        let decision = intake::decide(&send, practice, &snapshot, (&key, Bounds::default()), &ctx).unwrap();
        assert!(matches!(black_box(decision), Decision::Write(_)));
    };
    // Lists every problem, as the core does. A valid batch has none.
    let mut by_schema = || {
        let value: Value = serde_json::from_slice(black_box(&bytes)).unwrap();
        assert_eq!(schema.iter_errors(black_box(&value)).count(), 0);
    };
    let mut works: [(&str, &mut dyn FnMut()); 4] = [
        ("`serde_json` alone (the floor)", &mut floor),
        ("`validate`", &mut validate),
        ("`validate` and `decide`", &mut both),
        ("`jsonschema`", &mut by_schema),
    ];
    let names = works.each_ref().map(|(name, _)| *name);
    let mut works = works.each_mut().map(|(_, work)| &mut **work);
    let series = rounds::interleaved(&mut works, options.rounds, TURN);

    let mut table = Table::new(&["100 claims, natively", "µs", "/ floor", "/ validate and decide"]);
    for (name, of) in names.into_iter().zip(&series) {
        let cells = [
            format!("{:.0}", rounds::median(of) / 1000.0),
            format!("{:.2}", rounds::ratio(of, &series[0])),
            format!("{:.2}", rounds::ratio(of, &series[2])),
        ];
        table.row(&[name.to_owned()], &cells);
    }
    println!("## The core natively\n\n{} bytes.\n\n{table}", bytes.len());
}
