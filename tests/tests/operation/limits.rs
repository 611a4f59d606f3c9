//! The limits of a key: 300 reads and 60 sends in any minute, never more. An instance may have an eighth of what is left
//! ahead, so calls that come to several instances at once may be a few less.

use overturn_core::base::token::ApiToken;
use overturn_service::request::secret::SessionToken;
use overturn_tests::client::{CLAIMS, STATUS, keys};
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, SystemTime};

/// One server with limits for this module. Each test uses its own keys.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({})))
}

/// Calls from many threads at once.
fn at_once(calls: usize, client: impl Fn() -> Client + Sync, call: impl Fn(&Client) -> Answer + Sync) -> Vec<Answer> {
    const THREADS: usize = 20;
    assert_eq!(calls % THREADS, 0);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let client = client();
                    (0..calls / THREADS).map(|_| call(&client)).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn number(answer: &Answer, header: &str) -> i64 {
    answer.header(header).expect(header).parse().unwrap()
}

/// The answers that passed: at most so many, and at least seven eighths of them.
fn passed(answers: &[Answer], limit: usize) -> Vec<&Answer> {
    let passed: Vec<&Answer> = answers.iter().filter(|answer| answer.status != 429).collect();
    assert!((limit - limit / 8..=limit).contains(&passed.len()), "{} passed", passed.len());
    passed
}

fn with_status(answers: &[Answer], status: u16) -> Vec<&Answer> {
    answers.iter().filter(|answer| answer.status == status).collect()
}

/// A key of the right form that the database does not have.
fn unknown() -> (String, String) {
    let key = overturn_core::base::token::ApiKey::mint(Realm::Test, random());
    (key.expose().into(), key.hash())
}

#[test]
fn of_100_parallel_sends_60_pass_and_reads_count_separately() {
    let tenant = Tenant::new(server());
    let body = item("A-1").to_string();
    let answers = at_once(100, || tenant.client(), |client| client.post(CLAIMS, &body));
    let refused = with_status(&answers, 429);
    for answer in passed(&answers, 60) {
        assert!((0..60).contains(&number(answer, "x-ratelimit-remaining")));
    }
    for answer in refused {
        assert_eq!(keys(&answer.json), ["error", "retry_after"]);
        let wait = answer.json["retry_after"].as_i64().unwrap();
        assert_eq!(number(answer, "retry-after"), wait);
        assert!((1..=60).contains(&wait));
        assert_eq!(number(answer, "x-ratelimit-limit"), 60);
        assert_eq!(number(answer, "x-ratelimit-remaining"), 0);
        let reset = number(answer, "x-ratelimit-reset") * 1000;
        assert!((now().0..now().0 + 62_000).contains(&reset));
    }
    assert_eq!(tenant.claims(), 1);
    let read = tenant.client().status("A-1");
    assert_eq!((read.status, number(&read, "x-ratelimit-limit")), (200, 300));
    assert_eq!(number(&read, "x-ratelimit-remaining"), 299);
}

#[test]
fn of_400_parallel_reads_300_pass_and_another_key_is_not_affected() {
    let tenant = Tenant::new(server());
    let answers = at_once(400, || tenant.client(), |client| client.status("none"));
    assert!(passed(&answers, 300).iter().all(|answer| answer.status == 404));
    let other = tenant.key(&Scope::ALL, Realm::Test);
    tenant.client_of(&other).status("none").expect(404);
}

#[test]
fn a_limit_comes_after_the_key_and_before_everything_else() {
    let inactive = Tenant::on(server(), Terms { active: false, ..Terms::default() });
    let refused = at_once(80, || inactive.client(), |client| client.post(CLAIMS, "not JSON"));
    assert!(passed(&refused, 60).iter().all(|answer| answer.status == 403));
    inactive.change("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1", &[]);
    let revoked = inactive.client().post(CLAIMS, "{}");
    revoked.expect(401);
    assert_eq!(revoked.header("x-ratelimit-limit"), None, "an old key is told no more than an unknown one");
}

#[test]
fn a_call_that_was_refused_does_not_make_the_wait_longer() {
    let tenant = Tenant::new(server());
    let body = item("A-1").to_string();
    let _sixty = at_once(60, || tenant.client(), |client| client.post(CLAIMS, &body));
    let refused: Vec<Answer> = (0..12)
        .map(|_| {
            thread::sleep(Duration::from_millis(200));
            tenant.client().post(CLAIMS, &body)
        })
        .collect();
    assert_eq!(with_status(&refused, 429).len(), 12);
    let resets: Vec<i64> = refused.iter().map(|answer| number(answer, "x-ratelimit-reset")).collect();
    assert_eq!(resets, [resets[0]; 12]);
    let waits: Vec<i64> = refused.iter().map(|answer| number(answer, "retry-after")).collect();
    assert!(waits.is_sorted_by(|a, b| a >= b) && waits[0] > waits[11], "{waits:?}");
}

#[test]
fn only_answers_to_known_keys_show_their_limit() {
    let tenant = Tenant::new(server());
    let client = tenant.client();
    let began = now().0;
    for (n, (answer, status, limit)) in [
        (client.send(&item("A-1")), 201, 60),
        (client.send(&item("A-1")), 200, 60),
        (client.send(&json!({})), 422, 60),
        (client.status("A-1"), 200, 300),
        (client.status("A-2"), 404, 300),
        (client.get(STATUS), 422, 300),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(answer.status, status);
        assert_eq!(number(&answer, "x-ratelimit-limit"), limit);
        let made = i64::try_from(n % 3).unwrap() + 1;
        assert_eq!(number(&answer, "x-ratelimit-remaining"), limit - made);
        let reset = number(&answer, "x-ratelimit-reset") * 1000;
        assert!((began + 60_000 - 1_000..=now().0 + 61_000).contains(&reset));
        assert_eq!(answer.header("retry-after"), None);
    }
    let nobody = server().client();
    for answer in [client.get(CLAIMS), nobody.send(&item("A-1")), nobody.get("/health")] {
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("x-ratelimit-")));
    }
}

