//! Webhook messages on the developer's machine: `listen` and `trigger`.

use crate::interrupts::{patiently, signal};
use crate::program::{end, program, run};
use crate::service::{accept, request, say};
use overturn_core::base::id::MessageId;
use overturn_core::base::instant::Instant;
use overturn_core::base::token::{ApiToken, Realm};
use overturn_core::webhooks::message::MessageKind;
use overturn_core::webhooks::signature::{WebhookSecret, signatures};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};

const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

/// What a server answers to the line, the head and the body of a call. `None` closes the connection.
type Answers = dyn Fn(&str, &str, &Value) -> Option<(u16, Value)>;

/// A server that answers each call by a function of its request line and its body.
fn server(answer: impl Fn(&str, &str, &Value) -> Option<(u16, Value)> + Send + Sync + 'static) -> String {
    format!("http://127.0.0.1:{}", accept(move |stream| serve(stream, &answer)))
}

fn serve(stream: TcpStream, answer: &Answers) {
    let (head, body) = request(&stream);
    if let Some((status, body)) = answer(head.lines().next().unwrap_or_default(), &head, &body) {
        say(stream, status, "", &body);
    }
}

/// The messages that came, each with its headers.
type Inbox = Arc<Mutex<Vec<(String, Value)>>>;

/// An address that takes messages with these statuses, and then with 200.
fn endpoint(statuses: impl Into<VecDeque<u16>>) -> (String, Inbox) {
    let (inbox, statuses) = (Inbox::default(), Mutex::new(statuses.into()));
    let taken = Arc::clone(&inbox);
    let url = server(move |_, head, body| {
        taken.lock().unwrap().push((head.to_lowercase(), body.clone()));
        Some((statuses.lock().unwrap().pop_front().unwrap_or(200), json!("ok")))
    });
    (format!("{url}/hook"), inbox)
}

fn kinds(inbox: &Inbox) -> Vec<String> {
    inbox.lock().unwrap().iter().map(|(_, body)| body["type"].as_str().unwrap().to_owned()).collect()
}

fn header<'h>(head: &'h str, name: &str) -> &'h str {
    let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("{name}: {head}"))
}

