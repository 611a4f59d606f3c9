//! The practice's lists: denials by deadline and with filters, reports, appeals, the trail, and CSV.

use crate::api_tokens::bearer;
use overturn_tests::prelude::*;

const DENIALS: &str = "/api/v1/denials";
const AUDIT: &str = "/api/v1/settings/audit";
const CSV: &str = "text/csv; charset=utf-8; header=present";

/// Makes a token with this scope.
fn make(client: &Client, scope: &str) -> Answer {
    let body = json!({ "name": "Reader", "scopes": [scope], "expires_in_days": 1 });
    let made = client.post("/api/v1/settings/api_tokens", body.to_string());
    made.expect(201);
    made
}

fn numbers(answer: &Answer) -> Vec<String> {
    answer.expect(200);
    let claims = answer.json["denials"].as_array().unwrap().iter();
    claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()).collect()
}

fn due(tenant: &Tenant<'_>, number: &str, day: Option<&str>) {
    let sql = "UPDATE claims SET appeal_due = nullif(?3, ''), appeal_due_from = iif(?3 = '', NULL, 'rule')
        WHERE practice_id = ?1 AND claim_number = ?2";
    tenant.change_claims(sql, &[number, day.unwrap_or_default()]);
}

fn set(tenant: &Tenant<'_>, number: &str, column: &str, value: &str) {
    let sql = format!("UPDATE claims SET {column} = ?3 WHERE practice_id = ?1 AND claim_number = ?2");
    tenant.change_claims(&sql, &[number, value]);
}

/// A tenant with five claims. D-1 and D-3 are due on the same day, D-4 has no deadline.
fn filled() -> Tenant<'static> {
    let tenant = Tenant::shared();
    for number in ["D-1", "D-2", "D-3", "D-4", "D-5"] {
        tenant.send(&item(number));
    }
    for (number, day) in [
        ("D-1", Some("2027-03-02")),
        ("D-2", Some("2027-03-01")),
        ("D-3", Some("2027-03-02")),
        ("D-4", None),
        ("D-5", Some("2027-02-01")),
    ] {
        due(&tenant, number, day);
    }
    tenant
}

#[test]
fn new_filters_find_their_claims_only() {
    let tenant = filled();
    let member = tenant.member();
    set(&tenant, "D-1", "signing_status", "needed");
    set(&tenant, "D-4", "signing_status", "signed");
    set(&tenant, "D-2", "adjustment_codes", "[\"CO-50\",\"N130\"]");
    let _payer = tenant.send(&with(item("D-6"), "claim.payer_name", "Añasco 保険 = \"Plus\""));
    let payer = format!("payer_name={}", encoded("Añasco 保険 = \"Plus\""));
    for (query, expected) in [
        ("due_from=2027-03-01&due_to=2027-03-01", &["D-2"][..]),
        ("due_to=2027-02-28", &["D-5"]),
        ("due_from=2027-03-02", &["D-3", "D-1"]),
        ("signing_status=needed", &["D-1"]),
        ("signing_status=needed,signed", &["D-4", "D-1"]),
        ("signing_status=needed&signing_status=signed", &["D-4", "D-1"]),
        ("denial_code=co50", &["D-2"]),
        ("denial_code=N130&order=deadline", &["D-2"]),
        ("claim_number=D-3&order=deadline", &["D-3"]),
        (&payer, &["D-6"]),
    ] {
        let answer = member.get(&format!("{DENIALS}?{query}"));
        assert_eq!(numbers(&answer), expected, "{query}");
    }
}

#[test]
fn denials_are_a_table_for_those_who_ask_for_csv() {
    let tenant = filled();
    let _payer = tenant.send(&with(item("D-6"), "claim.payer_name", "=HYPERLINK(\"x\";\"Añasco, 保険\")"));
    let member = tenant.member();
    let csv = member.with("Accept", "text/csv");
    let table = csv.get(DENIALS);
    table.expect(200);
    assert_eq!(table.header("content-type"), Some(CSV));
    assert_eq!(table.header("vary"), Some("Accept"));
    assert_eq!(table.header("content-disposition"), Some("attachment; filename=\"denials.csv\""));
    let text = table.text();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines.len(), 8, "a header, six claims and the end: {text}");
    assert!(lines[0].starts_with("id,claim_number,"), "{}", lines[0]);
    assert!(lines[1].contains(",\"'=HYPERLINK(\"\"x\"\";\"\"Añasco, 保険\"\")\","), "{}", lines[1]);
    for patient in ["Jane", "Doe", "1980-02-29"] {
        assert!(!text.contains(patient), "{patient}");
    }
    let tag = table.header("etag").unwrap();
    let json = member.with("If-None-Match", tag).get(DENIALS);
    assert_eq!((json.status, json.header("vary")), (200, Some("Accept")));
    let known = csv.with("If-None-Match", tag).get(DENIALS);
    assert_eq!((known.status, known.header("vary")), (304, Some("Accept")));
    let head = csv.request("HEAD", DENIALS, None);
    assert_eq!((head.status, head.header("content-type")), (200, Some(CSV)));
    assert!(head.body.is_empty());
    let page = csv.get(&format!("{DENIALS}?limit=2&order=deadline"));
    let link = page.header("link").unwrap();
    let next = link.strip_prefix('<').unwrap().split_once('>').unwrap().0;
    assert_eq!(page.text().lines().count(), 3);
    assert!(csv.get(next).text().lines().nth(1).unwrap().contains(",D-1,"));
    let changes = csv.get(&format!("{DENIALS}?changes_after=start"));
    assert_eq!(changes.details(), ["changes_after must not be given for text/csv"]);
    // A token reads the same table, and staff do not.
    let owner = tenant.owner();
    let token = make(&owner, "denials:read");
    let by_token = bearer(&token).with("Accept", "text/csv").get(DENIALS);
    assert_eq!(by_token.text(), text);
    let staff = Person::staff(Server::shared()).client();
    staff.with("Accept", "text/csv").get(DENIALS).expect(403);
}

