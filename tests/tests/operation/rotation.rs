//! A new sealing key comes in step by step, and no request fails.

use overturn_core::base::id::PracticeId;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::store::keyring::Keyring;
use overturn_tests::account::{Account, SESSION, show};
use overturn_tests::answer::{OTHER_PATIENT, Sent};
use overturn_tests::database::statement;
use overturn_tests::prelude::*;
use overturn_tests::server::OPERATOR_TOKEN;
use overturn_tests::tenant::{self, Key};
use std::thread;

const OLD: &str = "1:AvJOc3Az6XX0HyEGP/oP9c4LLHx1jG+pVTZC/r7ZVCQ=";
const NEW: &str = "2:0CsqNbAZP3BiauF4uBZa3ksVVs8+19O6+UQ7DH2oveU=";
const LOST: &str = "3:1JJWYgIGVaUJYqfkDsSSDxMo4z6KgAvNIQDMw4AbspU=";

fn start(state: State, keys: &[&str]) -> Server {
    let vars = json!({ "LIMITS": "unlimited", "SEALING_KEYS": keys.join(",") });
    Server::start(state, &vars)
}

fn at<'s>(server: &'s Server, id: PracticeId, key: &Key) -> Tenant<'s> {
    let key = key.clone();
    Tenant { server, id, key }
}

/// Re-seals page by page. Returns the number of data keys and factors that got another key, and of values that no key
/// opened.
fn reseal(server: &Server) -> ([u64; 2], u64) {
    let bearer = format!("Bearer {OPERATOR_TOKEN}");
    let client = server.client().with("Authorization", &bearer);
    let (mut resealed, mut unreadable, mut next) = ([0, 0], 0, Some(String::new()));
    while let Some(after) = next {
        let done = client.post(&format!("/operations/reseal?after={after}"), "");
        done.expect(200);
        let count = done.json["resealed"].as_u64().unwrap();
        match done.json["of"].as_str().unwrap() {
            "data_keys" => resealed[0] += count,
            "factors" => resealed[1] += count,
            of => assert_eq!(count, 0, "{of}"),
        }
        unreadable += done.json["unreadable"].as_u64().unwrap();
        next = done.json["after"].as_str().map(str::to_owned);
    }
    (resealed, unreadable)
}

/// A person with a second factor, known across server restarts.
struct Known {
    email: String,
    password: String,
    totp: TotpSecret,
}

impl Known {
    fn new(tenant: &Tenant<'_>) -> Self {
        let account = Account::of(tenant, Role::Owner);
        Self { totp: account.totp.clone().unwrap(), email: account.email, password: account.password }
    }

    /// Signs in with the code of `from_now` milliseconds from now, because each code works once. Returns the status.
    fn signs_in(&self, server: &Server, from_now: i64) -> u16 {
        let body = json!({ "email": self.email, "password": self.password }).to_string();
        let asked = server.client().post(SESSION, body);
        let token = asked.json["continuation_token"].as_str().unwrap();
        let code = self.totp.code_at(tenant::now().plus(from_now));
        show(&server.client(), token, &code).status
    }
}

fn versions(tenant: &Tenant<'_>) -> Vec<Value> {
    let sql =
        "SELECT key_version AS version, count(*) AS claims FROM claims WHERE practice_id = ?1 GROUP BY 1 ORDER BY 1";
    tenant.rows(sql, &[])
}

fn numbers(step: &str) -> Vec<String> {
    (0..100).map(|n| format!("{step}-{n}")).collect()
}

/// What callers do at each step: new sends, resends, and a resend for the wrong patient.
fn business(tenant: &Tenant<'_>, known: &[&str], new: &str) {
    assert_eq!(tenant.send(&numbered(numbers(new))).created(), [true; 100]);
    for step in known.iter().chain([&new]) {
        let again = tenant.send(&numbered(numbers(step)));
        assert_eq!(again.created(), [false; 100]);
        assert_eq!(again.errors(), [None; 100], "{step}");
        tenant.client().status(&format!("{step}-7")).expect(200);
    }
    let same = with(full("full"), "patient.first_name", " JANE ");
    let other = with(full("full"), "patient.first_name", "Joan");
    assert_eq!(tenant.send(&same).errors(), [None]);
    assert_eq!(tenant.send(&other).errors(), [Some(OTHER_PATIENT)]);
}

