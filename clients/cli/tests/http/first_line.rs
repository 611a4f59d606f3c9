//! An invalid key is reported before everything else.

use crate::program::{item, lines, numbered, program, program_for, run};
use crate::service::{Act, Service};
use overturn_core::base::token::{ApiToken, Realm};
use serde_json::json;
use std::process::{Command, Stdio};

/// Runs the program on this input with both outputs in one file, as a terminal shows them.
fn shown(mut command: Command, input: &str) -> String {
    use std::io::{Read, Seek, Write};
    let path = std::env::temp_dir().join(format!("overturn-{:?}-{}", std::thread::current().id(), std::process::id()));
    let open = |path: &std::path::Path| {
        let mut options = std::fs::OpenOptions::new();
        options.create(true).read(true).append(true).open(path).unwrap()
    };
    let mut file = open(&path);
    std::fs::remove_file(&path).unwrap();
    let both = file.try_clone().unwrap();
    command.stdout(Stdio::from(both.try_clone().unwrap())).stderr(Stdio::from(both));
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let _ended = child.wait().unwrap();
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_key_that_the_service_does_not_take_is_said_before_the_table_and_the_problems_of_the_file() {
    let refused = || Act::Say(401, "", json!({ "error": "a valid API key is required" }));
    let bad = lines([json!({ "patient": {}, "claim": {} })]);
    for file in [numbered(0..3), format!("{bad}{}{bad}", numbered(0..150))] {
        let service = Service::new([refused()]);
        let text = shown(program_for(&service, &["send", "-"]), &file);
        let first = text.lines().next().unwrap();
        assert!(first.starts_with("error: the service does not know the key"), "{text}");
        assert_eq!(text.matches("does not know the key").count(), 1, "{text}");
        assert!(text.contains("not answered"), "{text}");
    }
    let service = Service::new([refused()]);
    let text = shown(program_for(&service, &["status", "A-1"]), "");
    assert!(text.starts_with("error: the service does not know the key"), "{text}");
}

#[test]
fn held_results_are_printed_once_the_key_is_accepted() {
    let bad = lines([json!({ "patient": {}, "claim": {} })]);
    let service = Service::new([]);
    let text = shown(program_for(&service, &["send", "-"]), &format!("{bad}{}", numbered(0..3)));
    assert!(text.starts_with("line 1: patient.first_name is required\n"), "{text}");
    let none = shown(program_for(&service, &["send", "-"]), &bad);
    assert!(none.starts_with("patient.first_name is required\n"), "{none}");
}

#[test]
fn an_invalid_key_ends_the_program_before_the_file_is_read() {
    let token = ApiToken::mint(Realm::Test, [7; 24]);
    for (key, says) in [
        (token.expose(), "it is an API token, which the claims interface does not take"),
        ("secret", "a key starts with ovt_live_ or ovt_test_"),
    ] {
        let mut command = program(&["send", "no such file"]);
        command.env("OVERTURN_URL", "http://127.0.0.1:1").env("OVERTURN_API_KEY", key);
        let ended = run(command, &lines([item("A")]));
        assert_eq!((ended.status, &*ended.out, ended.err.lines().count()), (2, "", 1));
        let start = format!("error: OVERTURN_API_KEY holds no API key: {says}");
        assert!(ended.err.starts_with(&start) && !ended.err.contains(key), "{}", ended.err);
    }
}
