//! A practice moves between databases while its callers work.

use overturn_tests::only_on_native;
use overturn_tests::prelude::*;
use overturn_tests::server::OPERATOR_TOKEN;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

const MOVES: usize = 10;

fn operator(server: &Server) -> Client {
    server.client().with("Authorization", &format!("Bearer {OPERATOR_TOKEN}"))
}

/// Ends the callers, also if the test fails.
struct End<'o>(&'o AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Moves a practice, and waits until it is there.
fn moved(operator: &Client, practice: &str, to: usize) {
    wait::until("the move", || {
        let done = operator.post(&format!("/operations/moves?practice={practice}&to={to}"), "");
        done.expect(200);
        let newest = &done.json["moves"][0];
        newest["step"] == "done" && newest["target"] == to
    });
}

#[test]
fn a_practice_moves_back_and_forth_while_callers_work_and_nothing_is_lost_or_doubled() {
    only_on_native!("the Workers of the tests have one database");
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited", "CELLS": "3" }));
    let tenant = Tenant::new(&server);
    let practice = tenant.id.to_string();
    let (owner, operator) = (tenant.owner(), operator(&server));
    let (over, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (sent, dead) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let is_over = || over.load(Ordering::SeqCst);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let client = tenant.client();
                while !is_over() {
                    let number = format!("M-{}", next.fetch_add(1, Ordering::SeqCst));
                    client.send(&item(&number)).expect(201);
                    client.status(&number).expect(200);
                    sent.lock().unwrap().push(number);
                }
            });
        }
        scope.spawn(|| {
            while !is_over() {
                owner.get("/api/v1/denials").expect(200);
                owner.get("/api/v1/auth/session").expect(200);
            }
        });
        scope.spawn(|| {
            while !is_over() {
                let body = json!({ "name": "Short", "scopes": ["claims:read"] });
                let made = owner.post("/api/v1/settings/api_keys", body.to_string());
                made.expect(201);
                let bearer = format!("Bearer {}", made.json["key"].as_str().unwrap());
                let client = server.client().with("Authorization", &bearer);
                client.status("unknown").expect(404);
                owner.delete(&format!("/api/v1/settings/api_keys/{}", made.id())).expect(204);
                let mut dead = dead.lock().unwrap();
                dead.push(client);
                for client in dead.iter() {
                    client.status("unknown").expect(401);
                }
            }
        });
        let _ended = End(&over);
        for n in 0..MOVES {
            moved(&operator, &practice, [1, 2, 0][n % 3]);
        }
    });
    let (client, sent) = (tenant.client(), sent.into_inner().unwrap());
    for number in &sent {
        client.status(number).expect(200);
    }
    for client in dead.into_inner().unwrap() {
        client.status("unknown").expect(401);
    }
    let audit = owner.get("/api/v1/settings/audit/verify");
    audit.expect(200);
    assert!(audit.json["broken"].is_null(), "{}", audit.json);
    let figures = owner.get("/api/v1/denials/summary");
    figures.expect(200);
    assert!(sent.len() > MOVES, "{} claims, {}", sent.len(), figures.json);
}
