//! Many parallel senders: each claim is created once, and every answer is true.

use overturn_tests::answer::{OTHER_PATIENT, Sent};
use overturn_tests::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::thread;

/// Sends each list of bodies in order, all lists in parallel.
fn race(tenant: &Tenant<'_>, senders: &[Vec<Value>]) -> Vec<Vec<Sent>> {
    let start = Barrier::new(senders.len());
    thread::scope(|scope| {
        let running: Vec<_> = senders
            .iter()
            .map(|bodies| {
                scope.spawn(|| {
                    let client = tenant.client();
                    // Connects before the race.
                    let _unknown = client.status("warm");
                    start.wait();
                    let send = |body: &Value| Sent::read(body, &client.send(body));
                    bodies.iter().map(send).collect()
                })
            })
            .collect();
        running.into_iter().map(|sender| sender.join().unwrap()).collect()
    })
}

/// Fails unless the answers together match the stored data.
fn check(tenant: &Tenant<'_>, answers: &[Sent]) {
    tenant.check();
    let sql = "SELECT c.claim_number, c.id, c.submission_id, s.request_id FROM claims c
         JOIN submissions s ON s.practice_id = c.practice_id AND s.id = c.submission_id WHERE c.practice_id = ?1";
    let rows = tenant.rows(sql, &[]);
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let stored: BTreeMap<String, &Value> = rows.iter().map(|row| (text(row, "claim_number"), row)).collect();
    let mut created = BTreeSet::new();
    for sent in answers {
        let mut joined = BTreeSet::new();
        for item in &sent.claims {
            let row = stored[&item.claim_number];
            if let Ok(accepted) = &item.outcome {
                assert_eq!(row["id"], json!(accepted.id), "the id is the one that is stored");
            }
            if item.created {
                assert!(created.insert(&item.claim_number), "created once");
                joined.insert(item.claim_number.clone());
            }
        }
        let submission = json!(sent.submission_id);
        let of_submission = rows.iter().filter(|row| row["submission_id"] == submission);
        let of_submission: Vec<&Value> = of_submission.collect();
        let numbers = of_submission.iter().map(|row| text(row, "claim_number"));
        assert_eq!(numbers.collect::<BTreeSet<_>>(), joined, "a submission has what its answer says");
        assert!(of_submission.iter().all(|row| row["request_id"] == json!(sent.request_id)));
    }
    assert_eq!(created.len(), stored.len(), "every claim was created by somebody");
    let submissions = answers.iter().filter(|sent| sent.submission_id.is_some()).count();
    assert_eq!(tenant.counts().submissions, i64::try_from(submissions).unwrap());
}

/// All numbers below `count`, `step` apart. `step` shares no factor with `count`.
fn order(count: usize, step: usize, from: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |n| format!("C-{:03}", (from + n * step) % count))
}

#[test]
fn one_claim_sent_by_many_at_once_is_created_once() {
    let tenant = Tenant::shared();
    let bodies: Vec<Value> = (0..10).map(|n| item(&format!("A-{n}"))).collect();
    let answers = race(&tenant, &vec![bodies; 24]).concat();
    assert_eq!(tenant.counts().claims, 10);
    check(&tenant, &answers);
}

#[test]
fn overlapping_batches_in_different_orders_create_each_claim_once() {
    let tenant = Tenant::shared();
    let senders: Vec<Vec<Value>> = [1, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 299, 293]
        .into_iter()
        .enumerate()
        .map(|(n, step)| {
            let numbers: Vec<String> = order(300, step, n * 90).collect();
            numbers.chunks(100).map(numbered).collect()
        })
        .collect();
    let answers = race(&tenant, &senders).concat();
    assert_eq!(answers.len(), 48);
    assert_eq!(tenant.counts().claims, 300);
    check(&tenant, &answers);
}

#[test]
fn a_hundred_singles_against_a_batch_of_the_same_hundred() {
    let tenant = Tenant::shared();
    let numbers: Vec<String> = order(100, 1, 0).collect();
    let mut senders: Vec<Vec<Value>> = order(100, 37, 50)
        .collect::<Vec<_>>()
        .chunks(5)
        .map(|numbers| numbers.iter().map(|number| item(number)).collect())
        .collect();
    senders.push(vec![numbered(&numbers)]);
    let answers = race(&tenant, &senders).concat();
    assert_eq!(tenant.counts().claims, 100);
    check(&tenant, &answers);
}

