//! The user stops the program.

use crate::program::{Ended, end, item, lines, numbered, program, program_for, run};
use crate::service::{Act, Service};
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
    assert!(sent.success());
}

/// True if the program has a handler for SIGINT. Linux tells it by the second bit of a mask; other systems do not.
fn catches_interrupts(child: &Child) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id())) else {
        thread::sleep(Duration::from_secs(1));
        return true;
    };
    let mut caught = status.lines().filter_map(|line| line.strip_prefix("SigCgt:"));
    caught.any(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
}

pub(crate) fn patiently(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_send_says_what_it_knows_and_is_finished_by_the_next() {
    let service = Service::new([]);
    let printed = std::env::temp_dir().join(format!("overturn-cli-{}.printed", std::process::id()));
    let mut command = program_for(&service, &["send", "-", "--json"]);
    let mut child = command.stdout(File::create(&printed).unwrap()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(numbered(0..150).as_bytes()).unwrap();
    // The pipe stays open, so the program then waits for the next line.
    patiently("the first hundred are answered", || fs::read_to_string(&printed).unwrap().lines().count() >= 100);
    signal(&child, "INT");
    patiently("it ends", || child.try_wait().unwrap().is_some());
    let stopped = Ended { out: fs::read_to_string(&printed).unwrap(), ..end(child) };
    fs::remove_file(&printed).unwrap();
    drop(stdin);
    assert_eq!(stopped.status, 130);
    let summary = stopped.summary();
    assert_eq!((&summary["complete"], &summary["created"]), (&json!(false), &json!(100)));
    // The claims read by then.
    assert!(summary["not_answered"].as_u64() <= Some(50), "{summary}");
    assert!(stopped.err.contains("Run the same command again") && stopped.err.ends_with("interrupted\n"));
    let again = run(program_for(&service, &["send", "-", "--json"]), &numbered(0..250));
    let summary = again.summary();
    assert_eq!((&summary["created"], &summary["already_there"]), (&json!(150), &json!(100)));
}

#[test]
fn a_call_without_an_answer_is_abandoned_and_a_second_signal_ends_at_once() {
    for is_impatient in [false, true] {
        let service = Service::new([Act::Hang]);
        let mut child = program_for(&service, &["send", "-"]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(numbered(0..3).as_bytes()).unwrap();
        drop(stdin);
        patiently("the call arrives", || service.sizes() == [3]);
        let start = Instant::now();
        signal(&child, "INT");
        patiently("it ends", || {
            let has_ended = child.try_wait().unwrap().is_some();
            if is_impatient && !has_ended {
                signal(&child, "INT");
            }
            has_ended
        });
        let stopped = end(child);
        assert_eq!(stopped.status, 130);
        if is_impatient {
            assert_eq!(stopped.out, "", "it says nothing more");
        } else {
            assert!(start.elapsed() >= Duration::from_secs(3), "it waits for the answer for a while");
            assert!(stopped.out.contains("not answered   3"));
        }
    }
}

#[test]
fn after_a_signal_no_call_is_begun_however_many_claims_wait() {
    let service = Service::new([Act::Slow]);
    let mut child = program_for(&service, &["send", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The same number three times makes three requests, all at the end of the file.
    let file = lines(["A", "A", "A"].map(item));
    stdin.write_all(file.as_bytes()).unwrap();
    drop(stdin);
    patiently("the call arrives", || service.sizes() == [1]);
    signal(&child, "INT");
    patiently("it ends", || child.try_wait().unwrap().is_some());
    let stopped = end(child);
    assert_eq!((stopped.status, service.sizes()), (130, vec![1]));
    assert!(stopped.out.starts_with("created        1\n"));
    assert!(stopped.out.ends_with("not answered   2\n"), "{}", stopped.out);
}

#[test]
fn a_pipe_without_a_writer_does_not_prevent_stopping() {
    let pipe = std::env::temp_dir().join(format!("overturn-cli-{}.pipe", std::process::id()));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = program(&["validate", pipe.to_str().unwrap()]).spawn().unwrap();
    patiently("it watches for signals", || catches_interrupts(&child));
    assert_eq!(child.try_wait().unwrap(), None);
    signal(&child, "INT");
    patiently("it ends", || child.try_wait().unwrap().is_some());
    std::fs::remove_file(&pipe).unwrap();
    let stopped = end(child);
    assert_eq!((stopped.status, &*stopped.err), (130, "interrupted\n"));
}
