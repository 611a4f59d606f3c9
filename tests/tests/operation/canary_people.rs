//! Account data and secrets stay where they belong: a tour through the wider service, and a search everywhere else.

use super::canary_columns;
use super::search::holds;
use super::tour::{AGENT, EMAIL, IDEMPOTENCY_KEY, NAME, PRACTICE, Souvenirs, TYPED, Tour};
use overturn_tests::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

/// Every operation of the wider service, from its description.
pub(super) fn operations(server: &Server) -> Vec<(String, String)> {
    let description = server.client().get("/api/v1/openapi/accounts.json");
    let paths = description.json["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, operations)| {
        let methods = operations.as_object().unwrap().keys();
        let methods = methods.filter(|key| *key != "parameters");
        methods.map(|method| (method.to_uppercase(), path.clone()))
    });
    operations.collect()
}

/// The tables that hold a text unencrypted.
fn tables_with(server: &Server, canary: &str) -> Vec<String> {
    let database = server.database();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'
                  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    let tables = database.rows(tables, &[]).into_iter();
    // Each cell has them.
    let tables = tables.map(|row| row["name"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>().into_iter();
    let has = |table: &String| {
        let rows = database.rows(&format!("SELECT * FROM {table}"), &[]);
        holds(Value::from(rows).to_string().as_bytes(), canary)
    };
    tables.filter(has).collect()
}

/// Texts that must occur nowhere, and texts that may occur only with the person's data.
fn everything(kept: &Souvenirs) -> (Vec<&str>, [&'static str; 4]) {
    let handed_out = kept.secrets.iter().map(|(_, secret, _)| &**secret);
    let typed = TYPED.into_iter().chain([IDEMPOTENCY_KEY]);
    (handed_out.chain(typed).collect(), [EMAIL, NAME, AGENT, PRACTICE])
}

#[test]
fn nothing_of_a_person_is_where_it_does_not_belong() {
    // Limits that the tour never reaches, but that are counted.
    let limits = [
        "AUTH_PER_20_SECONDS",
        "AUTH_PER_ADDRESS_PER_20_SECONDS",
        "AUTH_BY_UNKNOWN_DEVICES_PER_HOUR",
        "CODES_BY_UNKNOWN_DEVICES_PER_HOUR",
        "MAIL_PER_5_MINUTES",
        "LINKS_PER_MINUTE",
        "FACTORS_PER_MINUTE",
        "PASSKEYS_PER_MINUTE",
        "PASSKEYS_PER_ADDRESS_PER_MINUTE",
        "PROVIDER_STEPS_PER_MINUTE",
        "READS_PER_MINUTE",
        "WRITES_PER_MINUTE",
    ];
    let vars: serde_json::Map<_, _> = limits.iter().map(|name| ((*name).into(), json!("5000"))).collect();
    let server = Server::start(State::fresh(), &Value::Object(vars));
    let kept = Tour::of(&server);
    assert_answers(&kept);
    // Only several cells have a directory of addresses.
    let with_address = ["addresses", "answers", "users"];
    for (canary, tables) in [
        (EMAIL, &with_address[usize::from(server.cells() == 1)..]),
        (NAME, &["answers", "users"]),
        (AGENT, &["sessions"]),
        (PRACTICE, &["answers", "audit", "practices"]),
    ] {
        assert_eq!(tables_with(&server, canary), tables, "{canary}");
    }
    let keys = canary_columns::opened(&server, &kept);
    let (mut secrets, personal) = everything(&kept);
    secrets.extend(keys.iter().map(|key| &**key));
    // Both during the run, when much is still in the write-ahead log, and after the server has stopped.
    assert_nothing_stored(server.state(), &secrets, personal);
    let log = Arc::clone(server.log());
    assert_nothing_stored(&server.stop(), &secrets, personal);
    let lines = log.lines();
    assert!(lines.len() > kept.answers.len());
    // In development, the replacement of the mail binding prints each email. The Worker does not.
    let is_letter = |line: &&String| serde_json::from_str(line).is_ok_and(|line: Value| line["event"] == "mail");
    for line in lines.iter().filter(|line| !is_letter(line)) {
        let said = secrets.iter().chain(&personal).find(|canary| holds(line.as_bytes(), canary));
        assert_eq!(said, None, "{line}");
    }
}

/// A secret that is shown once is in exactly one answer, and errors do not repeat invalid input.
fn assert_answers(kept: &Souvenirs) {
    let texts: Vec<String> =
        kept.answers.iter().map(|answer| format!("{:?} {}", answer.headers, answer.text())).collect();
    for (what, secret, times) in &kept.secrets {
        let shown = texts.iter().filter(|text| holds(text.as_bytes(), secret)).count();
        assert_eq!(shown, *times, "{what}");
    }
    let (_, personal) = everything(kept);
    for (answer, text) in kept.answers.iter().zip(&texts) {
        let typed = TYPED.iter().chain(&[IDEMPOTENCY_KEY]).find(|canary| holds(text.as_bytes(), canary));
        assert_eq!(typed, None, "{} {text}", answer.status);
        let told = personal.iter().find(|canary| answer.status >= 400 && holds(text.as_bytes(), canary));
        assert_eq!(told, None, "{} {text}", answer.status);
    }
}

fn assert_nothing_stored(state: &State, secrets: &[&str], personal: [&str; 4]) {
    for file in state.files() {
        let part = file.strip_prefix(state.folder()).unwrap().to_string_lossy().into_owned();
        // The folder of emails in development.
        if part.starts_with("mail/") {
            continue;
        }
        let Ok(bytes) = fs::read(&file) else { continue };
        let stored = secrets.iter().find(|secret| holds(&bytes, secret));
        assert_eq!(stored, None, "{part}");
        if !state.is_of_database(&file) {
            let stored = personal.iter().find(|canary| holds(&bytes, canary));
            assert_eq!(stored, None, "{part}");
        }
    }
}
