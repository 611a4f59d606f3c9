//! Random sequences of sends, compared with a model of the interface that is a plain map.

use overturn_tests::answer::{Item, OTHER_CLAIM, OTHER_PATIENT, Sent};
use overturn_tests::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeMap, BTreeSet};

const NUMBERS: [&str; 6] = ["A-1", "a-1", "A-2", "B é", "B e\u{301}", "漢"];
/// Two patients, each in three spellings.
const PATIENTS: [[&str; 3]; 2] = [["José", "JOSÉ", " Jose\u{301} "], ["Jose", "JOSE", "jose "]];
const DATES: [&str; 2] = ["2025-01-02", "2024-12-31"];
/// A procedure code, another spelling of it, and another code.
const CODES: [(&str, usize); 3] = [("G0008-AB", 0), (" g0008-ab", 0), ("G0009", 1)];

/// An item as indices into the constants, amounts in whole dollars.
#[derive(Clone, Debug)]
struct Draft {
    number: usize,
    patient: (usize, usize),
    date: usize,
    code: Option<usize>,
    payer_number: u8,
    billed: Option<i64>,
    denied: Option<i64>,
}

/// A send: its items, and whether it has one more, invalid item.
#[derive(Clone, Debug)]
struct Step {
    items: Vec<Draft>,
    single: bool,
    spoiled: bool,
}

#[derive(Clone, Debug)]
struct Stored {
    id: String,
    submission_id: String,
    patient: usize,
    date: usize,
    code: Option<usize>,
    payer_number: u8,
    billed: Option<i64>,
    denied: Option<i64>,
    version: i64,
}