#[test]
fn an_unknown_key_leaves_no_storage_and_a_known_one_survives_a_restart() {
    only_on_workerd!("a limiter is a Durable Object with storage, and the native limits are in memory");
    let server = Server::start(State::fresh(), &json!({ "CLAIMS_SENDS_PER_MINUTE": "3" }));
    let tenant = Tenant::new(&server);
    let body = item("A-1").to_string();
    let client = tenant.client();
    let statuses: Vec<u16> = (0..4).map(|_| client.post(CLAIMS, &body).status).collect();
    assert_eq!(statuses, [201, 200, 200, 429]);
    let called = SystemTime::now();
    let (key, id) = (tenant.key.text.clone(), tenant.id);
    for _ in 0..25 {
        let nobody = server.client().with("Authorization", &format!("Bearer {}", unknown().0));
        nobody.get(STATUS).expect(401);
        nobody.post(CLAIMS, &body).expect(401);
        let token = ApiToken::mint(Realm::Test, random());
        let nobody = server.client().with("Authorization", &format!("Bearer {}", token.expose()));
        nobody.get("/api/v1/denials").expect(401);
        let session = SessionToken::mint(random());
        let cookie = format!("__Host-session={}", session.expose());
        let nobody = server.client().with("Cookie", &cookie);
        nobody.get("/api/v1/auth/session").expect(401);
        nobody.post("/api/v1/auth/session/logout", "").expect(401);
    }
    drop(tenant);
    // It writes what it counted a second after the first answer.
    wait::until("the limiter writes", || objects(server.state()).iter().any(|file| written(file) > Some(called)));
    let state = server.stop();
    let objects = objects(&state);
    assert_eq!(objects.len(), 1, "only the key that exists has a limiter");
    assert_eq!(rows(&objects[0]), 3, "its three calls");

    let server = Server::start(state, &json!({ "CLAIMS_SENDS_PER_MINUTE": "3" }));
    let client = server.client().with("Authorization", &format!("Bearer {key}"));
    assert_eq!(client.post(CLAIMS, &body).status, 429, "practice {id}");
}

/// The storage of every limiter that exists. Only after the server has stopped is all of it written.
fn objects(state: &State) -> Vec<PathBuf> {
    let files = state.files().into_iter();
    let files = files.filter(|file| {
        file.to_string_lossy().contains("/do/")
            && file.extension().is_some_and(|end| end == "sqlite")
            && !file.ends_with("metadata.sqlite")
    });
    files.collect()
}

/// When the storage of a limiter was last written, or its log.
fn written(file: &Path) -> Option<SystemTime> {
    let log = PathBuf::from(format!("{}-wal", file.display()));
    let times = [file, &log].into_iter().filter_map(|file| file.metadata().ok()?.modified().ok());
    times.max()
}

/// The calls that a limiter has stored. An empty limiter has no table.
fn rows(file: &Path) -> i64 {
    let db = rusqlite::Connection::open(file).unwrap();
    db.query_row("SELECT count(*) FROM calls", [], |row| row.get(0)).unwrap_or(0)
}

#[test]
fn without_limits_the_headers_stay_and_show_the_first_call_of_a_window() {
    let server = Server::shared();
    let tenant = Tenant::new(server);
    let owner = Person::of(&tenant, Role::Owner);
    let client = tenant.client();
    for _ in 0..2 {
        let began = now().0;
        for (answer, limit) in [
            (client.send(&item("A-1")), 60),
            (client.status("A-1"), 300),
            (owner.client().get("/api/v1/settings/api_keys"), 300),
            (owner.client().post("/api/v1/settings/api_keys", "{}"), 60),
        ] {
            assert_eq!(number(&answer, "x-ratelimit-limit"), limit);
            assert_eq!(number(&answer, "x-ratelimit-remaining"), limit - 1);
            let reset = number(&answer, "x-ratelimit-reset") * 1000;
            assert!((began + 59_000..=now().0 + 61_000).contains(&reset));
        }
    }
    let answers = at_once(100, || tenant.client(), |client| client.send(&item("A-1")));
    assert_eq!(with_status(&answers, 200).len(), 100, "none is refused");
    let bearer = format!("Bearer {}", unknown().0);
    let stranger = server.client().with("Authorization", &bearer);
    let refused = stranger.status("A-1");
    refused.expect(401);
    assert_eq!(refused.header("x-ratelimit-limit"), None);
}
