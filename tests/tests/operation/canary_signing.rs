//! Signatures stay where they belong: a tour of the signing page, and a search everywhere else.

use super::search::holds;
use overturn_tests::prelude::*;
use overturn_tests::signing::{BORN, Case, NUMBER, born, open, patient, proof, sign};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

const PATIENT: &str = "Qanaryborn";
const TYPED: &str = "Qanarysigned";
const AGENT: &str = "Qanaryphone";
const ADDRESS: &str = "203.0.113.77";
const DRAWN: &str = "[[[471,113],[472,114],[473,115]]]";

fn stored(state: &State, canaries: &[&str]) -> Option<String> {
    state.files().into_iter().find_map(|file| {
        let bytes = fs::read(&file).unwrap_or_default();
        let found = canaries.iter().find(|canary| holds(&bytes, canary));
        found.map(|canary| format!("{canary} in {}", file.display()))
    })
}

/// Checks that each part of a signature has a canary. A unit test of the service looks here for the name of each part.
fn assert_sealed(opened: &Value) {
    // Set by the service, or a name of a closed list.
    let harmless = ["version", "language", "signed_at", "relation"];
    let opened = opened.as_object().unwrap().iter();
    let said: BTreeMap<&str, String> = opened
        .filter(|(part, _)| !harmless.contains(&&***part))
        .map(|(part, value)| (&**part, value.as_str().map_or_else(|| value.to_string(), Into::into)))
        .collect();
    let canaries = [("text", PATIENT), ("name", TYPED), ("strokes", DRAWN), ("ip", ADDRESS), ("agent", AGENT)];
    assert_eq!(said.len(), canaries.len(), "{said:?}");
    for (part, canary) in canaries {
        assert!(said[part].contains(canary), "{part}");
    }
}

#[test]
fn nothing_of_a_signature_is_where_it_does_not_belong() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let claim = with(item(NUMBER), "patient.first_name", PATIENT);
    let case = Case::of(Tenant::new(&server), &claim);
    case.decide("needed").expect(200);
    let token = case.token();
    let phone = server.client().with("User-Agent", AGENT);
    // The patient's address with the correct date. The audit trail has the address of a wrong date.
    let at_home = phone.with("CF-Connecting-IP", ADDRESS);
    let first = proof(&at_home, &token);
    let mut unseen = vec![open(&phone, &token)];
    for date in [["1", "1", "1990"], ["Qanaryjunk", "1", "1"]] {
        let [month, day, year] = date;
        unseen.push(born(&phone, &token, [("month", month), ("day", day), ("year", year)]));
    }
    unseen.push(sign(&phone, &token, "Qanaryjunk", &[("name", TYPED)]));
    let broken = phone.with("Tests-Database", r#"{"1+": {"fails": "near Qanaryjunk"}}"#);
    unseen.push(sign(&broken, &token, &first, &[("name", TYPED)]));
    let fields = [("name", TYPED), ("drawing", DRAWN)];
    sign(&at_home, &token, &first, &fields).expect(200);
    assert_sealed(&case.signatures()[0]);
    let path = case.path("/signature");
    let read = case.staff.client().get(&path);
    assert!(holds(&read.body, PATIENT) && holds(&read.body, TYPED));
    for client in [patient(&server), case.tenant.client()] {
        unseen.push(client.get(&path));
    }
    unseen.push(born(&phone, &token, BORN));
    for answer in &unseen {
        let said = format!("{:?} {}", answer.headers, answer.text());
        for canary in [PATIENT, AGENT] {
            assert!(!holds(said.as_bytes(), canary), "{said}");
        }
    }
    let canaries = [PATIENT, TYPED, AGENT, ADDRESS, "Qanaryjunk", DRAWN, &token, &first];
    assert_eq!(stored(server.state(), &canaries), None);
    let log = Arc::clone(server.log());
    assert_eq!(stored(&server.stop(), &canaries), None);
    let lines = log.lines();
    assert!(lines.len() > unseen.len());
    for line in &lines {
        let said = canaries.iter().find(|canary| holds(line.as_bytes(), canary));
        assert_eq!(said, None, "{line}");
    }
}
