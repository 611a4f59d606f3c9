//! How the native program starts, stops, and shares its data folder.

use overturn_tests::client::CLAIMS;
use overturn_tests::only_on_native;
use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::receiver::{OK, Receiver, Reply};
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;

/// Runs a program. The error is what it said.
fn run(program: &mut Command) -> Result<String, String> {
    let done = program.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    match done.status.success() {
        true => Ok(text(done.stdout)),
        false => Err(text(done.stderr)),
    }
}

/// Runs a command of the program on a data folder.
fn command(words: &[&str], data: &Path) -> Result<String, String> {
    run(project::native().args(words).arg("--data").arg(data))
}

#[test]
fn a_data_folder_has_one_server_beside_which_only_sql_files_run() {
    only_on_native!("the platform keeps the data of Workers");
    let server = Server::start(State::fresh(), &json!({ "CELLS": "1" }));
    let data = server.state().folder();
    for words in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"]] {
        let refused = command(words, data).unwrap_err();
        assert!(refused.contains("another overturn-server"), "{refused}");
    }
    let file = data.join("note.sql");
    fs::write(&file, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('x');").unwrap();
    let execute = ["execute", file.to_str().unwrap()];
    command(&execute, data).unwrap();
    let count = "SELECT count(*) AS n FROM notes";
    assert_eq!(server.database().number(count, &[]), 1);
    command(&execute, data).unwrap_err();
    assert_eq!(server.database().number(count, &[]), 1);
    let nowhere = data.join("nowhere");
    let refused = command(&execute, &nowhere).unwrap_err();
    assert!(refused.contains("there is no database"), "{refused}");
    let state = server.stop();
    command(&["migrate"], state.folder()).unwrap();
}

