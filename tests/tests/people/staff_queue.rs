//! `GET /api/v1/staff/claims`: the staff's queue.

use overturn_core::base::date::Date;
use overturn_tests::claims::item;
use overturn_tests::client::{Client, encoded};
use overturn_tests::person::Person;
use overturn_tests::server::Server;
use overturn_tests::staff::{QUEUE, Worker};
use overturn_tests::tenant::{Tenant, now};
use serde_json::{Value, json};

/// A practice with claims of these numbers and deadlines, if any.
fn practice(deadlines: &[(&str, Option<&str>)]) -> Tenant<'static> {
    let tenant = Tenant::new(Server::shared());
    for (number, due) in deadlines {
        let _sent = tenant.send(&item(number));
        if let Some(due) = due {
            let sql = "UPDATE claims SET appeal_due = ?3, appeal_due_from = 'rule'
                       WHERE practice_id = ?1 AND claim_number = ?2";
            tenant.change(sql, &[number, due]);
        }
    }
    tenant
}

fn numbers(client: &Client, tenant: &Tenant<'_>, filter: &str) -> Vec<String> {
    let listed = client.get(&format!("{QUEUE}?practice_id={}{filter}", tenant.id));
    assert_eq!(listed.status, 200, "{}", listed.text());
    let claims = listed.json["claims"].as_array().unwrap().iter();
    claims
        .map(|claim| claim["claim_number"].as_str().unwrap().to_owned())
        .collect()
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
    let first = staff
        .get(&format!("{QUEUE}?practice_id={}", tenant.id))
        .json["claims"][0]
        .clone();
    assert_eq!(
        first["deadline"],
        json!({ "date": "2026-01-31", "from": "rule" })
    );
    assert_eq!(first["practice"]["id"], tenant.id.to_string());
    assert_eq!(first["denial_codes"], json!(["CO-45"]));
    assert_eq!(first.get("patient"), None);

    let mut seen = Vec::new();
    let mut next = format!(
        "{QUEUE}?practice_id={}&limit=2&status=received%2Creviewing",
        tenant.id
    );
    loop {
        let page = staff.get(&next);
        assert_eq!(page.status, 200, "{}", page.text());
        let claims = page.json["claims"].as_array().unwrap().iter();
        seen.extend(claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()));
        // A claim before the cursor leaves the queue, and one after it changes its status: the cursor still works.
        let sql = "UPDATE claims SET status = iif(claim_number = 'soon-1', 'closed', 'reviewing')
                   WHERE practice_id = ?1 AND claim_number IN ('soon-1', 'none-1')";
        tenant.change(sql, &[]);
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
        let sql =
            format!("UPDATE claims SET {column} = ?3 WHERE practice_id = ?1 AND claim_number = ?2");
        tenant.change(&sql, &[number, value]);
    };
    let id = tenant.row("A-1")["id"].as_str().unwrap().to_owned();
    let _taken = worker.take(&id);
    set("A-2", "payer_name", "Umbrella & Söhne");
    set("A-2", "adjustment_codes", "[\"CO-45\",\"N130\"]");
    set("A-3", "status", "closed");
    assert_eq!(
        numbers(staff, &tenant, ""),
        ["A-1", "A-2"],
        "what is closed needs no work"
    );
    assert_eq!(numbers(staff, &tenant, "&status=closed"), ["A-3"]);
    assert_eq!(numbers(staff, &tenant, "&claim_number=A-2"), ["A-2"]);
    assert!(numbers(staff, &tenant, "&claim_number=a-2").is_empty());
    assert_eq!(
        numbers(staff, &tenant, "&status=closed,received"),
        ["A-2", "A-3"]
    );
    assert_eq!(numbers(staff, &tenant, "&taken_by=me"), ["A-1"]);
    assert_eq!(numbers(staff, &tenant, "&taken_by=nobody"), ["A-2"]);
    let colleague = Person::staff(Server::shared()).client();
    assert!(numbers(&colleague, &tenant, "&taken_by=me").is_empty());
    let payer = format!("&payer_name={}", encoded("umbrella & Söhne"));
    assert_eq!(numbers(staff, &tenant, &payer), ["A-2"]);
    assert_eq!(numbers(staff, &tenant, "&denial_code=n130"), ["A-2"]);
    assert_eq!(numbers(staff, &tenant, "&denial_code=co45"), ["A-1", "A-2"]);
    let aged = "UPDATE claims SET received_at = received_at - 864000000 WHERE practice_id = ?1 AND claim_number = 'A-1'";
    tenant.change(aged, &[]);
    assert_eq!(numbers(staff, &tenant, "&min_age_days=10"), ["A-1"]);
    assert_eq!(numbers(staff, &tenant, "&max_age_days=9"), ["A-2"]);
    assert_eq!(
        numbers(staff, &tenant, "&min_age_days=10&taken_by=nobody"),
        Vec::<String>::new()
    );
}

