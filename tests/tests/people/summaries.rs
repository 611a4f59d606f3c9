//! The summaries, and the lists of practices, colleagues and payers.

use overturn_core::base::date::Date;
use overturn_tests::prelude::*;

const SUMMARY: &str = "/api/v1/denials/summary";
const PAYERS: &str = "/api/v1/denials/payers";
const WORK: &str = "/api/v1/staff/summary";
const PRACTICES: &str = "/api/v1/staff/practices";
const COLLEAGUES: &str = "/api/v1/staff/colleagues";
const STAFF_PAYERS: &str = "/api/v1/staff/payers";
/// The reads of a practice.
const OWN: [&str; 2] = [SUMMARY, PAYERS];

fn day(days: i32) -> String {
    Date::of(now()).plus_days(days).unwrap().to_string()
}

fn read(client: &Client, target: &str) -> Value {
    let answer = client.get(target);
    assert_eq!(answer.status, 200, "{target} {}", answer.text());
    answer.json
}

/// Sets the deadline of a claim. Tests cannot choose the rule's day, which depends on the day of the test.
fn due(tenant: &Tenant<'_>, number: &str, days: i32) {
    let sql =
        "UPDATE claims SET appeal_due = ?3, appeal_due_from = 'rule' WHERE practice_id = ?1 AND claim_number = ?2";
    tenant.change_claims(sql, &[number, &day(days)]);
}

/// Names the practice, so that a list can be narrowed to the practices of one test.
fn name(tenant: &Tenant<'_>, name: &str) {
    tenant.change("UPDATE practices SET name = ?2 WHERE id = ?1", &[name]);
}

/// A text that no other test uses.
fn unique(tenant: &Tenant<'_>) -> String {
    format!("Clinic {}", tenant.id.0.simple())
}

/// A staff summary without its count of decisions, of which there are none.
fn without_decisions(mut summary: Value) -> Value {
    let fields = summary.as_object_mut().unwrap();
    assert_eq!(fields.remove("decisions_due"), Some(json!(0)));
    summary
}

#[test]
fn a_summary_follows_the_claims_of_its_practice_and_of_no_other() {
    let tenant = Tenant::shared();
    let other = Tenant::shared();
    let _theirs = other.send(&item("O-1"));
    let money = |number, denied: &str| with(item(number), "claim.denied_amount", denied);
    let sent = tenant.send(&batch([
        money("late", "1.00"),
        money("today", "2.00"),
        money("day-30", "4.00"),
        money("day-31", "8.00"),
        item("none"),
    ]));
    for (number, days) in [("late", -1), ("today", 0), ("day-30", 30), ("day-31", 31)] {
        due(&tenant, number, days);
    }
    let member = tenant.member();
    let staff = Worker::on(&tenant);
    let target = format!("{SUMMARY}?today={}", day(0));
    let of_staff = format!("{WORK}?practice_id={}&today={}", tenant.id, day(0));
    let shown = read(&member, &target);
    assert_eq!(
        shown["deadlines"],
        json!({
            "late": { "claims": 1, "denied_amount": "1.00" },
            "days": [
                { "date": day(0), "claims": 1, "denied_amount": "2.00" },
                { "date": day(30), "claims": 1, "denied_amount": "4.00" },
            ],
            "later": { "claims": 1, "denied_amount": "8.00" },
            "none": { "claims": 1, "denied_amount": "0.00" },
        })
    );
    assert_eq!(
        shown["statuses"][0],
        json!({ "status": "received", "claims": 5, "billed_amount": "600.00", "denied_amount": "15.00",
                "amount_recovered": "0.00" })
    );
    assert_eq!(without_decisions(read(&staff.client, &of_staff)), shown, "the same for the staff");

    // A step of the staff and a correction show at once.
    staff.take(sent.id(1));
    let again = tenant.send(&batch([money("late", "1.50")]));
    assert!(!again.claims.is_empty());
    let shown = read(&member, &target);
    let counts = |shown: &Value| -> Vec<i64> {
        let statuses = shown["statuses"].as_array().unwrap().iter();
        statuses.map(|one| one["claims"].as_i64().unwrap()).collect()
    };
    assert_eq!(counts(&shown), [4, 1, 0, 0, 0, 0]);
    assert_eq!(shown["total"]["denied_amount"], "15.50");
    assert_eq!(without_decisions(read(&staff.client, &of_staff)), shown);
    let theirs = read(&other.owner(), &target);
    assert_eq!(theirs["total"]["claims"], 1);
    // The rows of all practices count at least these two.
    let all = read(&staff.client, WORK);
    assert!(all["total"]["claims"].as_i64().unwrap() >= 6);
    tenant.check();
}

