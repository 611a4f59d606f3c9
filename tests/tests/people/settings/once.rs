//! A request takes effect once, however often it comes and whether or not its answer is lost.

use super::{Change, World, changes};
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;

const LOST: &str = "D1_ERROR: Network connection lost.";

/// Runs a check for every change, each with its own practice and a new idempotency key.
fn each(check: impl Fn(&World, &Change, &Client)) {
    for n in 0..changes(&World::new()).len() {
        let world = World::new();
        let change = &changes(&world)[n];
        let key = uuid::Builder::from_random_bytes(random()).into_uuid();
        let client = world
            .owner
            .client()
            .with("Idempotency-Key", &key.to_string())
            // Nothing is delivered between two looks at the rows.
            .with("Tests-Bindings", r#"{"WEBHOOKS": "gone"}"#);
        check(&world, change, &client);
    }
}

fn is_replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

#[test]
fn a_request_that_comes_again_is_answered_as_before_without_its_secret() {
    each(|world, change, client| {
        let first = change.send(client);
        assert_eq!((first.status, is_replayed(&first)), (change.status, false), "{change:?}");
        let stored = world.stored();
        let again = change.send(client);
        assert_eq!((again.status, is_replayed(&again)), (change.status, true), "{change:?}");
        let mut expected = first.json.clone();
        for secret in ["key", "token", "secret"] {
            if first.json.get(secret).is_some() {
                assert!(!again.text().contains(first.json[secret].as_str().unwrap()));
                expected[secret] = json!(null);
                expected["not_repeated"] = again.json["not_repeated"].clone();
            }
        }
        assert_eq!(again.json, expected, "{change:?}");
        assert_eq!(world.stored(), stored, "{change:?}");
    });
}

#[test]
fn another_body_under_the_same_key_is_refused() {
    each(|world, change, client| {
        let Some(body) = &change.body else { return };
        assert_eq!(change.send(client).status, change.status);
        let stored = world.stored();
        let other = Change { body: Some(format!("{body} ")), ..change.clone() };
        let problem = ["Idempotency-Key came with another body before"];
        assert_eq!(other.send(client).details(), problem, "{change:?}");
        assert_eq!(world.stored(), stored, "{change:?}");
    });
}

#[test]
fn of_parallel_requests_with_one_key_one_takes_effect_and_all_get_its_answer() {
    each(|world, change, client| {
        let before = world.audited();
        let calls = (0..3).map(|_| || change.send(client)).collect();
        let answers = at_once(calls);
        let first = |answer: &&Answer| answer.status == change.status && !is_replayed(answer);
        assert_eq!(answers.iter().filter(first).count(), 1, "{change:?}");
        for answer in &answers {
            assert_eq!(answer.status, change.status, "{change:?} {}", answer.text());
        }
        assert_eq!(world.audited(), before + 1, "{change:?}");
    });
}

#[test]
fn a_lost_answer_is_fetched_again_and_leaves_one_effect() {
    for n in 0..changes(&World::new()).len() {
        for lost in [1, 2] {
            let world = World::new();
            let change = &changes(&world)[n];
            let before = world.audited();
            // The first commits lose their answers. The load before them succeeds.
            let mut faults = json!({ "2": { "loses": LOST } });
            if lost == 2 {
                faults["3"] = json!({ "loses": LOST });
            }
            let client = world.owner.client().faulty(&faults);
            let answer = change.send(&client);
            assert_eq!(answer.status, change.status, "{change:?} {}", answer.text());
            assert_eq!(world.audited(), before + 1, "{change:?}");
        }
    }
}

#[test]
fn an_answer_lost_for_good_is_made_up_by_the_same_key() {
    each(|world, change, client| {
        let before = world.audited();
        // If another attempt ran its batch, it would find that the first one had succeeded.
        let fails = json!({ "fails": LOST });
        let faults = json!({ "2": { "loses": LOST }, "3": fails, "4": fails });
        let unlucky = client.faulty(&faults);
        assert_eq!(change.send(&unlucky).status, 503, "{change:?}");
        let again = change.send(client);
        assert_eq!((again.status, is_replayed(&again)), (change.status, true), "{change:?}");
        assert_eq!(world.audited(), before + 1, "{change:?}");
    });
}

#[test]
fn a_key_that_is_no_uuid_is_refused_before_anything_is_done() {
    each(|world, change, client| {
        let stored = world.stored();
        let answer = change.send(&client.with("Idempotency-Key", "again"));
        assert_eq!(answer.details(), ["Idempotency-Key must be a UUID"], "{change:?}");
        assert_eq!(world.stored(), stored);
    });
}
