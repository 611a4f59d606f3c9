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
use std::collections::VecDeque;
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
    let id = format!("00000000-0000-0000-0000-{number:012}");
    json!({
        "id": id, "claim_number": format!("A-{number}"), "status": status,
        "signing": { "status": "not_decided", "appeal_button": true, "link_expires_at": null },
        "deadline": null, "amount_recovered": null, "report_id": null,
    })
}

fn page(claims: &[Value], cursor: &str, more: bool) -> Value {
    json!({ "denials": claims, "next_cursor": null, "changes_cursor": cursor, "more": more })
}

/// A practice whose changes come one page for each call. `None` breaks the connection.
fn practice(pages: Vec<Option<(u16, Value)>>) -> String {
    let pages = Mutex::new(VecDeque::from(pages));
    server(move |line, _, _| {
        if line.starts_with("GET /api/v1/reports/") {
            return Some((200, json!({ "id": "x", "claims": [1, 2, 3] })));
        }
        assert!(line.starts_with("GET /api/v1/denials?limit=100&changes_after="), "{line}");
        let page = pages.lock().unwrap().pop_front();
        page.unwrap_or_else(|| Some((200, page_of_none())))
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
    assert!(run(program(&["listen", "--help"]), "").out.contains("only the last state is posted"));
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
