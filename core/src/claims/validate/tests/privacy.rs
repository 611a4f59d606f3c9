//! No message and no `Debug` output repeats a value of the caller.

use super::{DATES, NOW, TEXTS, ctx_at, full, set, with};
use crate::base::sealed::KeyVersion;
use crate::claims::Present;
use crate::claims::identity::IdentityKey;
use crate::claims::intake::{self, Bounds, Decision, OpenedClaim, Snapshot};
use crate::claims::query;
use crate::request::problem::texts;
use crate::testing::{PRACTICE, row};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Value, json};

/// It occurs in no message and no name, in any case.
const CANARY: &str = "Canary7QX";

fn assert_no_canary(printed: &str, of: &str) {
    let printed = printed.to_lowercase();
    assert!(!printed.contains("canary"), "{of}: {printed}");
}

/// The canary in every shape that some field refuses.
fn values() -> [Value; 12] {
    [
        json!(CANARY),
        json!(format!(" {CANARY} ")),
        json!(format!("{CANARY}\0{CANARY}")),
        json!(format!("{CANARY}\u{200b}")),
        json!(CANARY.repeat(300)),
        json!(format!("{CANARY},").repeat(30)),
        json!([CANARY]),
        json!([CANARY.repeat(30), 5, {CANARY: CANARY}]),
        Value::from([CANARY; 150].to_vec()),
        json!({CANARY: CANARY}),
        json!({"first_name": CANARY, "claim_number": [CANARY]}),
        json!([[[{CANARY: [CANARY]}]]]),
    ]
}

fn fields() -> Vec<&'static str> {
    let others = [
        "claim.plan_type",
        "claim.billed_amount",
        "claim.denied_amount",
        "claim.denial_codes",
        "claim.diagnosis_codes",
    ];
    let texts = TEXTS.into_iter().map(|text| text.0);
    texts.chain(DATES.into_iter().map(|date| date.0)).chain(others).collect()
}

#[test]
fn no_message_repeats_a_value_or_a_key() {
    let mut bodies: Vec<String> = Vec::new();
    for value in values() {
        let mut all = full();
        for field in fields() {
            bodies.push(with(field, Some(value.clone())).to_string());
            set(&mut all, field, Some(value.clone()));
        }
        bodies.push(all.to_string());
        for object in ["patient", "claim"] {
            let mut item = full();
            item[object] = value.clone();
            bodies.push(item.to_string());
        }
        for body in [
            json!(value),
            json!({"claims": value}),
            json!({"claims": [value, value, all, all]}),
            json!({"claims": [full()], CANARY: value}),
            json!({"patient": {CANARY: value}, CANARY: value}),
        ] {
            bodies.push(body.to_string());
        }
    }
    // Broken in the middle of a value, and right after it.
    let whole = json!({"claims": values()}).to_string();
    bodies.extend((1..400).map(|end| whole.chars().take(end).collect()));
    bodies.push(format!("{{\"patient\":{{\"{CANARY}\":1,\"first_name\":{CANARY}}}}}"));
    bodies.push(format!("{{\"patient\":{{\"first_name\":\"{CANARY}\\ud800\"}}}}"));
    bodies.push(format!("{{\"{CANARY}\":1e999,\"patient\":1e999}}"));
    bodies.push(format!("{{}}{CANARY}"));
    let mut refused = 0;
    for body in &bodies {
        if let Err(problems) = intake::parse(body.as_bytes(), &ctx_at(NOW)) {
            refused += 1;
            assert_no_canary(&texts(&problems).join("\n"), body);
            assert_no_canary(&format!("{problems:?}"), body);
        }
    }
    assert!(refused > bodies.len() / 2);
}

#[test]
fn no_message_about_a_query_repeats_its_values() {
    let long = CANARY.repeat(20);
    for values in [[&*long, ""], [CANARY, CANARY], [" ", CANARY], [&long, &long]] {
        let problems = query::parse(values.map(Into::into)).map(drop).unwrap_err();
        assert_no_canary(&texts(&problems).join("\n"), "query");
    }
    let query = query::parse([CANARY.into()]).unwrap();
    assert_eq!(format!("{query:?}"), "StatusQuery(…)");
}

