//! Following all claims of a practice by their change numbers.

use overturn_tests::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const DENIALS: &str = "/api/v1/denials";

fn after(client: &Client, cursor: &str, limit: usize) -> Answer {
    let page = client.get(&format!("{DENIALS}?changes_after={cursor}&limit={limit}"));
    page.expect(200);
    page
}

fn cursor(page: &Answer) -> String {
    page.json["changes_cursor"].as_str().unwrap().into()
}

fn claims(page: &Answer) -> Vec<Value> {
    page.json["denials"].as_array().unwrap().clone()
}

fn numbers(page: &Answer) -> Vec<String> {
    let claims = claims(page).into_iter();
    claims.map(|claim| claim["claim_number"].as_str().unwrap().into()).collect()
}

#[test]
fn each_changed_claim_comes_once_as_it_is_now_in_the_order_of_the_changes() {
    let tenant = Tenant::shared();
    let client = tenant.member();
    let empty = cursor(&client.get(DENIALS));
    assert_eq!(numbers(&after(&client, &empty, 25)), [""; 0]);
    tenant.send(&batch(["A-1", "A-2", "A-3"].map(item)));
    let corrected = |amount: &str| with(item("A-1"), "claim.billed_amount", amount);
    tenant.send(&corrected("1.00"));
    tenant.send(&corrected("2.00"));
    let _unchanged = tenant.send(&item("A-2"));

    let first = after(&client, &empty, 2);
    assert_eq!((numbers(&first), &first.json["more"]), (vec!["A-2".into(), "A-3".into()], &json!(true)));
    let second = after(&client, &cursor(&first), 2);
    assert_eq!((numbers(&second), &second.json["more"]), (vec!["A-1".into()], &json!(false)));
    assert_eq!(second.json["denials"][0]["billed_amount"], "2.00");
    assert_eq!(numbers(&after(&client, "start", 25)), ["A-2", "A-3", "A-1"]);
    let nothing = after(&client, &cursor(&second), 25);
    assert_eq!(numbers(&nothing), [""; 0]);
    assert_eq!((cursor(&nothing), &nothing.json["more"]), (cursor(&second), &json!(false)));
    assert_eq!(cursor(&client.get(&format!("{DENIALS}?limit=1"))), cursor(&second), "the head");
    let known = client.with("If-None-Match", nothing.header("etag").unwrap());
    let again = format!("{DENIALS}?changes_after={}&limit=25", cursor(&second));
    known.get(&again).expect(304);
    tenant.send(&corrected("3.00"));
    known.get(&again).expect(200);
}

#[test]
fn a_cursor_is_of_one_practice_and_not_ahead_of_it() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    tenant.send(&item("A-1"));
    let client = tenant.member();
    let stranger = other.member();
    let cursor = cursor(&client.get(DENIALS));
    let target = format!("{DENIALS}?changes_after={cursor}");
    let expected = ["changes_after must be start, or a changes_cursor that this practice was given"];
    assert_eq!(stranger.get(&target).details(), expected);
    assert_eq!(client.get(&format!("{target}x")).details(), expected);
    let ahead = format!("{}2", &target[..target.len() - 1]);
    client.get(&ahead).refused(409, "conflict");
    let both = client.get(&format!("{target}&cursor={}", tenant.id));
    assert_eq!(both.details(), ["cursor must not be given beside changes_after"]);
}

#[test]
fn a_lost_answer_hides_no_change_from_followers() {
    let tenant = Tenant::shared();
    let client = tenant.member();
    let sender = tenant.client().losing_commit();
    sender.send(&batch(["A-1", "A-2"].map(item))).expect(201);
    let first = after(&client, "start", 25);
    assert_eq!(numbers(&first), ["A-1", "A-2"]);
    let corrected = with(item("A-1"), "claim.billed_amount", "1.00");
    sender.send(&corrected).expect(200);
    let second = after(&client, &cursor(&first), 25);
    assert_eq!(numbers(&second), ["A-1"]);
    assert_eq!(second.json["denials"][0]["billed_amount"], "1.00");
}

