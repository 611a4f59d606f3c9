//! `GET /api/v1/staff/claims`: the staff's queue.

use overturn_tests::prelude::*;

/// A practice with claims of these numbers and deadlines, if any.
fn practice(deadlines: &[(&str, Option<&str>)]) -> Tenant<'static> {
    let tenant = Tenant::shared();
    for (number, due) in deadlines {
        tenant.send(&item(number));
        if let Some(due) = due {
            let sql = "UPDATE claims SET appeal_due = ?3, appeal_due_from = 'rule'
                       WHERE practice_id = ?1 AND claim_number = ?2";
            tenant.change_claims(sql, &[number, due]);
        }
    }
    tenant
}

fn numbers(client: &Client, tenant: &Tenant<'_>, filter: &str) -> Vec<String> {
    let listed = client.get(&format!("{QUEUE}?practice_id={}{filter}", tenant.id));
    listed.expect(200);
    let claims = listed.json["claims"].as_array().unwrap().iter();
    claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_soonest_deadline_comes_first_and_what_has_none_last_page_by_page() {
    let tenant = practice(&[
        ("none-1", None),
        ("late", Some("2026-12-31")),
        ("soon-1", Some("2026-01-31")),
        ("soon-2", Some("2026-01-31")),
        ("none-2", None),
    ]);
    let staff = Person::staff(Server::shared()).client();
    let order = ["soon-1", "soon-2", "late", "none-1", "none-2"];
    assert_eq!(numbers(&staff, &tenant, ""), order);
    let first = staff.get(&format!("{QUEUE}?practice_id={}", tenant.id)).json["claims"][0].clone();
    assert_eq!(first["deadline"], json!({ "date": "2026-01-31", "from": "rule" }));
    assert_eq!(first["practice"]["id"], tenant.id.to_string());
    assert_eq!(first["denial_codes"], json!(["CO-45"]));
    assert_eq!(first.get("patient"), None);

    let mut seen = Vec::new();
    let mut next = format!("{QUEUE}?practice_id={}&limit=2&status=received%2Creviewing", tenant.id);
    loop {
        let page = staff.get(&next);
        page.expect(200);
        let claims = page.json["claims"].as_array().unwrap().iter();
        seen.extend(claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()));
        // A claim before the cursor leaves the queue, and one after it changes its status: the cursor still works.
        let sql = "UPDATE claims SET status = iif(claim_number = 'soon-1', 'closed', 'reviewing')
                   WHERE practice_id = ?1 AND claim_number IN ('soon-1', 'none-1')";
        tenant.change_claims(sql, &[]);
        let Some(link) = page.header("link") else {
            break;
        };
        next = link[1..].split_once('>').unwrap().0.into();
        assert!(next.contains("status=received%2Creviewing"), "{next}");
    }
    assert_eq!(seen, order);
}