#[test]
fn an_age_counts_whole_utc_days_and_is_0_today() {
    let tenant = practice(&[("today", None), ("midnight", None), ("yesterday", None)]);
    let staff = Person::staff(Server::shared()).client();
    let received = |number: &str, at: i64| {
        let sql = "UPDATE claims SET received_at = CAST(?3 AS INTEGER)
                   WHERE practice_id = ?1 AND claim_number = ?2";
        tenant.change(sql, &[number, &at.to_string()]);
    };
    let midnight = Date::of(now()).begins().0;
    received("midnight", midnight);
    received("yesterday", midnight - 1);
    assert_eq!(
        numbers(&staff, &tenant, "&max_age_days=0"),
        ["today", "midnight"]
    );
    assert_eq!(numbers(&staff, &tenant, "&max_age_days=1").len(), 3);
    assert_eq!(numbers(&staff, &tenant, "&min_age_days=0").len(), 3);
    assert_eq!(
        numbers(&staff, &tenant, "&min_age_days=1&max_age_days=1"),
        ["yesterday"]
    );
    assert!(numbers(&staff, &tenant, "&min_age_days=2").is_empty());
}

#[test]
fn an_invalid_query_is_reported_only_to_staff() {
    let staff = Person::staff(Server::shared()).client();
    let wrong = "limit=0&cursor=x&status=open&practice_id=1&denial_code=drop&min_age_days=-1&max_age_days=x&taken_by=you";
    let refused = staff.get(&format!("{QUEUE}?{wrong}"));
    assert_eq!(refused.nested(422).0, "validation_failed");
    assert_eq!(
        refused.details(),
        [
            "limit must be a whole number from 1 to 100",
            "cursor must be one that a page gave",
            "status must be out of received, reviewing, in_report, in_appeal, recovered, closed",
            "practice_id must be an id",
            "denial_code must be an adjustment or remark code",
            "min_age_days must be a whole number from 0 to 36500",
            "max_age_days must be a whole number from 0 to 36500",
            "taken_by must be me or nobody",
        ]
    );
    let unknown = staff.get(&format!("{QUEUE}?claim_no=1"));
    let known = "limit, cursor, status, practice_id, payer_name, claim_number, denial_code, min_age_days, max_age_days, taken_by";
    let named = format!("claim_no is not a known parameter; known are {known}");
    assert_eq!(unknown.details(), [named]);
    let twice = staff.get(&format!("{QUEUE}?status=closed&status=closed"));
    assert_eq!(twice.details(), ["status must be given only once"]);
    // A repeated status would repeat its claims on the page.
    let twice = staff.get(&format!("{QUEUE}?status=closed,received,closed"));
    assert_eq!(twice.details(), ["status must name each status only once"]);
    for blank in ["", "?status=&cursor=&payer_name="] {
        assert_eq!(staff.get(&format!("{QUEUE}{blank}")).status, 200);
    }
    let nobody = Server::shared().client();
    let _ = nobody.get(&format!("{QUEUE}?{wrong}")).nested(401);
}

#[test]
fn a_cursor_is_a_place_and_no_way_around_the_filters() {
    let tenant = practice(&[("A-1", None)]);
    let staff = Person::staff(Server::shared()).client();
    let far = "9999-12-31_ffffffffffffffffffffffffffffffff";
    assert_eq!(
        numbers(&staff, &tenant, &format!("&cursor={far}")),
        ["A-1"],
        "no deadline comes behind every date"
    );
    let end = "none_ffffffffffffffffffffffffffffffff";
    assert!(numbers(&staff, &tenant, &format!("&cursor={end}")).is_empty());
    let target = format!("{QUEUE}?practice_id={}", tenant.id);
    let page = staff.get(&target);
    assert_eq!(page.json["next_cursor"], Value::Null);
    let known = staff.with("If-None-Match", page.header("etag").unwrap());
    assert_eq!(known.get(&target).status, 304);
    let _taken = Worker::on(&tenant).take(page.json["claims"][0]["id"].as_str().unwrap());
    assert_eq!(known.get(&target).status, 200);
}
