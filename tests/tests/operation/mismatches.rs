//! Guessing a patient's date of birth or a procedure code by resending claim numbers.

use overturn_tests::answer::OTHER_PATIENT;
use overturn_tests::client::keys;
use overturn_tests::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

const MAIL: &str = "Claims of your practice were sent for other patients";
const STOPPED: &str = "claim.claim_number cannot be sent again until 00:00 UTC, because too many resends of today were for a different patient or claim";

/// The production limits, except that a key may send more often. Otherwise a test would take minutes.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "CLAIMS_SENDS_PER_MINUTE": "2000" })))
}

/// Held by a test that counts waiting notices and by one that sends them, because a sweep sends those of every practice.
static NOTICES: Mutex<()> = Mutex::new(());

/// The same claim with another date of birth.
fn guess(number: &str, n: usize) -> Value {
    let born = format!("19{:02}-{:02}-11", 50 + n / 12, n % 12 + 1);
    with(item(number), "patient.date_of_birth", born)
}

/// The outcome of a send of one claim: the error of its item, or `stopped`.
fn outcome(answer: &Answer) -> &str {
    match answer.status {
        200 => answer.json["claims"][0]["error"].as_str().unwrap_or("same"),
        429 => "stopped",
        other => panic!("{other}: {}", answer.text()),
    }
}

fn tally(answers: &[Answer], of: &str) -> usize {
    answers.iter().filter(|answer| outcome(answer) == of).count()
}

/// Seconds until the end of the day, by this machine's clock.
fn left_of_day() -> i64 {
    let now = overturn_tests::tenant::now().0.div_euclid(1000);
    86_400 - now.rem_euclid(86_400)
}

fn assert_stopped(answer: &Answer, places: &str) {
    answer.expect(429);
    assert_eq!(keys(&answer.json), ["error", "retry_after"]);
    assert_eq!(answer.json["error"], format!("{places}{STOPPED}"));
    let wait = answer.json["retry_after"].as_i64().unwrap();
    assert_eq!(answer.header("retry-after"), Some(&*wait.to_string()));
    assert!((left_of_day() - wait).abs() < 60 || wait > 86_300, "{wait}");
}

#[test]
fn of_sixty_parallel_guesses_by_two_keys_twenty_are_answered_and_the_owners_get_one_notice() {
    let _alone = NOTICES.lock().unwrap_or_else(PoisonError::into_inner);
    let tenant = Tenant::new(server());
    let owners = [Role::Owner, Role::Owner].map(|role| Person::of(&tenant, role));
    let admin = Person::of(&tenant, Role::Admin);
    tenant.send(&batch([item("A-1"), item("A-2")]));
    let other = tenant.key(&Scope::ALL, Realm::Test);
    let clients = [tenant.client(), tenant.client_of(&other)];
    let calls = (0..60).map(|n| {
        let client: &Client = &clients[n % 2];
        move || client.send(&guess("A-1", n))
    });
    let answers = at_once(calls.collect());
    let told = [OTHER_PATIENT, "stopped"].map(|of| tally(&answers, of));
    assert_eq!(told, [20, 40]);
    for answer in answers.iter().filter(|answer| answer.status == 429) {
        assert_stopped(answer, "");
    }

    // Correct guesses and corrections get the same answer as wrong ones. Other claims and new ones are accepted.
    let corrected = with(item("A-1"), "claim.billed_amount", "999.00");
    for sent in [item("A-1"), guess("A-1", 61), corrected] {
        assert_stopped(&tenant.client().send(&sent), "");
    }
    assert_ne!(tenant.row("A-1")["billed_cents"], 99_900);
    let others = batch([item("A-2"), guess("A-1", 62), item("NEW"), item("A-1")]);
    // A batch must not repeat a number.
    tenant.client().send(&others).expect(422);
    let others = batch([item("A-2"), guess("A-1", 62), item("NEW")]);
    assert_stopped(&tenant.client().send(&others), "claims[1]: ");
    assert_eq!(tenant.claims(), 2, "nothing is saved");
    let rest = tenant.send(&batch([item("A-2"), item("NEW")]));
    assert_eq!(rest.created(), [false, true]);
    tenant.client().status("A-1").expect(200);

    let rows = tenant.audit("claims.mismatched");
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let actor = row["actor"].as_str().unwrap();
        assert!([&tenant.key.id, &other.id].iter().any(|id| actor == format!("api_key:{id}")));
        let text = row.to_string();
        for private in ["Jane", "Doe", "1980-", "1950-", "\"A-1\""] {
            assert!(!text.contains(private), "{text}");
        }
    }
    assert_eq!(tenant.audit("claims.resends_stopped").len(), 1);
    // The email waits in the database until the scheduled job sends it.
    let waiting = "SELECT count(*) AS n FROM notices WHERE practice_id = ?1 AND kind = 'resends_stopped'";
    assert_eq!(tenant.number(waiting), 1);
    for _ in 0..2 {
        let swept = server().client().exchange("POST", "/.tests/sweep", Some(b""));
        swept.expect(204);
    }
    assert_eq!(tenant.number(waiting), 0);
    for owner in &owners {
        let mut inbox = server().mails_to(&owner.email);
        let mail = inbox.take();
        assert_eq!(mail.subject, MAIL);
        for private in ["A-1", "Jane", "Doe", "1980"] {
            assert!(!mail.text.contains(private), "{}", mail.text);
        }
        assert_eq!(inbox.take_within(Duration::from_millis(500)), None);
    }
    let mut inbox = server().mails_to(&admin.email);
    assert_eq!(inbox.take_within(Duration::from_millis(1)), None);
    let log = server().log().lines().join("\n");
    assert!(!log.contains("1950-01-11"));
}

#[test]
fn a_right_guess_that_was_loaded_before_the_first_mismatch_is_refused_once_the_bound_is_reached_by_key_and_by_session()
{
    let tenant = Tenant::new(server());
    tenant.send(&item("A-1"));
    let day = "strftime('%Y-%m-%d', 'now')";
    let change = |sql: String| json!({ "sql": sql, "params": [tenant.id.to_string()] });
    let none = change("DELETE FROM mismatches WHERE practice_id = ?1".into());
    // Twenty mismatches that others cause between the load of the correct guess and its answer.
    let twenty = format!(
        "INSERT INTO mismatches (day, practice_id, claim_id, count)
         SELECT {day}, ?1, c.id, 20 FROM claims c WHERE c.practice_id = ?1 UNION ALL SELECT {day}, ?1, '', 20"
    );
    let faults = json!({ "1": { "before": [none] }, "2": { "before": [change(twenty)] } });
    let honest = tenant.client().send(&item("A-1"));
    assert_eq!(outcome(&honest), "same");
    assert_eq!(outcome(&tenant.client().send(&guess("A-1", 1))), OTHER_PATIENT);
    let client = tenant.client().faulty(&faults);
    assert_stopped(&client.send(&item("A-1")), "");
    let person = tenant.member().faulty(&faults);
    let right = person.post("/api/v1/denials", item("A-1").to_string());
    assert_eq!(right.status, 429, "{}", right.text());
    assert_eq!(right.json["error"]["message"], STOPPED);
}