#[test]
fn a_host_may_be_a_container_and_a_refused_one_is_answered_in_the_shape_of_the_path() {
    only_on_native!("the platform answers for hosts that a Worker does not have");
    let ask = |path: &str, host: &str| {
        let mut connection = Server::shared().client().connect();
        connection.write(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
        let answer = connection.read(false).unwrap();
        (answer.status, serde_json::from_slice::<Value>(&answer.body).unwrap()["error"].clone())
    };
    let claims = "/api/v1/claims/status?claim_number=A-1";
    assert_eq!(ask(claims, "over_turn:8080").0, 401);
    let (status, error) = ask(claims, "over turn");
    assert!(status == 400 && error.is_string(), "{status} {error}");
    let (status, error) = ask("/api/v1/denials", "over turn");
    assert!(status == 400 && error["code"].is_string(), "{status} {error}");
}

#[test]
fn the_operators_commands_reach_a_data_folder_while_it_is_served() {
    only_on_native!("the operator reaches the database of Workers through wrangler");
    let server = Server::start(State::fresh(), &json!({}));
    let data = server.state().folder();
    let order = |words: &[&str]| run(project::operator().args(words).arg("--state").arg(data));
    let email = "dana@cedar.example";
    let create = ["create-practice", "--name", "Cedar", "--owner", email];
    let made = order(&[&create[..], &["--url", "https://o.example"]].concat()).unwrap();
    assert!(made.contains("https://o.example/invitation#"), "{made}");
    let listed = order(&["list-practices"]).unwrap();
    assert!(listed.trim().ends_with("active    Cedar"), "{listed}");
    let invited = "SELECT count(*) AS n FROM users WHERE email = ?1 AND state = 'invited'";
    assert_eq!(server.database().number(invited, &[email]), 1);
}

#[test]
fn the_program_itself_asks_a_server_for_its_health() {
    only_on_native!("the platform starts Workers anew");
    let server = Server::start(State::fresh(), &json!({}));
    let ask = |port: u16| {
        let mut program = project::native();
        let address = format!("127.0.0.1:{port}");
        program.args(["health", "--listen", &address]);
        program.status().unwrap().success()
    };
    assert!(ask(server.port()));
    let port = server.port();
    let state = server.stop();
    assert!(!ask(port));
    let server = Server::start(state, &json!({}));
    server.database().change("DROP TABLE practices", &[]);
    assert!(!ask(server.port()));
}

/// A new endpoint gets a test message.
fn tell(owner: &Client, receiver: &Receiver) {
    let webhooks = "/api/v1/settings/webhooks";
    let body = json!({ "url": receiver.url(), "events": ["report.delivered"] });
    let made = owner.post(webhooks, body.to_string());
    made.expect(201);
    let id = made.id();
    let told = owner.post(&format!("{webhooks}/{id}/test"), "");
    told.expect(202);
    let _came = receiver.wait(1);
}

#[test]
fn an_endpoint_that_hangs_holds_up_no_other_practice() {
    only_on_native!("the platform runs several consumers of the queue");
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let quick = Arc::new(Receiver::new([OK]));
    let hangs = Receiver::new([Reply::Behind(Arc::clone(&quick))]);
    for receiver in [&hangs, &quick] {
        tell(&Tenant::new(&server).owner(), receiver);
    }
    let first = "SELECT count(*) AS n FROM deliveries WHERE state = 'delivered' AND attempts = 1";
    wait::until("both are delivered at once", || server.database().number(first, &[]) == 2);
}

#[test]
fn a_stop_waits_for_the_webhook_message_that_is_under_way() {
    only_on_native!("the platform ends Workers");
    let vars = json!({ "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let tenant = Tenant::new(&server);
    let owner = tenant.owner();
    let receiver = Receiver::new([Reply::WhenGone(server.port())]);
    tell(&owner, &receiver);
    let server = Server::start(server.stop(), &vars);
    let sql = "SELECT state, attempts, last_status FROM deliveries";
    let delivered = json!({ "state": "delivered", "attempts": 1, "last_status": 200 });
    let found = Value::from(server.database().rows(sql, &[]));
    assert_eq!(found, json!([delivered]));
}

#[test]
fn a_stop_answers_the_request_that_is_under_way_and_takes_no_other() {
    only_on_native!("the platform ends Workers");
    let server = Server::start(State::fresh(), &json!({}));
    let (tenant, port) = (Tenant::new(&server), server.port());
    let (body, mut connection) = (item("A-1").to_string(), tenant.client().connect());
    let head = tenant.client().head("POST", CLAIMS);
    let head = format!("{head}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n", body.len());
    connection.write(head.as_bytes()).unwrap();
    connection.read(true).unwrap().expect(100);
    let (id, key) = (tenant.id, tenant.key.clone());
    let state = thread::scope(|scope| {
        let stopping = scope.spawn(|| server.stop());
        wait::until("nobody can connect", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err());
        connection.write(body.as_bytes()).unwrap();
        connection.read(false).unwrap().expect(201);
        stopping.join().unwrap()
    });
    let server = Server::start(state, &json!({}));
    assert_eq!(Tenant { server: &server, id, key }.claims(), 1);
}

/// The program as installations run it, with its jobs each second and its figures at a port of its own.
#[test]
fn the_scheduled_jobs_run_by_themselves_and_the_figures_name_no_patient() {
    only_on_native!("the platform runs the jobs of Workers and counts their requests");
    let server = Server::start(State::fresh(), &json!({}));
    let tenant = Tenant::new(&server);
    let (key, state) = (tenant.key.text.clone(), server.stop());
    let server = Server::installed(state, &json!({}), &["--jobs-every", "1", "--metrics", "127.0.0.1:0"]);
    let client = server.client().with("Authorization", &format!("Bearer {key}"));
    client.send(&item("CANARY-1")).expect(201);
    client.status("CANARY-1").expect(200);
    client.get("/CANARY-1").expect(404);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = Connection::open_with_flags(server.state().database(), flags).unwrap();
    let uncounted = || db.query_row("SELECT count(*) FROM uncounted_claims", [], |row| row.get::<_, i64>(0)).unwrap();
    wait::until("a job counts the claim", || uncounted() == 0);
    let log = server.state().database().with_extension("db-wal");
    wait::until("a job empties the log", || fs::metadata(&log).unwrap().len() == 0);
    let raw = Client::new(server.log().metrics_port()).exchange("GET", "/metrics", None);
    let figures = String::from_utf8(raw.body).unwrap();
    assert!(figures.contains("route=\"/api/v1/claims/status\",status=\"200\"} 1"), "{figures}");
    assert!(!figures.contains("CANARY") && !figures.contains(&key), "{figures}");
}

#[test]
fn outside_dev_emails_leave_the_machine_by_tls_only() {
    only_on_native!("the platform sends the emails of Workers");
    let vars = |url: &str| {
        json!({
            "ENVIRONMENT": "staging",
            "PUBLIC_URL": "https://overturn.example",
            "MAIL_FROM": "no-reply@overturn.example",
            "WEBHOOKS_LOCAL": null,
            "SMTP_URL": url,
        })
    };
    let wrong = vars("smtp://user:secret@smtp.example");
    let said = Server::attempt(State::fresh(), &wrong).unwrap_err().join("\n");
    assert!(said.contains("error: SMTP_URL must begin with smtps://"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    for url in ["smtp://user:secret@smtp.example?tls=required", "smtp://127.0.0.1:1025"] {
        let _server = Server::start(State::fresh(), &vars(url));
    }
}