#[test]
fn of_many_patients_that_race_for_a_number_one_gets_it() {
    let tenant = Tenant::shared();
    let named = |n: usize| with(item("A-1"), "patient.first_name", format!("Patient {n}"));
    let senders: Vec<Vec<Value>> = (0..24).map(|n| vec![named(n), named(n)]).collect();
    let answers = race(&tenant, &senders);
    let winner = |pair: &Vec<Sent>| pair[0].created() == [true];
    assert_eq!(answers.iter().filter(|pair| winner(pair)).count(), 1);
    for pair in &answers {
        let expected = if winner(pair) { None } else { Some(OTHER_PATIENT) };
        assert_eq!((pair[0].errors(), pair[1].errors()), (vec![expected], vec![expected]));
    }
    let first_name = tenant.opened(&tenant.row("A-1"))["patient"]["first_name"].clone();
    let stored = answers.iter().position(winner).unwrap();
    assert_eq!(first_name, format!("Patient {stored}"));
    check(&tenant, &answers.concat());
}

#[test]
fn batches_of_different_patients_share_the_numbers_out() {
    let tenant = Tenant::shared();
    let senders: Vec<Vec<Value>> = [1, 3, 7, 9, 11, 13, 17, 19]
        .into_iter()
        .enumerate()
        .map(|(n, step)| {
            let item = |number: String| with(item(&number), "patient.last_name", format!("Doe {n}"));
            let numbers: Vec<String> = order(100, step, n * 10).collect();
            numbers.chunks(50).map(|numbers| batch(numbers.iter().cloned().map(item))).collect()
        })
        .collect();
    let answers = race(&tenant, &senders);
    for (n, sent) in answers.iter().enumerate() {
        for item in sent.iter().flat_map(|sent| &sent.claims) {
            let last_name = tenant.opened(&tenant.row(&item.claim_number))["patient"]["last_name"].clone();
            assert_eq!(item.created, last_name == format!("Doe {n}"));
            assert_eq!(item.outcome.is_ok(), item.created);
        }
    }
    check(&tenant, &answers.concat());
}

#[test]
fn corrections_at_once_are_each_answered_written_and_in_one_history() {
    let tenant = Tenant::shared();
    let numbers = ["A-1", "A-2", "A-3"];
    // The claims are new: the first sender creates each, and the others correct it.
    let senders: Vec<Vec<Value>> = (1..=16)
        .map(|cents| {
            let items = numbers.map(|number| with(item(number), "claim.billed_amount", format!("{cents}.00")));
            vec![batch(items)]
        })
        .collect();
    let answers = race(&tenant, &senders).concat();
    check(&tenant, &answers);
    for number in numbers {
        let row = tenant.row(number);
        assert_eq!(row["version"], 16, "each of the sixteen amounts was there once");
        let sql =
            "SELECT detail FROM claim_events WHERE practice_id = ?1 AND claim_id = ?2 AND version > 1 ORDER BY version";
        let details = tenant.rows(sql, &[row["id"].as_str().unwrap()]);
        let details: Vec<Value> =
            details.iter().map(|event| serde_json::from_str(event["detail"].as_str().unwrap()).unwrap()).collect();
        for pair in details.windows(2) {
            assert_eq!(pair[0]["after"], pair[1]["before"]);
        }
        assert_eq!(details.last().unwrap()["after"]["billed_cents"], row["billed_cents"]);
    }
}

#[test]
fn reads_among_writes_see_a_claim_whole_or_not_at_all() {
    let tenant = Tenant::shared();
    let numbers: Vec<String> = order(100, 1, 0).collect();
    thread::scope(|scope| {
        let readers: Vec<_> = [0, 99]
            .map(|n| {
                let (client, number) = (tenant.client(), &numbers[n]);
                scope.spawn(move || {
                    loop {
                        let answer = client.status(number);
                        if answer.status == 200 {
                            assert_eq!(answer.json["claim"]["status"], "received");
                            return;
                        }
                        answer.expect(404);
                    }
                })
            })
            .into();
        tenant.send(&numbered(&numbers));
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}
