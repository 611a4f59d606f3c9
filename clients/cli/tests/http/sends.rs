//! Sends that succeed, and sends that the user stops.

use crate::program::{end, item, lines, numbered, program, program_for, run};
use crate::service::{Act, Service};
use serde_json::json;
use std::io::Write;

#[test]
fn claims_are_sent_by_the_hundred_and_counted_in_a_table() {
    let service = Service::new([]);
    let sent = run(program_for(&service, &["send", "-"]), &numbered(0..250));
    assert_eq!(service.sizes(), [100, 100, 50]);
    assert_eq!(service.claims().len(), 250);
    assert_eq!(
        (sent.status, &*sent.out, &*sent.err),
        (0, "created        250\nalready there    0\nrefused          0\ninvalid          0\n", "")
    );
    for head in service.heads() {
        assert!(head.starts_with("POST /api/v1/claims HTTP/1.1\r\n"), "{head}");
    }
    let again = run(program_for(&service, &["send", "-", "--json"]), &numbered(0..250));
    assert_eq!(again.status, 0);
    assert_eq!(
        again.summary(),
        json!({ "event": "summary", "complete": true, "created": 0, "already_there": 250, "refused": 0, "invalid": 0 })
    );
    assert_eq!(again.events().len(), 251);
}

#[test]
fn claims_that_break_off_are_sent_and_the_exit_status_says_so() {
    let service = Service::new([]);
    let torn = ["{\"remit\":\"begin\"}\n", &numbered(0..2)].concat();
    let whole = [&*torn, "{\"remit\":\"end\",\"written\":2,\"complete\":true}\n"].concat();
    let cut = whole.replace("true", "false");
    for (text, status) in [(&torn, 1), (&cut, 1), (&whole, 0)] {
        let sent = run(program_for(&service, &["send", "-", "--json"]), text);
        let summary = sent.summary();
        let answered = [&summary["created"], &summary["already_there"]];
        let answered: u64 = answered.iter().filter_map(|count| count.as_u64()).sum();
        assert_eq!((sent.status, answered), (status, 2), "{}", sent.err);
        assert_eq!(summary["complete"], status == 0);
        assert_eq!(sent.err.contains("overturn remit"), status == 1);
    }
}

#[test]
fn a_file_is_sent_like_standard_input_and_a_batch_like_lines() {
    let service = Service::new([]);
    let file = std::env::temp_dir().join(format!("overturn-cli-{}.json", std::process::id()));
    let batch = json!({ "claims": (0..101).map(|n| item(&n.to_string())).collect::<Vec<_>>() });
    std::fs::write(&file, batch.to_string()).unwrap();
    let sent = run(program_for(&service, &["send", file.to_str().unwrap()]), "");
    std::fs::remove_file(&file).unwrap();
    assert_eq!((sent.status, service.sizes()), (0, vec![100, 1]));
}

#[test]
fn the_invalid_and_the_refused_are_listed_and_the_others_sent() {
    let refused = json!({ "claims": [
        { "claim_number": "A", "created": true, "id": "x", "status": "received" },
        { "claim_number": "C", "created": false, "error": "claim.claim_number is already used for a different patient" },
    ], "submission_id": null });
    let service = Service::new([Act::Say(201, "", refused)]);
    let mut unnamed = item("B");
    unnamed["patient"]["first_name"] = "".into();
    let sent = run(program_for(&service, &["send", "-"]), &lines([item("A"), unnamed, item("C")]));
    assert_eq!(service.calls(), [["A", "C"]]);
    let (listed, table) = sent.out.split_at(sent.out.find("created").unwrap());
    assert_eq!(
        listed,
        "line 2: patient.first_name is required\n\
         line 3: refused: claim.claim_number is already used for a different patient (C)\n"
    );
    assert_eq!(table, "created        1\nalready there  0\nrefused        1\ninvalid        1\n");
    assert_eq!(sent.status, 1);
}

#[test]
fn advice_of_a_sandbox_is_printed_with_its_claim() {
    let result = |number: &str| json!({ "claim_number": number, "created": true, "id": "x", "status": "received" });
    let advice = json!({ "index": 1, "code": "not_made_up", "message": "send no real patient here" });
    let answer = json!({ "claims": [result("A"), result("B")], "submission_id": null, "advice": [advice] });
    let service = Service::new([Act::Say(201, "", answer.clone()), Act::Say(201, "", answer)]);
    let file = lines(["A", "B"].map(item));
    let sent = run(program_for(&service, &["send", "-"]), &file);
    assert!(sent.status == 0 && sent.out.starts_with("line 2: advice: send no real patient here\ncreated"), "{sent:?}");
    let sent = run(program_for(&service, &["send", "-", "--json"]), &file);
    let told = json!({ "event": "advice", "line": 2, "code": "not_made_up", "message": "send no real patient here" });
    assert_eq!(sent.events()[2], told);
}