#[test]
fn the_queue_goes_through_all_practices_and_each_filter_narrows_it() {
    let tenant = practice(&[("A-1", None), ("A-2", None), ("A-3", None)]);
    let other = practice(&[("B-1", None)]);
    let worker = Worker::on(&tenant);
    let staff = &worker.client;
    assert_eq!(numbers(staff, &other, ""), ["B-1"]);
    let set = |number: &str, column: &str, value: &str| {
        let sql = format!("UPDATE claims SET {column} = ?3 WHERE practice_id = ?1 AND claim_number = ?2");
        tenant.change_claims(&sql, &[number, value]);
    };
    let id = tenant.row("A-1")["id"].as_str().unwrap().to_owned();
    worker.take(&id);
    set("A-2", "payer_name", "Umbrella & Söhne");
    set("A-2", "adjustment_codes", "[\"CO-45\",\"N130\"]");
    set("A-3", "status", "closed");
    assert_eq!(numbers(staff, &tenant, ""), ["A-1", "A-2"], "what is closed needs no work");
    assert_eq!(numbers(staff, &tenant, "&status=closed"), ["A-3"]);
    assert_eq!(numbers(staff, &tenant, "&claim_number=A-2"), ["A-2"]);
    assert!(numbers(staff, &tenant, "&claim_number=a-2").is_empty());
    assert_eq!(numbers(staff, &tenant, "&status=closed,received"), ["A-2", "A-3"]);
    assert_eq!(numbers(staff, &tenant, "&taken_by=me"), ["A-1"]);
    assert_eq!(numbers(staff, &tenant, "&taken_by=nobody"), ["A-2"]);
    let colleague = Person::staff(Server::shared());
    let of = |person: &Person<'_>| format!("&taken_by={}", person.id);
    assert_eq!(numbers(staff, &tenant, &of(&worker.person)), ["A-1"]);
    assert!(numbers(staff, &tenant, &of(&colleague)).is_empty());
    let colleague = colleague.client();
    assert_eq!(numbers(&colleague, &tenant, &of(&worker.person)), ["A-1"]);
    assert!(numbers(&colleague, &tenant, "&taken_by=me").is_empty());
    let payer = format!("&payer_name={}", encoded("umbrella & Söhne"));
    assert_eq!(numbers(staff, &tenant, &payer), ["A-2"]);
    assert_eq!(numbers(staff, &tenant, "&denial_code=n130"), ["A-2"]);
    assert_eq!(numbers(staff, &tenant, "&denial_code=co45"), ["A-1", "A-2"]);
    let aged =
        "UPDATE claims SET received_at = received_at - 864000000 WHERE practice_id = ?1 AND claim_number = 'A-1'";
    tenant.change(aged, &[]);
    assert_eq!(numbers(staff, &tenant, "&min_age_days=10"), ["A-1"]);
    assert_eq!(numbers(staff, &tenant, "&max_age_days=9"), ["A-2"]);
    assert_eq!(numbers(staff, &tenant, "&min_age_days=10&taken_by=nobody"), Vec::<String>::new());
}

#[test]
fn an_invalid_query_is_reported_only_to_staff() {
    let staff = Person::staff(Server::shared()).client();
    let refused = staff.get(&format!("{QUEUE}?order=newest&taken_by=you"));
    assert_eq!(
        refused.details(),
        [
            "order must be deadline, latest_deadline, denied, most_denied, arrived or latest_arrived",
            "taken_by must be me, nobody or the id of a staff member",
        ]
    );
    // A repeated status would repeat its claims on the page.
    let twice = staff.get(&format!("{QUEUE}?status=closed,received,closed"));
    assert_eq!(twice.details(), ["status must name each status only once"]);
    for blank in ["", "?status=&cursor=&payer_name="] {
        staff.get(&format!("{QUEUE}{blank}")).expect(200);
    }
    let nobody = Server::shared().client();
    nobody.get(&format!("{QUEUE}?order=newest")).nested(401);
}

#[test]
fn a_cursor_is_a_place_and_no_way_around_the_filters() {
    let tenant = practice(&[("A-1", None)]);
    let staff = Person::staff(Server::shared()).client();
    let far = "9999-12-31_ffffffffffffffffffffffffffffffff";
    assert_eq!(numbers(&staff, &tenant, &format!("&cursor={far}")), ["A-1"], "no deadline comes behind every date");
    let end = "none_ffffffffffffffffffffffffffffffff";
    assert!(numbers(&staff, &tenant, &format!("&cursor={end}")).is_empty());
    let target = format!("{QUEUE}?practice_id={}", tenant.id);
    let page = staff.get(&target);
    assert_eq!(page.json["next_cursor"], Value::Null);
    let known = staff.with("If-None-Match", page.header("etag").unwrap());
    known.get(&target).expect(304);
    let _taken = Worker::on(&tenant).take(page.json["claims"][0]["id"].as_str().unwrap());
    known.get(&target).expect(200);
}

/// The first claim of the practice in the queue.
fn queued(client: &Client, tenant: &Tenant<'_>) -> Value {
    let listed = client.get(&format!("{QUEUE}?practice_id={}", tenant.id));
    listed.json["claims"][0].clone()
}