/// Fails unless a message is signed with the secret. Its keys are in the order of the service's.
fn assert_signed(head: &str, body: &Value) {
    let id = MessageId(header(head, "webhook-id").parse().unwrap());
    let seconds: i64 = header(head, "webhook-timestamp").parse().unwrap();
    let secret = WebhookSecret::parse(SECRET).unwrap();
    let test = if body["test"] == true { r#","test":true"# } else { "" };
    let data = body["data"].as_object().unwrap();
    assert_eq!(data.len(), 1);
    let claim = &body["data"]["claim"];
    let text = format!(
        r#"{{"type":{},"timestamp":{}{test},"data":{{"claim":{{"id":{},"claim_number":{},"status":{}}}}}}}"#,
        body["type"], body["timestamp"], claim["id"], claim["claim_number"], claim["status"]
    );
    let signed = signatures(&[secret], id, Instant(seconds * 1000), &text);
    assert_eq!(header(head, "webhook-signature"), signed.to_lowercase());
}

fn claim(number: u32, status: &str) -> Value {
    moved(number, &[status][usize::from(status == "received")..])
}

/// A claim that moved to these statuses after it was received, once a minute.
fn moved(number: u32, statuses: &[&str]) -> Value {
    let id = format!("00000000-0000-0000-0000-{number:012}");
    let at = |n: usize| format!("2026-11-21T10:{n:02}:00.000Z");
    let all: Vec<&str> = [&["received"][..], statuses].concat();
    let history: Vec<_> = (1..)
        .zip(&all)
        .map(|(n, status)| json!({ "version": n, "at": at(n), "kind": "moved", "status": status, "signing": null }))
        .collect();
    json!({
        "id": id, "claim_number": format!("A-{number}"), "status": all.last(), "signing": { "status": "not_decided" },
        "deadline": null, "report_id": null, "updated_at": at(all.len()), "version": all.len(), "history": history,
    })
}

fn page(claims: &[Value], cursor: &str, more: bool) -> Value {
    json!({ "denials": claims, "next_cursor": null, "changes_cursor": cursor, "more": more })
}

/// A practice whose changes come one page for each call, and each claim as the last page has it. `None` breaks the connection.
fn practice(pages: Vec<Option<(u16, Value)>>) -> String {
    unsteady_practice(pages, [])
}

/// The same, where the reads of single claims get these statuses first.
fn unsteady_practice(pages: Vec<Option<(u16, Value)>>, statuses: impl Into<VecDeque<u16>>) -> String {
    let (pages, statuses) = (Mutex::new(VecDeque::from(pages)), Mutex::new(statuses.into()));
    let claims: Mutex<BTreeMap<String, Value>> = Mutex::default();
    server(move |line, _, _| {
        let path = line.split_whitespace().nth(1).unwrap();
        if path.starts_with("/api/v1/reports/") {
            return Some((200, json!({ "id": "x", "claims": [1, 2, 3] })));
        }
        if let Some(id) = path.strip_prefix("/api/v1/denials/") {
            let status = statuses.lock().unwrap().pop_front().unwrap_or(200);
            return Some((status, claims.lock().unwrap()[id].clone()));
        }
        assert!(path.starts_with("/api/v1/denials?limit=100&changes_after="), "{line}");
        let page = pages.lock().unwrap().pop_front();
        let page = page.unwrap_or_else(|| Some((200, page_of_none())));
        for claim in page.iter().flat_map(|(_, page)| page["denials"].as_array().into_iter().flatten()) {
            claims.lock().unwrap().insert(claim["id"].as_str().unwrap().to_owned(), claim.clone());
        }
        page
    })
}

fn page_of_none() -> Value {
    page(&[], "aa", false)
}

fn listen(service: &str, forward: &str, more: &[&str]) -> Command {
    let args = ["listen", "--json", "--forward", forward, "--secret", SECRET, "--every", "1"];
    let mut command = program(&[&args, more].concat());
    let token = ApiToken::mint(Realm::Test, [3; 24]);
    command.env("OVERTURN_URL", service).env("OVERTURN_API_TOKEN", token.expose());
    command
}

fn stop(mut child: Child) -> crate::program::Ended {
    signal(&child, "INT");
    patiently("it ends", || child.try_wait().unwrap().is_some());
    end(child)
}

#[test]
fn changes_come_as_signed_messages_and_an_interruption_ends_it_cleanly() {
    let report = "00000000-0000-0000-0000-0000000000aa";
    let mut reported = claim(1, "in_report");
    reported["report_id"] = json!(report);
    let service = practice(vec![
        Some((200, page(&[claim(1, "received")], "a1", true))),
        Some((200, page(&[claim(2, "received")], "a2", false))),
        Some((200, page(&[claim(2, "reviewing"), claim(3, "received")], "a3", true))),
        Some((200, page(&[reported], "a4", false))),
    ]);
    let (forward, inbox) = endpoint([]);
    let child = listen(&service, &forward, &[]).spawn().unwrap();
    patiently("three messages", || inbox.lock().unwrap().len() == 3);
    let ended = stop(child);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(kinds(&inbox), ["claim.status_changed", "claim.status_changed", "report.delivered"]);
    let came = inbox.lock().unwrap().clone();
    assert_signed(&came[0].0, &came[0].1);
    assert_eq!(came[0].1["data"]["claim"]["status"], "reviewing");
    assert_eq!(came[2].1["data"], json!({ "report": { "id": report, "claims": 3 } }));
    let events = ended.events();
    assert_eq!(events[0]["event"], "listening");
    assert!(events[1..4].iter().all(|event| event["event"] == "delivered" && event["status"] == 200), "{events:?}");
    assert!(events[1]["took_ms"].is_u64());
    assert_eq!((&ended.summary()["delivered"], &ended.summary()["waiting"]), (&json!(3), &json!(0)));
}

#[test]
fn a_lost_connection_and_an_error_are_waited_out_and_nothing_is_missed() {
    let service = practice(vec![
        Some((200, page(&[claim(1, "received")], "a1", false))),
        None,
        Some((503, json!({}))),
        Some((200, page(&[claim(1, "reviewing")], "a2", false))),
    ]);
    let (forward, inbox) = endpoint([]);
    let child = listen(&service, &forward, &[]).spawn().unwrap();
    patiently("the message", || inbox.lock().unwrap().len() == 1);
    let ended = stop(child);
    assert!(ended.status == 0 && ended.err.contains("again in 1 s") && ended.err.contains("answers 503"), "{ended:?}");
}

#[test]
fn a_message_that_is_refused_is_sent_again_under_the_same_id() {
    let service = practice(vec![
        Some((200, page(&[claim(1, "received")], "a1", false))),
        Some((200, page(&[claim(1, "reviewing")], "a2", false))),
    ]);
    let (forward, inbox) = endpoint([500]);
    let child = listen(&service, &forward, &[]).spawn().unwrap();
    patiently("two attempts", || inbox.lock().unwrap().len() == 2);
    let ended = stop(child);
    let came = inbox.lock().unwrap().clone();
    assert_eq!(header(&came[0].0, "webhook-id"), header(&came[1].0, "webhook-id"));
    assert_eq!(came[0].1, came[1].1);
    let names: Vec<_> = ended.events().iter().map(|event| event["event"].clone()).collect();
    assert_eq!(names, ["listening", "failed", "delivered", "summary"]);
    assert_eq!(ended.err, "next try in 1 s\n");
}

/// A list is read again as long as one of its claims cannot be read.
#[test]
fn each_status_of_a_claim_is_told_once_and_in_order_also_if_a_read_fails_in_between() {
    let news =
        page(&[moved(1, &["reviewing", "in_appeal", "recovered"]), moved(2, &["reviewing", "closed"])], "a2", false);
    let service = unsteady_practice(
        vec![
            Some((200, page(&[claim(1, "received"), claim(2, "received")], "a1", false))),
            Some((200, news.clone())),
            Some((200, news.clone())),
            Some((200, news)),
            Some((200, page(&[moved(2, &["reviewing", "closed", "in_appeal"])], "a3", false))),
        ],
        [200, 503, 429, 200],
    );
    let (forward, inbox) = endpoint([]);
    let child = listen(&service, &forward, &[]).spawn().unwrap();
    patiently("six messages", || inbox.lock().unwrap().len() == 6);
    let ended = stop(child);
    assert_eq!(ended.summary()["delivered"], json!(6), "{ended:?}");
    let came = inbox.lock().unwrap().clone();
    let said = |number: u32| -> Vec<_> {
        let of = |body: &&Value| body["data"]["claim"]["claim_number"] == format!("A-{number}");
        let came = came.iter().map(|(_, body)| body).filter(of);
        came.map(|body| format!("{} {}", body["data"]["claim"]["status"], &body["timestamp"])).collect()
    };
    let at = |status: &str, minute: u32| format!(r#""{status}" "2026-11-21T10:{minute:02}:00.000Z""#);
    assert_eq!(said(1), [at("reviewing", 2), at("in_appeal", 3), at("recovered", 4)]);
    assert_eq!(said(2), [at("reviewing", 2), at("closed", 3), at("in_appeal", 4)]);
}

#[test]
fn only_the_named_events_are_sent_and_an_unknown_one_is_refused() {
    let mut both = claim(1, "reviewing");
    both["deadline"] = json!({ "date": "2026-07-04", "from": "rule" });
    let service = practice(vec![
        Some((200, page(&[claim(1, "received")], "a1", false))),
        Some((200, page(&[both], "a2", false))),
    ]);
    let (forward, inbox) = endpoint([]);
    let child = listen(&service, &forward, &["--events", "claim.deadline_changed,report.delivered"]).spawn().unwrap();
    patiently("the message", || inbox.lock().unwrap().len() == 1);
    assert_eq!(stop(child).status, 0);
    assert_eq!(kinds(&inbox), ["claim.deadline_changed"]);
    assert_eq!(run(listen(&service, &forward, &["--events", "claim.created"]), "").status, 2);
}

#[test]
fn a_token_that_may_not_read_ends_it_with_what_to_do() {
    let refusal =
        json!({ "error": { "code": "not_authorized", "message": "the API token lacks the permission for this" } });
    let service = practice(vec![Some((403, refusal))]);
    let ended = run(listen(&service, "http://127.0.0.1:1/", &[]), "");
    assert!(ended.status == 3 && ended.err.contains("under API tokens"), "{ended:?}");
}

#[test]
fn each_kind_of_message_can_be_triggered() {
    for kind in MessageKind::ALL {
        let (forward, inbox) = endpoint([]);
        let ended = run(program(&["trigger", kind.name(), "--forward", &forward, "--secret", SECRET]), "");
        assert_eq!(ended.status, 0, "{ended:?}");
        let came = inbox.lock().unwrap().clone();
        assert_eq!((kinds(&inbox), &came[0].1["test"]), (vec![kind.name().to_owned()], &json!(true)));
        if kind == MessageKind::ClaimStatusChanged {
            assert_signed(&came[0].0, &came[0].1);
        }
        assert!(ended.out.contains("→ 200 in "), "{ended:?}");
    }
}

#[test]
fn a_trigger_prints_its_secret_and_fails_with_the_address() {
    let (forward, _) = endpoint([404]);
    let ended = run(program(&["trigger", "webhook.test", "--forward", &forward]), "");
    assert_eq!(ended.status, 1, "{ended:?}");
    let secret = ended.out.split_whitespace().find(|word| word.starts_with("whsec_")).unwrap();
    assert!(WebhookSecret::parse(secret).is_some() && ended.out.contains("→ 404"), "{ended:?}");
    assert!(ended.out.contains("the receiver must have it"), "{ended:?}");
    let away = run(program(&["trigger", "webhook.test", "--forward", "http://127.0.0.1:1/x"]), "");
    assert!(away.status == 1 && away.out.contains("no answer"), "{away:?}");
    assert_eq!(run(program(&["trigger", "webhook.test", "--forward", "localhost:3000"]), "").status, 2);
}