/// Sends claims that other threads send as well, with corrections and resends.
fn send(tenant: &Tenant<'_>, sender: usize) {
    let client = tenant.client();
    for round in 0..6 {
        let numbers = (0..20).map(|n| format!("R{round}-{}", (n * 3 + sender) % 40));
        let amount = format!("{}.00", 10 + sender * 10 + round);
        let claims = numbers.map(|number| with(item(&number), "claim.billed_amount", &*amount));
        let body = batch(claims);
        assert!([200, 201].contains(&client.send(&body).status));
        client.send(&body).expect(200);
    }
}

/// Takes claims as staff while other threads work on them.
fn take(tenant: &Tenant<'_>, working: &AtomicUsize) -> usize {
    let staff = Person::staff(tenant.server).client();
    let mut taken = 0;
    while working.load(Ordering::SeqCst) > 1 {
        let open = format!("/api/v1/staff/claims?practice_id={}&status=received&limit=5", tenant.id);
        for claim in staff.get(&open).json["claims"].as_array().unwrap() {
            let target = format!("/api/v1/staff/practices/{}/claims/{}", tenant.id, claim["id"].as_str().unwrap());
            let seen = staff.get(&target);
            let tag = seen.header("etag").unwrap();
            let took = staff.with("If-Match", tag).post(&format!("{target}/take"), "{}");
            assert!([200, 409].contains(&took.status), "{}", took.text());
            taken += usize::from(took.status == 200);
        }
    }
    taken
}

/// Reads the list once and follows the changes from its first page on. Returns the latest version of each claim.
fn follow(client: &Client, working: &AtomicUsize) -> BTreeMap<String, Value> {
    let mut known = BTreeMap::new();
    let mut learn = |page: &Answer| {
        for claim in claims(page) {
            known.insert(claim["claim_number"].as_str().unwrap().to_owned(), claim);
        }
    };
    let mut page = client.get(&format!("{DENIALS}?limit=10"));
    let mut at = cursor(&page);
    // The list starts at the newest claim. Later changes replace its content.
    loop {
        learn(&page);
        let Some(next) = page.json["next_cursor"].as_str() else {
            break;
        };
        page = client.get(&format!("{DENIALS}?limit=10&cursor={next}"));
    }
    loop {
        let was_last = working.load(Ordering::SeqCst) == 0;
        let page = after(client, &at, 7);
        learn(&page);
        at = cursor(&page);
        if was_last && page.json["more"] == false {
            break;
        }
    }
    known
}

#[test]
fn a_follower_misses_no_change_while_claims_are_sent_corrected_taken_and_sent_again() {
    let tenant = Tenant::shared();
    tenant.send(&batch((0..25).map(|n| item(&format!("R0-{n}")))));
    let client = tenant.member();
    let working = AtomicUsize::new(5);
    let (followed, taken) = thread::scope(|scope| {
        let (tenant, working, client) = (&tenant, &working, &client);
        let followers = [0, 1].map(|_| scope.spawn(move || follow(client, working)));
        for sender in 0..4 {
            scope.spawn(move || {
                send(tenant, sender);
                working.fetch_sub(1, Ordering::SeqCst);
            });
        }
        let taking = scope.spawn(move || {
            let taken = take(tenant, working);
            working.fetch_sub(1, Ordering::SeqCst);
            taken
        });
        let followed = followers.map(|follower| follower.join().unwrap());
        (followed, taking.join().unwrap())
    });
    assert!(taken > 0);
    let mut stored = BTreeMap::new();
    let mut at = "start".to_owned();
    loop {
        let page = after(&client, &at, 100);
        stored
            .extend(claims(&page).into_iter().map(|claim| (claim["claim_number"].as_str().unwrap().to_owned(), claim)));
        at = cursor(&page);
        if page.json["more"] == false {
            break;
        }
    }
    assert!(stored.len() > 100, "{}", stored.len());
    assert_eq!(i64::try_from(stored.len()).unwrap(), tenant.claims());
    for followed in followed {
        assert_eq!(followed, stored);
    }
    let twice = "SELECT count(*) - count(DISTINCT changed) AS n FROM claims WHERE practice_id = ?1";
    assert_eq!(tenant.number(twice), 0);
}