/// The targets of a practice's own report and appeal.
fn delivered(tenant: &Tenant<'_>, worker: &Worker<'_>) -> (String, String) {
    let ids = worker.reviewed(&["R-1", "R-2"]);
    let report = worker.report(&ids).json["id"].as_str().unwrap().to_owned();
    let case = worker.open(&ids, Some("2027-05-01"));
    case.expect(201);
    let case = case.id().to_owned();
    tenant.check();
    (format!("/api/v1/reports/{report}"), format!("/api/v1/appeals/{case}"))
}

/// Fails if a text names a patient or a member of the staff.
fn assert_nobody(text: &str) {
    for name in ["Jane", "Doe", "1980-02-29", "A person, staff", "delivered_by", "opened_by", "begun_by"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
}

#[test]
fn a_practice_reads_its_reports_and_appeals_without_names() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (report, appeal) = delivered(&tenant, &worker);
    let member = tenant.member();
    let listed = member.get("/api/v1/reports");
    assert_eq!(listed.json["reports"].as_array().unwrap().len(), 1);
    assert_eq!(listed.json["reports"][0]["claims"], 2);
    let shown = member.get(&report);
    assert_eq!(shown.json["claims"][0]["claim_number"], "R-1");
    assert_eq!(shown.json["claims"][1]["status"], "in_appeal");
    assert_eq!(shown.json["documents"], json!([]));
    let listed_appeals = member.get("/api/v1/appeals");
    let item = &listed_appeals.json["appeals"][0];
    assert_eq!((&item["claims"], &item["in_appeal"]), (&json!(2), &json!(2)));
    assert_eq!(item["level"]["due_on"], "2027-05-01");
    let one = member.get(&appeal);
    assert_eq!(one.json["claims"][1]["claim_number"], "R-2");
    assert_eq!(one.json["levels"][0]["level"], 1);
    assert!(one.json["levels"][0]["begun_at"].is_string());
    for answer in [&listed, &shown, &listed_appeals, &one] {
        answer.expect(200);
        assert_nobody(&answer.text());
        assert!(answer.header("etag").is_some());
    }
    let tag = one.header("etag").unwrap();
    member.with("If-None-Match", tag).get(&appeal).expect(304);
    let denials = member.get(DENIALS);
    let case = appeal.rsplit('/').next().unwrap();
    assert_eq!(denials.json["denials"][0]["case_id"], case);
    let claim = denials.json["denials"][0]["id"].as_str().unwrap();
    assert_eq!(member.get(&format!("{DENIALS}/{claim}")).json["case_id"], case);
    // Another practice and staff see none of it.
    let stranger = Tenant::shared().owner();
    for target in [&report, &appeal] {
        assert_eq!(stranger.get(target).status, 404, "{target}");
        assert_eq!(worker.client.get(target).status, 403, "{target}");
    }
    assert_eq!(stranger.get("/api/v1/appeals").json["appeals"], json!([]));
    tenant.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    for target in [&*report, &appeal, "/api/v1/reports", "/api/v1/appeals"] {
        let refused = member.get(target);
        assert_eq!(refused.json["error"]["reason"], "agreement_required", "{target}");
    }
}

fn upload(worker: &Worker<'_>, tenant: &Tenant<'_>, name: &str) -> String {
    let form =
        FormData::default().text("practice_id", &tenant.id.to_string()).file("file", name, b"a letter of the payer\n");
    let client = worker.client.with("Content-Type", FormData::CONTENT_TYPE);
    let answer = client.post("/api/v1/documents", form.end());
    answer.expect(201);
    // This server has no scanner, so the file would wait for one.
    let sql = "UPDATE documents SET state = 'available', scan_at = NULL WHERE practice_id = ?1";
    tenant.change(sql, &[]);
    answer.id().to_owned()
}