#[test]
fn a_key_is_rotated_without_a_request_that_fails() {
    let server = start(State::fresh(), &[OLD]);
    let tenant = Tenant::new(&server);
    let (id, key) = (tenant.id, tenant.key.clone());
    let person = Known::new(&tenant);
    tenant.send(&full("full"));
    let patient = tenant.opened(&tenant.row("full"));
    business(&tenant, &[], "alone");

    // First the new key goes to the end of the list: instances may need it to read.
    let server = start(server.stop(), &[OLD, NEW]);
    let tenant = at(&server, id, &key);
    business(&tenant, &["alone"], "beside");
    assert_eq!(person.signs_in(&server, -30_000), 200);
    assert_eq!(versions(&tenant), [json!({ "version": 1, "claims": 201 })]);

    // Then to the front: data keys are wrapped again while callers go on.
    let server = start(server.stop(), &[NEW, OLD]);
    let tenant = at(&server, id, &key);
    business(&tenant, &["alone", "beside"], "before");
    let claim = tenant.row("alone-3");
    let (done, sent) = thread::scope(|scope| {
        let callers: Vec<_> = (0..4)
            .map(|_| {
                let tenant = &tenant;
                scope.spawn(move || {
                    let client = tenant.client();
                    let send = |step: &str| {
                        let body = numbered(numbers(step));
                        Sent::read(&body, &client.send(&body))
                    };
                    ["alone", "beside", "before"].repeat(5).into_iter().map(send).collect::<Vec<_>>()
                })
            })
            .collect();
        let done = reseal(&server);
        let sent = callers.into_iter().flat_map(|caller| caller.join().unwrap());
        (done, sent.collect::<Vec<_>>())
    });
    assert_eq!(done, ([1, 1], 0));
    assert_eq!(tenant.row("alone-3"), claim, "a claim under its data key stays as it is");
    assert!(sent.iter().all(|sent| sent.errors() == [None; 100] && sent.created() == [false; 100]));
    assert_eq!(versions(&tenant), [json!({ "version": 1, "claims": 301 })]);
    assert_eq!(reseal(&server), ([0, 0], 0));
    assert_eq!(person.signs_in(&server, 0), 200);
    let keys = Keyring::parse(NEW).ok().unwrap();
    assert_eq!(tenant.opened_by(&keys, &tenant.row("full")), patient);

    // Then the old key is removed, and nothing fails.
    let server = start(server.stop(), &[NEW]);
    let tenant = at(&server, id, &key);
    business(&tenant, &["alone", "beside", "before"], "after");
    assert_eq!(person.signs_in(&server, 30_000), 200);
    tenant.check();
}

#[test]
fn a_value_that_no_key_opens_is_counted_and_not_changed() {
    let server = start(State::fresh(), &[OLD]);
    let tenant = Tenant::new(&server);
    let (id, key) = (tenant.id, tenant.key.clone());
    tenant.send(&numbered(numbers("old")));
    let _known = Known::new(&tenant);
    let row = tenant.row("old-7");
    let server = start(server.stop(), &[LOST, NEW]);
    let tenant = at(&server, id, &key);
    // The service does not replace a data key that it cannot open: the data under it would be lost silently.
    tenant.client().send(&full("new")).expect(503);
    // The data key, its hundred claims, and the second factor.
    assert_eq!(reseal(&server), ([0, 0], 102));
    assert_eq!(tenant.row("old-7"), row);
    let server = start(server.stop(), &[LOST, OLD]);
    assert_eq!(reseal(&server), ([1, 1], 0));
    assert_eq!(at(&server, id, &key).send(&numbered(numbers("old"))).errors(), [None; 100]);
}

#[test]
fn a_factor_that_changes_while_its_page_is_resealed_is_not_written_over() {
    let server = start(State::fresh(), &[OLD]);
    let _known = Known::new(&Tenant::in_cell(&server, 0));
    let server = start(server.stop(), &[NEW, OLD]);
    let elsewhere = "UPDATE factors SET sealed = 'elsewhere', key_version = 3";
    let faults = json!({ "2": { "before": [statement(elsewhere, &[])] } });
    let done = server
        .client()
        .with("Authorization", &format!("Bearer {OPERATOR_TOKEN}"))
        .faulty(&faults)
        .post("/operations/reseal?after=factors", "");
    done.expect(200);
    let rows = server.database().rows("SELECT sealed, key_version FROM factors", &[]);
    assert_eq!(rows, [json!({ "sealed": "elsewhere", "key_version": 3 })]);
}