fn draft() -> impl Strategy<Value = Draft> {
    let amounts = prop_oneof![
        3 => (1..4_i64, prop::option::of(1..4_i64)).prop_map(|(billed, denied)| (Some(billed), denied)),
        1 => (1..4_i64).prop_map(|denied| (None, Some(denied))),
    ];
    let same_or_other = || prop_oneof![4 => Just(0_usize), 1 => Just(1)];
    let code = prop::option::of(prop_oneof![3 => 0..2_usize, 1 => Just(2)]);
    let payer_number = prop_oneof![4 => Just(0_u8), 1 => 0..3_u8];
    (0..NUMBERS.len(), (same_or_other(), 0..3_usize), same_or_other(), code, payer_number, amounts).prop_map(
        |(number, patient, date, code, payer_number, (billed, denied))| Draft {
            number,
            patient,
            date,
            code,
            payer_number,
            billed,
            denied,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    let spoiled = prop::bool::weighted(0.1);
    let items = prop::collection::vec(draft(), 1..6);
    (items, any::<bool>(), spoiled).prop_map(|(mut items, single, spoiled)| {
        if single {
            items.truncate(1);
        }
        Step { items, single, spoiled }
    })
}

fn written(draft: &Draft) -> Value {
    let amount = |amount: Option<i64>| amount.map_or(Value::Null, |amount| json!(format!("{amount}.00")));
    let code = draft.code.map_or(Value::Null, |code| json!(CODES[code].0));
    let mut body = with(item(NUMBERS[draft.number]), "claim.billed_amount", amount(draft.billed));
    body = with(body, "claim.denied_amount", amount(draft.denied));
    body = with(body, "claim.procedure_code", code);
    body = with(body, "claim.date_of_service", DATES[draft.date]);
    body = with(body, "claim.payer_claim_number", format!("ICN-{}", draft.payer_number));
    with(body, "patient.first_name", PATIENTS[draft.patient.0][draft.patient.1])
}

/// What the interface answers for an item, and what it changes. `fresh` has the id and submission for a new claim.
fn apply(
    model: &mut BTreeMap<usize, Stored>,
    draft: &Draft,
    fresh: Option<(&str, &str)>,
) -> Result<bool, &'static str> {
    let code = draft.code.map(|code| CODES[code].1);
    let Some(stored) = model.get_mut(&draft.number) else {
        let (id, submission_id) = fresh.expect("a new claim has an id and a submission");
        let new = Stored {
            id: id.into(),
            submission_id: submission_id.into(),
            patient: draft.patient.0,
            date: draft.date,
            code,
            payer_number: draft.payer_number,
            billed: draft.billed,
            denied: draft.denied,
            version: 1,
        };
        model.insert(draft.number, new);
        return Ok(true);
    };
    if draft.patient.0 != stored.patient {
        return Err(OTHER_PATIENT);
    }
    let other_code = code.is_some() && stored.code.is_some() && code != stored.code;
    if draft.date != stored.date || other_code {
        return Err(OTHER_CLAIM);
    }
    let before = stored.clone();
    stored.payer_number = draft.payer_number;
    stored.billed = draft.billed.or(stored.billed);
    stored.denied = draft.denied.or(stored.denied);
    let same =
        (before.payer_number, before.billed, before.denied) == (stored.payer_number, stored.billed, stored.denied);
    stored.version += i64::from(!same);
    Ok(false)
}

fn take(tenant: &Tenant<'_>, model: &mut BTreeMap<usize, Stored>, step: &Step) {
    let mut items: Vec<Value> = step.items.iter().map(written).collect();
    if step.spoiled {
        items[0] = with(items[0].clone(), "claim.payer_name", Value::Null);
    }
    let body = if step.single { items.remove(0) } else { batch(items) };
    let answer = tenant.client().send(&body);

    let numbers: BTreeSet<usize> = step.items.iter().map(|item| item.number).collect();
    let repeats = step.items.len() - numbers.len();
    if step.spoiled || repeats > 0 {
        let problems = answer.problems();
        let counted = |text: &str| problems.iter().filter(|problem| problem.contains(text)).count();
        assert_eq!(counted("claim.payer_name is required"), usize::from(step.spoiled));
        assert_eq!(counted("appears more than once"), repeats);
        return;
    }
    let sent = Sent::read(&body, &answer);
    for (draft, Item { created, outcome, .. }) in step.items.iter().zip(&sent.claims) {
        let id = outcome.as_ref().ok().map(|accepted| &*accepted.id);
        let expected = apply(model, draft, id.zip(sent.submission_id.as_deref()));
        assert_eq!(expected, outcome.as_ref().map(|_| *created).map_err(|error| &**error));
        if let Some(id) = id {
            assert_eq!(id, model[&draft.number].id);
        }
    }
}

/// Fails unless the model and the database agree.
fn compare(tenant: &Tenant<'_>, model: &BTreeMap<usize, Stored>) {
    tenant.check();
    let sql = "SELECT claim_number, id, submission_id, payer_claim_number, date_of_service, billed_cents, denied_cents,
           version, procedure_tag IS NOT NULL AS coded FROM claims WHERE practice_id = ?1 ORDER BY claim_number";
    let mut expected: Vec<Value> = model
        .iter()
        .map(|(number, stored)| {
            json!({
                "claim_number": NUMBERS[*number],
                "id": stored.id,
                "submission_id": stored.submission_id,
                "payer_claim_number": format!("ICN-{}", stored.payer_number),
                "date_of_service": DATES[stored.date],
                "billed_cents": stored.billed.map(|amount| amount * 100),
                "denied_cents": stored.denied.map(|amount| amount * 100),
                "version": stored.version,
                "coded": i32::from(stored.code.is_some()),
            })
        })
        .collect();
    expected.sort_by_key(|row| row["claim_number"].as_str().unwrap().to_owned());
    assert_eq!(tenant.rows(sql, &[]), expected);
    for (number, stored) in model {
        let answer = tenant.client().status(NUMBERS[*number]);
        assert_eq!(answer.json["claim"]["id"], json!(stored.id));
    }
}

#[test]
fn any_sequence_of_sends_does_what_the_interface_says() {
    let config = Config { cases: 40, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let steps = prop::collection::vec(step(), 1..20);
    let checked = TestRunner::new(config).run(&steps, |steps| {
        let tenant = Tenant::shared();
        let mut model = BTreeMap::new();
        for step in &steps {
            take(&tenant, &mut model, step);
        }
        compare(&tenant, &model);
        Ok(())
    });
    checked.unwrap();
}