#[test]
fn claims_that_only_the_service_finds_invalid_are_removed_and_the_rest_sent() {
    let problems = json!({ "error": "Invalid request", "errors": [
        "claims[1]: claim.date_of_service must not be in the future",
        "claims[1]: claim.plan_type must be another",
    ] });
    let service = Service::new([Act::Say(422, "", problems)]);
    let sent = run(program_for(&service, &["send", "-"]), &lines(["A", "B", "C"].map(item)));
    assert_eq!(service.calls(), [vec!["A", "B", "C"], vec!["A", "C"]]);
    assert!(sent.out.starts_with("line 2: claim.date_of_service must not be in the future\nline 2: claim.plan_type"));
    assert!(sent.out.contains("created        2\n") && sent.out.contains("invalid        1\n"));
    assert_eq!(sent.status, 1);
}

#[test]
fn items_before_a_cut_are_sent_and_the_file_counts_as_incomplete() {
    let service = Service::new([]);
    let batch = json!({ "claims": [item("A"), item("B")] }).to_string();
    let cut = batch.strip_suffix("}]}").unwrap();
    let sent = run(program_for(&service, &["send", "-", "--json"]), cut);
    assert_eq!((sent.status, service.calls()), (1, vec![vec!["A".into()]]));
    assert_eq!(
        sent.summary(),
        json!({ "event": "summary", "complete": false, "created": 1, "already_there": 0, "refused": 0, "invalid": 1 })
    );
    assert_eq!(sent.err.lines().count(), 1);
    assert!(sent.err.starts_with("a part of the file was not read"));
}

#[test]
fn a_file_without_claims_is_sent_without_a_call() {
    let service = Service::new([]);
    let sent = run(program_for(&service, &["send", "-", "--json"]), "\n");
    assert_eq!((sent.status, service.sizes().len()), (2, 0));
    assert_eq!(sent.summary()["created"], 0);
    assert!(sent.err.starts_with("error: there is no claim in it."), "{}", sent.err);
}

#[test]
fn a_batch_that_is_wrong_as_a_whole_is_not_sent_wherever_that_shows() {
    let items = format!("[{},{}]", item("A"), item("B"));
    let key = "claims must be the only key of a batch (none of its claims is sent)";
    let twice = "claims must be given only once (none of its claims is sent)";
    for (batch, says) in [
        (format!("{{\"claims\":{items},\"note\":1}}"), key),
        (format!("{{\"note\":1,\"claims\":{items}}}"), key),
        (format!("{{\"claims\":{items},\"claims\":{items}}}"), twice),
        ("{\"claims\":[]}".into(), "claims must have 1 to 100 items"),
    ] {
        let service = Service::new([]);
        let file = format!("{}{batch}\n{}", lines([item("C")]), lines([item("D")]));
        let sent = run(program_for(&service, &["send", "-", "--json"]), &file);
        assert_eq!((sent.status, service.calls()), (1, vec![vec!["C".into(), "D".into()]]));
        assert_eq!(sent.events()[0]["problems"], json!([says]));
        assert_eq!(
            sent.summary(),
            json!({ "event": "summary", "complete": true, "created": 2, "already_there": 0, "refused": 0, "invalid": 1 })
        );
    }
}

#[test]
fn claims_sent_before_a_large_batch_turned_out_wrong_are_reported() {
    let items: Vec<_> = (0..150).map(|n| item(&n.to_string())).collect();
    let items = json!(items).to_string();
    let service = Service::new([]);
    let behind = format!("{{\"claims\":{items},\"note\":1}}");
    let sent = run(program_for(&service, &["send", "-"]), &behind);
    assert_eq!((sent.status, service.sizes()), (1, vec![100, 50]));
    assert!(sent.out.starts_with(
        "claims must be the only key of a batch (that showed only behind its first 150 valid claims, which are sent"
    ));
    let service = Service::new([]);
    let before = format!("{{\"note\":1,\"claims\":{items}}}");
    let sent = run(program_for(&service, &["send", "-"]), &before);
    assert_eq!((sent.status, service.sizes().len()), (1, 0));
}

#[test]
fn a_reader_that_goes_away_stops_no_send() {
    let service = Service::new([]);
    let mut command = program_for(&service, &["send", "-", "--json"]);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(numbered(0..150).as_bytes()).unwrap();
    drop(stdin);
    assert_eq!(end(child).status, 0);
    assert_eq!(service.claims().len(), 150);
}

#[test]
fn nothing_is_sent_without_an_address_and_a_key() {
    let service = Service::new([]);
    let mistyped = crate::program::key().replacen('3', "4", 1);
    for (url, key, says) in [
        (None, Some(crate::program::key()), "OVERTURN_URL"),
        (Some(service.url()), None, "OVERTURN_API_KEY"),
        (Some(service.url()), Some(mistyped.clone()), "mistyped or cut"),
        (Some("http://claims.example".into()), Some(crate::program::key()), "use https://"),
    ] {
        let mut command = program(&["send", "-"]);
        command.envs(url.map(|url| ("OVERTURN_URL", url)));
        command.envs(key.map(|key| ("OVERTURN_API_KEY", key)));
        let ended = run(command, &numbered(0..3));
        assert_eq!((ended.status, &*ended.out), (2, ""));
        assert!(ended.err.contains(says) && !ended.err.contains(&mistyped), "{}", ended.err);
    }
    let ended = run(program_for(&service, &["send", "no such file"]), "");
    assert_eq!(ended.status, 2);
    assert!(ended.err.starts_with("error: cannot read no such file: "));
    assert_eq!(service.sizes().len(), 0);
}