#[test]
fn a_document_of_a_report_has_its_name_for_a_person_and_none_for_a_token() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (report, appeal) = delivered(&tenant, &worker);
    let document = upload(&worker, &tenant, "Maria Gonzalez.txt");
    for (kind, of) in [("reports", &report), ("cases", &appeal)] {
        let id = of.rsplit('/').next().unwrap();
        let target = worker.of_practice(&format!("{kind}/{id}/documents"));
        let body = json!({ "document_id": document }).to_string();
        let attached = worker.client.post(&target, body);
        assert!(attached.status < 300, "{}", attached.text());
    }
    let owner = tenant.owner();
    let token = bearer(&make(&owner, "denials:read"));
    let loose = upload(&worker, &tenant, "unrelated.txt");
    for (kind, of) in [("report_id", &report), ("case_id", &appeal)] {
        let id = of.rsplit('/').next().unwrap();
        for (client, list) in
            [(&worker.client, worker.of_practice("documents")), (&owner, "/api/v1/documents".to_owned())]
        {
            let listed = client.get(&format!("{list}?{kind}={id}"));
            listed.expect(200);
            let found = listed.json["documents"].as_array().unwrap();
            assert_eq!(found.len(), 1, "{}", listed.text());
            assert_eq!(found[0]["id"], document);
            let none = client.get(&format!("{list}?{kind}={loose}"));
            assert_eq!(none.json["documents"], json!([]));
            let both = client.get(&format!("{list}?case_id={id}&report_id={id}"));
            both.refused(422, "validation_failed");
        }
    }
    for target in [&report, &appeal] {
        let named = owner.get(target);
        assert_eq!(
            named.json["documents"],
            json!([{ "id": document, "name": "Maria Gonzalez.txt", "size": 22, "media_type": "text/plain", "state": "available" }])
        );
        let waits = "UPDATE documents SET state = 'quarantined' WHERE practice_id = ?1";
        tenant.change(waits, &[]);
        let waiting = owner.get(target);
        assert_eq!(waiting.json["documents"][0]["state"], "quarantined");
        let listed = worker.client.get(&worker.of_practice("documents"));
        let seen = listed.json["documents"].as_array().unwrap().iter();
        let seen: Vec<&Value> = seen.filter(|one| one["id"] == document).collect();
        assert_eq!(seen[0]["state"], "quarantined");
        assert_eq!(seen[0]["may"], json!([]), "it is attached, and not scanned");
        let ready = "UPDATE documents SET state = 'available' WHERE practice_id = ?1";
        tenant.change(ready, &[]);
        let listed = worker.client.get(&worker.of_practice("documents"));
        let may = &listed.json["documents"][0]["may"];
        assert!(may.as_array().unwrap().contains(&json!("attach")), "{may}");
        let unnamed = token.get(target);
        unnamed.expect(200);
        assert_eq!(unnamed.json["documents"][0]["name"], Value::Null);
    }
}

fn actions(answer: &Answer) -> Vec<String> {
    answer.expect(200);
    let rows = answer.json["audit"].as_array().unwrap().iter();
    rows.map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}

fn read(client: &Client, query: &str) -> Answer {
    client.get(&format!("{AUDIT}?{query}"))
}

#[test]
fn the_trail_is_read_by_action_actor_record_and_day_and_as_csv() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let client = owner.client();
    let made = make(&client, "denials:read");
    let token = made.id();
    tenant.send(&item("A-1"));
    let all = actions(&read(&client, ""));
    assert!(all.len() >= 2, "{all:?}");
    assert_eq!(actions(&read(&client, "action=api_token.created")), ["api_token.created"]);
    assert_eq!(actions(&read(&client, &format!("record={token}"))), ["api_token.created"]);
    assert_eq!(actions(&read(&client, &format!("actor={}", owner.id))), ["api_token.created"]);
    assert_eq!(actions(&read(&client, "action=claim.read")), [""; 0]);
    let today = &made.json["created_at"].as_str().unwrap()[..10];
    assert_eq!(actions(&read(&client, &format!("from={today}&to={today}"))), all);
    assert_eq!(actions(&read(&client, "to=2020-01-01")), [""; 0]);
    let csv = client.with("Accept", "text/csv");
    let table = read(&csv, "action=api_token.created");
    assert_eq!(table.header("content-type"), Some(CSV));
    assert_eq!(table.header("content-disposition"), Some("attachment; filename=\"audit.csv\""));
    assert_eq!(table.text().lines().count(), 2);
    let first = read(&csv, "limit=1");
    assert!(first.header("link").unwrap().contains("rel=\"next\""));
    // Another practice's trail, and a member.
    let other = Tenant::shared().owner();
    assert_eq!(actions(&read(&other, &format!("record={token}"))), [""; 0]);
    let member = tenant.member();
    member.with("Accept", "text/csv").get(AUDIT).expect(403);
    let auditor = Person::auditor(Server::shared()).client();
    let staff = auditor.with("Accept", "text/csv").get("/api/v1/staff/audit?limit=5");
    assert_eq!((staff.status, staff.header("content-type")), (200, Some(CSV)));
}
