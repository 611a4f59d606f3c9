//! Patient data that staff see is in the answers that show it to them, and nowhere else.

use super::canary::{SEALED, all_canaries, canary_item};
use super::search::holds;
use overturn_tests::prelude::*;
use std::fs;
use std::sync::Arc;

const NOTE: &str = "Qanarynote";

/// The sealed texts, notes included.
fn sealed() -> impl Iterator<Item = &'static str> {
    SEALED.into_iter().map(|(_, canary)| canary).chain([NOTE])
}

fn found(answer: &Answer, canaries: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let text = format!("{:?} {}", answer.headers, answer.text());
    canaries.filter(|canary| holds(text.as_bytes(), canary)).collect()
}

const FILTERS: &str = "/api/v1/staff/filters";
const SEARCH: &str = "/api/v1/staff/patients/search";

fn patient(date_of_birth: &str) -> String {
    let named = json!({
        "first_name": "Qanaryfirst", "last_name": "Qanarylast", "date_of_birth": date_of_birth,
    });
    named.to_string()
}

/// Valid and invalid staff requests that show no patient.
fn work(worker: &Worker<'_>, id: &str) -> Vec<Answer> {
    let client = worker.client.with("If-Match", "Qanaryelsewhere");
    let wrong = json!({ "status": "Qanaryelsewhere", "reason": "Qanaryelsewhere", "text": ["Qanarynote"] });
    let targets = ["take", "moves", "notes"].map(|what| format!("{}/{what}", worker.at(id)));
    let mut answers = vec![
        worker.client.get(QUEUE),
        worker.client.get(&format!("{QUEUE}?payer_name=Qanarypayername&denial_code=CO-50")),
        worker
            .client
            .get(&format!("{QUEUE}?status=Qanaryelsewhere&cursor=Qanaryelsewhere&practice_id=Qanaryelsewhere")),
        worker.client.get(&format!("{QUEUE}?mistyped=Qanaryelsewhere&Qanaryelsewhere%20=Qanaryelsewhere")),
        worker.take(id),
        worker.act(id, "notes", &json!({ "text": NOTE })),
        worker.act(id, "moves", &wrong),
        worker.act(id, "moves", &json!({ "status": "closed", "reason": "no_grounds" })),
        worker.step(id, "reviewing"),
        worker.step(id, "received"),
        worker.client.get(&worker.at("Qanaryelsewhere")),
        worker.client.post(FILTERS, json!({ "name": "Qanaryelsewhere", "query": "taken_by=me" }).to_string()),
        worker.client.post(FILTERS, json!({ "name": "Qanarynote", "query": "payer_name=Qanaryelsewhere" }).to_string()),
        // The search for the patient finds the claim, and its answer names nobody.
        worker.client.post(SEARCH, patient("1911-03-07")),
        worker.client.post(SEARCH, patient("Qanaryelsewhere")),
    ];
    answers.extend(appeal(worker, id));
    answers.extend(targets.iter().map(|target| client.post(target, wrong.to_string())));
    answers
}

/// The same for reports and cases.
fn appeal(worker: &Worker<'_>, id: &str) -> Vec<Answer> {
    worker.take(id);
    let (reports, cases) = (worker.of_practice("reports"), worker.of_practice("cases"));
    let claims = [id.to_owned()];
    let (report, case) = (worker.report(&claims), worker.open(&claims, Some("2027-03-01")));
    assert_eq!((report.status, case.status), (201, 201));
    let of = |made: &Answer| made.id().to_owned();
    let (report_id, case_id) = (of(&report), of(&case));
    let wrong = json!({ "claims": ["Qanaryelsewhere"], "kind": "Qanaryelsewhere", "due_on": "Qanaryelsewhere",
        "filed_on": "Qanaryelsewhere", "outcome": "Qanaryelsewhere", "Qanaryelsewhere": "Qanaryelsewhere" });
    let body = wrong.to_string();
    let client = &worker.client;
    vec![
        report,
        case,
        client.post(&reports, body.clone()),
        client.post(&cases, body),
        client.get(&reports),
        client.get(&cases),
        client.get(&format!("{reports}/{report_id}?x=Qanaryelsewhere")),
        client.get(&format!("{cases}/{case_id}?x=Qanaryelsewhere")),
        client.get(&format!("{reports}?cursor=Qanaryelsewhere")),
        client.get(&format!("{cases}/Qanaryelsewhere")),
        worker.edit_level(&case_id, 1, &wrong),
        worker.edit_level(&case_id, 1, &json!({ "filed_on": "2026-01-05" })),
        worker.begin_level(&case_id, &wrong),
    ]
}

#[test]
fn patient_data_that_staff_see_appears_nowhere_else() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let sent = tenant.send(&canary_item());
    let id = sent.claims[0].outcome.as_ref().unwrap().id.clone();
    let worker = Worker::on(&tenant);
    let answers = work(&worker, &id);
    // The search does find text that is shown.
    let seen: Vec<_> = sealed().collect();
    assert_eq!(found(&worker.see(&id), sealed()), seen);
    let owner = tenant.owner();
    let trail = owner.get("/api/v1/settings/audit?limit=100");
    assert!(trail.text().contains("claim.noted"), "{}", trail.text());
    for answer in answers.iter().chain([&trail]) {
        assert_eq!(found(answer, sealed()), [""; 0], "{}", answer.text());
        if answer.status >= 400 {
            assert_eq!(found(answer, all_canaries()), [""; 0], "{}", answer.text());
        }
    }
    assert_nothing_stored(server.state());
    drop(tenant);
    let log = Arc::clone(server.log());
    assert_nothing_stored(&server.stop());
    let lines = log.lines();
    assert!(lines.len() > answers.len());
    for line in lines {
        let said = all_canaries().chain([NOTE]).find(|canary| holds(line.as_bytes(), canary));
        assert_eq!(said, None, "{line}");
    }
}

fn assert_nothing_stored(state: &State) {
    for file in state.files() {
        let Ok(bytes) = fs::read(&file) else { continue };
        let stored = sealed().find(|canary| holds(&bytes, canary));
        assert_eq!(stored, None, "{}", file.display());
    }
}