#[test]
fn debug_prints_no_value_of_an_item_wherever_the_item_goes() {
    let mut body = full();
    for (field, ..) in TEXTS {
        let value = format!("{CANARY} {field}");
        set(&mut body, field, Some(value.into()));
    }
    set(&mut body, "claim.denial_codes", Some(json!([CANARY])));
    set(&mut body, "claim.diagnosis_codes", Some(json!([CANARY])));
    set(&mut body, "claim.billed_amount", Some(json!("987654.32")));
    let body = body.to_string();
    let ctx = ctx_at(NOW);
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();

    let key = IdentityKey::new(KeyVersion(7), &[0xc5; 32]);
    let rules = (&key, Bounds::NONE);
    let decide = |snapshot: &Snapshot| intake::decide(&send, PRACTICE, snapshot, rules, &ctx).unwrap();
    let holding = |change: fn(&mut intake::StoredClaim)| {
        let mut stored = row(&send.items[0], &key, 1);
        change(&mut stored);
        Snapshot::new([stored])
    };
    let same = holding(|_| ());
    let corrected = holding(|stored| stored.payer_claim_number = format!("{CANARY} of before"));
    let refused = holding(|stored| stored.patient_tag = "another".to_string());

    let created = decide(&Snapshot::default());
    let correction = decide(&corrected);
    let (answer, refusal) = (decide(&same), decide(&refused));
    let absent = holding(|stored| stored.present = Present::default());
    let opening = decide(&absent);
    let filling = {
        let id = absent.claims.values().next().unwrap().id;
        let claim = json!({ "id": id, "version": 1, "key_version": 7, "sealed": CANARY, "status": "received",
            "denial_date": null, "plan_type": null, "levels": [] });
        let claim = serde_json::from_value(claim).unwrap();
        let patient = json!({ "first_name": CANARY, "last_name": CANARY, "date_of_birth": "1980-02-29" });
        let secret = serde_json::to_vec(&json!({ "patient": patient })).unwrap();
        let opened = OpenedClaim::new(claim, &secret).unwrap();
        assert_no_canary(&format!("{opened:?}"), "opened");
        let mut snapshot = absent.clone();
        snapshot.hold([opened]);
        decide(&snapshot)
    };
    assert!(matches!((&opening, &filling), (Decision::Open(_), Decision::Write(_))));
    assert!(matches!((&created, &correction), (Decision::Write(_), Decision::Write(_))));
    assert!(matches!((&answer, &refusal), (Decision::Answer(_), Decision::Write(_))));
    for (printed, of) in [
        (format!("{:?} {:#?}", send.items[0], send.items[0]), "item"),
        (format!("{send:?}"), "send"),
        (format!("{created:?}"), "creation"),
        (format!("{correction:?}"), "correction"),
        (format!("{answer:?}"), "answer"),
        (format!("{refusal:?}"), "refusal"),
        (format!("{opening:?} {filling:?} {filling:#?}"), "filling in"),
        (format!("{corrected:?}"), "snapshot"),
        (format!("{:?}", corrected.claims.values()), "rows"),
        (format!("{key:?}"), "key"),
    ] {
        assert_no_canary(&printed, of);
        for secret in ["1980", "2026-01-02", "9876543", "98765432", "erisa", "Erisa", "197, 197"] {
            assert!(!printed.contains(secret), "{of}: {printed}");
        }
    }
}

#[test]
fn debug_still_tells_which_claim_it_was() {
    let body = full().to_string();
    let ctx = ctx_at(NOW);
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let key = IdentityKey::new(KeyVersion(7), &[0xc5; 32]);
    let mut stored = row(&send.items[0], &key, 1);
    stored.payer_claim_number = "before".to_string();
    let id = stored.id;
    let printed = format!("{stored:?}");
    assert_eq!(printed, format!("StoredClaim {{ id: {id:?}, status: Received, .. }}"));
    let snapshot = Snapshot::new([stored]);
    assert_eq!(format!("{snapshot:?}"), "Snapshot { claims: 1, created: 0 }");
    let decision = intake::decide(&send, PRACTICE, &snapshot, (&key, Bounds::NONE), &ctx).unwrap();
    let printed = format!("{decision:?}");
    assert!(printed.contains(&format!("Correction {{ id: {id:?}, .. }}")), "{printed}");
    let snapshot = Snapshot::new([row(&send.items[0], &key, 1)]);
    let decision = intake::decide(&send, PRACTICE, &snapshot, (&key, Bounds::NONE), &ctx).unwrap();
    let printed = format!("{decision:?}");
    let result = format!("created: false, id: Some({id:?}), status: Some(Received), error: None, ..");
    assert!(printed.contains(&result), "{printed}");
}