/// Staff can act on a claim from the queue, without opening its patient.
#[test]
fn a_queued_claim_has_its_version_and_what_the_reader_may_do_with_it() {
    let tenant = practice(&[("A-1", None)]);
    let (one, two) = (Worker::on(&tenant), Worker::on(&tenant));
    let first = queued(&one.client, &tenant);
    let id = first["id"].as_str().unwrap().to_owned();
    assert_eq!(first["version"], 1);
    assert_eq!(first["report_id"], Value::Null);
    assert_eq!(first["case_id"], Value::Null);
    assert_eq!(first["updated_at"], first["received_at"]);
    let fresh = json!(["take", "review", "note", "set_letter", "decide_signing"]);
    assert_eq!(first["may"], fresh);
    assert_eq!(first.get("has_link"), None);

    let tag = format!("\"{}\"", first["version"]);
    let taken = one.act_on(&id, &tag, "take", &json!({}));
    taken.expect(200);
    assert_eq!(tenant.audit("claim.read").len(), 0, "no patient was opened");
    let needed = one.act(&id, "signing", &json!({ "status": "needed" }));
    needed.expect(200);
    let of_all = ["take", "note", "set_letter", "decide_signing", "revoke_link", "report", "open_case", "join_case"];
    // The person who has a claim may give it back or close it.
    let mine = [&of_all[..1], &["let_go"], &of_all[1..], &["close"]].concat();
    for (worker, expected) in [(&one, json!(mine)), (&two, json!(of_all))] {
        assert_eq!(queued(&worker.client, &tenant)["may"], expected);
        assert_eq!(worker.see(&id).json["may"], expected, "the claim says the same");
    }

    let delivered = one.report(std::slice::from_ref(&id));
    delivered.expect(201);
    let reported = queued(&one.client, &tenant);
    assert_eq!(reported["report_id"], delivered.json["id"]);
    let opened = one.open(std::slice::from_ref(&id), Some("2027-02-19"));
    opened.expect(201);
    let appealed = queued(&one.client, &tenant);
    assert_eq!(appealed["case_id"], opened.json["id"]);
    assert_ne!(appealed["updated_at"], appealed["received_at"]);
}

/// The same page, for a spreadsheet. A cell that a spreadsheet would run stays text.
#[test]
fn the_queue_can_be_read_as_csv_page_by_page_without_patients() {
    let tenant = practice(&[("=1+1", Some("2027-01-31")), ("A-2", None)]);
    let worker = Worker::on(&tenant);
    let client = worker.client.with("Accept", "text/csv");
    let target = format!("{QUEUE}?practice_id={}", tenant.id);
    let page = client.get(&format!("{target}&limit=1"));
    page.expect(200);
    assert_eq!(page.header("content-disposition"), Some("attachment; filename=\"queue.csv\""));
    let text = page.text();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert!(lines[0].starts_with("id,practice.id,practice.name,claim_number,status,"));
    assert_eq!(lines.len(), 2);
    assert!(lines[1].contains(",'=1+1,received,not_decided,,,2027-01-31,rule,"), "{text}");
    assert!(lines[1].ends_with(",take review note set_letter decide_signing,,,,,,,"), "{text}");
    assert!(!text.contains("Jane") && !text.contains("has_link"));
    let link = page.header("link").unwrap();
    let next = link[1..].split_once('>').unwrap().0.to_owned();
    let last = client.get(&next);
    assert!(last.text().contains(",A-2,received,"), "{}", last.text());
    assert_eq!(last.header("link"), None);
    // A search by number leaves its row in this form as well.
    let searches = || {
        let sql = "SELECT count(*) AS n FROM audit WHERE practice_id = 'staff' AND action = 'queue.searched'";
        tenant.server.database().number(sql, &[])
    };
    let before = searches();
    let _found = client.get(&format!("{target}&claim_number=A-2"));
    assert!(searches() > before);
}