/// A practice in the query is checked like one in the path, whatever it narrows.
#[test]
fn what_a_closed_practice_has_is_neither_listed_nor_counted() {
    let tenant = Tenant::shared();
    let staff = Person::staff(tenant.server).client();
    tenant.send(&item("A-1"));
    let lists = [WORK, STAFF_PAYERS, "/api/v1/staff/claims", "/api/v1/staff/cases"];
    let of_path = format!("/api/v1/staff/practices/{}/cases", tenant.id);
    let targets = lists.map(|target| format!("{target}?practice_id={}", tenant.id));
    let targets: Vec<&String> = targets.iter().chain([&of_path]).collect();
    for (close, reason) in [
        ("UPDATE practices SET state = 'inactive' WHERE id = ?1", "practice_inactive"),
        ("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", "agreement_required"),
    ] {
        for target in &targets {
            let open = staff.get(target);
            assert_eq!(open.status, 200, "{target} {}", open.text());
        }
        tenant.change(close, &[]);
        for target in &targets {
            let closed = staff.get(target);
            closed.nested(403);
            assert_eq!(closed.json["error"]["reason"], reason, "{target}");
        }
        let unknown = format!("{WORK}?practice_id={}", "00000000-0000-0000-0000-000000000000");
        assert_eq!(read(&staff, &unknown)["total"]["claims"], 0);
        tenant.change("UPDATE practices SET state = 'active' WHERE id = ?1", &[]);
    }
    // A practice's own people learn nothing about another practice.
    let owner = Person::of(&Tenant::new(tenant.server), Role::Owner).client();
    tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    for target in OWN {
        let refused = owner.get(&format!("{target}?practice_id={}", tenant.id));
        refused.refused(422, "validation_failed");
    }
}

#[test]
fn staff_find_practices_by_the_beginning_of_their_names() {
    let server = Server::shared();
    let first = Tenant::new(server);
    let name_of_all = unique(&first);
    let closed = Terms { active: false, ..Terms::default() };
    let unsigned = Terms { signed: false, ..Terms::default() };
    let others = [Tenant::on(server, closed), Tenant::on(server, unsigned)];
    name(&first, &format!("{name_of_all} b"));
    name(&others[0], &format!("{} A", name_of_all.to_ascii_uppercase()));
    name(&others[1], &format!("{name_of_all} c"));
    first.send(&batch([item("late"), item("soon"), item("week"), item("none")]));
    for (number, days) in [("late", -1), ("soon", 0), ("week", 7)] {
        due(&first, number, days);
    }
    let staff = Person::staff(server).client();
    let target = format!("{PRACTICES}?name={}&today={}", encoded(&name_of_all), day(0));
    let practices = read(&staff, &target)["practices"].clone();
    let ids: Vec<&str> = practices.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    let [a, b, c] = [&others[0], &first, &others[1]].map(|tenant| tenant.id.to_string());
    assert_eq!(ids, [&a, &b, &c]);
    assert_eq!(
        practices[1],
        json!({ "id": b, "name": format!("{name_of_all} b"), "status": "active", "agreement": "in_force",
                "claims": { "open": 4, "late": 1, "due_soon": 2 } })
    );
    assert_eq!(practices[0]["status"], "inactive");
    assert_eq!(practices[2]["agreement"], "missing");

    let mut seen = Vec::new();
    let mut next = format!("{target}&limit=1");
    loop {
        let page = staff.get(&next);
        page.expect(200);
        seen.push(page.json["practices"][0]["id"].as_str().unwrap().to_owned());
        let Some(link) = page.header("link") else {
            break;
        };
        next = link[1..].split_once('>').unwrap().0.into();
    }
    assert_eq!(seen, [a, b, c]);
}

#[test]
fn colleagues_are_the_active_staff_who_work_on_claims() {
    let server = Server::shared();
    let tenant = Tenant::new(server);
    let (staff, gone) = (Person::staff(server), Person::staff(server));
    let not_listed = [Person::auditor(server).id, Person::of(&tenant, Role::Owner).id, gone.id];
    server.database().change("UPDATE users SET state = 'removed' WHERE id = ?1", &[&gone.id.to_string()]);
    let colleagues = read(&staff.client(), COLLEAGUES)["colleagues"].clone();
    let colleagues = colleagues.as_array().unwrap();
    let listed = |id: String| colleagues.iter().find(|one| one["id"] == id);
    assert_eq!(
        listed(staff.id.to_string()).unwrap(),
        &json!({ "id": staff.id.to_string(), "name": "A person, staff" })
    );
    for id in not_listed {
        assert_eq!(listed(id.to_string()), None);
    }
}

#[test]
fn payers_are_those_that_claims_of_the_practice_have_named() {
    let tenant = Tenant::shared();
    let payer = unique(&tenant);
    let named = |number, payer: &str| with(item(number), "claim.payer_name", payer);
    tenant.send(&batch([named("A-1", &payer), named("A-2", &payer.to_ascii_uppercase()), item("A-3")]));
    let owner = tenant.owner();
    let names = |client: &Client, target: &str| -> Vec<String> {
        let payers = read(client, target)["payers"].clone();
        let payers = payers.as_array().unwrap().iter();
        payers.map(|one| one["name"].as_str().unwrap().to_ascii_lowercase()).collect()
    };
    let expected = ["acme health".to_owned(), payer.to_ascii_lowercase()];
    assert_eq!(names(&owner, PAYERS), expected);
    let staff = Person::staff(tenant.server).client();
    let of_practice = format!("{STAFF_PAYERS}?practice_id={}", tenant.id);
    assert_eq!(names(&staff, &of_practice), expected);
    assert!(names(&staff, STAFF_PAYERS).contains(&expected[1]));
    let other = Person::of(&Tenant::new(tenant.server), Role::Owner).client();
    assert_eq!(names(&other, PAYERS), Vec::<String>::new());
}
