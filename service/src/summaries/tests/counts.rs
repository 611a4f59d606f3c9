//! What summaries and lists of names read.

use crate::summaries::claims::{self, Summary, summarize};
use crate::summaries::names;
use crate::summaries::practices::{self, ListedPractice, PracticesQuery};
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_core::request::query::ListQuery;
use overturn_store::Statement;
use overturn_store::testing::{Fixture, batch, claim, due, params, send_of};
use rusqlite::StatementStatus;
use serde_json::{Value, json};

const TODAY: &str = "2026-07-01";

fn today() -> Date {
    Date::parse(TODAY).unwrap()
}

fn practice(f: &Fixture) -> PracticeId {
    let sql = "SELECT practice_id FROM claims LIMIT 1";
    let id: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
    PracticeId(id.parse().unwrap())
}

fn summary(f: &mut Fixture, practice: Option<PracticeId>) -> Summary {
    let counts = f.read(&claims::of_scope(practice, today()));
    summarize(today(), &counts)
}

fn shown(f: &mut Fixture, practice: Option<PracticeId>) -> Value {
    serde_json::to_value(summary(f, practice)).unwrap()
}

#[test]
fn a_summary_shows_amounts_statuses_and_deadlines_of_one_practice_or_of_all() {
    let mut f = Fixture::new();
    // 180 days before today, the day before that, 30 and 31 days after it.
    let claims = [
        due("D-1", "2026-01-02", "1.00"),
        due("D-2", "2026-01-01", "2.00"),
        due("D-3", "2026-02-01", "4.00"),
        due("D-4", "2026-02-02", "8.00"),
        due("D-5", "1950-01-01", "16.00"),
        claim("D-6", "9999999999999999.99"),
        claim("D-7", "9999999999999999.99"),
    ];
    f.send(&send_of(&claims), |_| {});
    let first = practice(&f);
    let other = f.provision(2);
    let mine = std::mem::replace(&mut f.key_hash, other);
    f.send(&batch(0..2), |_| {});
    f.key_hash = mine;

    let of_first = shown(&mut f, Some(first));
    assert_eq!(
        of_first["deadlines"],
        json!({
            "late": { "claims": 2, "denied_amount": "18.00" },
            "days": [
                { "date": "2026-07-01", "claims": 1, "denied_amount": "1.00" },
                { "date": "2026-07-31", "claims": 1, "denied_amount": "4.00" },
            ],
            "later": { "claims": 1, "denied_amount": "8.00" },
            "none": { "claims": 2, "denied_amount": "0.00" },
        })
    );
    assert_eq!(
        of_first["total"],
        json!({ "claims": 7, "billed_amount": "20000000000000049.98", "denied_amount": "31.00",
                "amount_recovered": "0.00" })
    );
    let all = shown(&mut f, None);
    assert_eq!(all["total"]["claims"], 9);
    assert_eq!(all["deadlines"]["none"]["claims"], 4);
    let nobody = shown(&mut f, Some(PracticeId(uuid::Uuid::nil())));
    assert_eq!(nobody["total"]["claims"], 0);
}

/// The queue hides the claims of a practice whose patient data may not be read.
#[test]
fn the_staffs_counts_leave_out_what_the_queue_hides() {
    let mut f = Fixture::new();
    let claims =
        [claim("H-1", "9999999999999999.99"), due("H-2", "2026-01-02", "3.00"), due("H-3", "2026-02-01", "4.00")];
    f.send(&send_of(&claims), |_| {});
    let hidden = practice(&f);
    let other = f.provision(2);
    let mine = std::mem::replace(&mut f.key_hash, other);
    f.send(&send_of(&[due("O-1", "2026-02-01", "5.00")]), |_| {});
    f.key_hash = mine;
    let both = shown(&mut f, None);
    assert_eq!((&both["total"]["claims"], &both["total"]["denied_amount"]), (&json!(4), &json!("12.00")));
    let inactive = "UPDATE practices SET state = 'inactive' WHERE id = ?1";
    let active = "UPDATE practices SET state = 'active' WHERE id = ?1";
    let ended = "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1";
    for hide in [inactive, ended] {
        f.db.execute(active, [hidden.to_string()]).unwrap();
        assert_eq!(shown(&mut f, None), both);
        f.db.execute(hide, [hidden.to_string()]).unwrap();
        let all = shown(&mut f, None);
        assert_eq!(
            all["total"],
            json!({ "claims": 1, "billed_amount": "10.00", "denied_amount": "5.00", "amount_recovered": "0.00" }),
            "{hide}"
        );
        assert_eq!(all["deadlines"]["late"]["claims"], 0);
        assert_eq!(all["deadlines"]["days"], json!([{ "date": "2026-07-31", "claims": 1, "denied_amount": "5.00" }]));
        assert_eq!(shown(&mut f, Some(hidden))["total"]["claims"], 0);
        let query = PracticesQuery::parse([]).unwrap();
        let listed: Vec<ListedPractice> = f.read(&practices::page(&query, today()));
        let listed = serde_json::to_value(listed).unwrap();
        let open: Vec<&Value> = listed.as_array().unwrap().iter().map(|one| &one["claims"]["open"]).collect();
        assert!(open.contains(&&json!(0)) && open.contains(&&json!(1)), "{open:?}");
    }
}

#[test]
fn payers_are_listed_once_by_name_and_without_regard_to_case() {
    let mut f = Fixture::new();
    let named = |number: &str, name: &str| claim(number, "1.00").replace("Acme", name);
    let first = ["Éclair Health", "acme", "Acme", "ACME", "Blue"];
    let claims: Vec<String> = (0..5).map(|n| named(&n.to_string(), first[n])).collect();
    f.send(&send_of(&claims), |_| {});
    let mine = practice(&f);
    let other = f.provision(2);
    f.key_hash = other;
    f.send(&send_of(&[named("1", "Zenith"), named("2", "BLUE")]), |_| {});
    let mut names = |practice| -> Vec<String> {
        let payers = f.read(&names::of_scope(practice)).into_iter();
        payers.map(|payer| payer.name.to_lowercase()).collect()
    };
    assert_eq!(names(Some(mine)), ["acme", "blue", "éclair health"]);
    assert_eq!(names(None), ["acme", "blue", "zenith", "éclair health"]);
    assert_eq!(names(Some(PracticeId(uuid::Uuid::nil()))), Vec::<String>::new());
}

#[test]
fn practices_are_listed_by_name_page_by_page_with_their_open_claims() {
    let mut f = Fixture::new();
    f.send(
        &send_of(&[
            due("D-1", "2026-01-01", "1.00"),
            due("D-2", "2026-01-02", "1.00"),
            due("D-3", "2026-01-09", "1.00"),
            due("D-4", "2026-01-10", "1.00"),
            claim("D-5", "1.00"),
        ]),
        |_| {},
    );
    f.db.execute("UPDATE claims SET status = 'closed' WHERE claim_number = 'D-5'", []).unwrap();
    for n in 2..6 {
        f.provision(n);
    }
    let names = ["lake 100%", "Lake B", "harbor", "LAKE a", "Zeta"];
    for (n, name) in names.iter().enumerate() {
        let sql = "UPDATE practices SET name = ?2 WHERE name = 'Practice ' || ?1";
        f.db.execute(sql, [(n + 1).to_string(), (*name).into()]).unwrap();
    }
    f.db.execute_batch(
        "UPDATE agreements SET ended_at = 1 WHERE practice_id = (SELECT id FROM practices WHERE name = 'Zeta');
         UPDATE practices SET state = 'inactive' WHERE name = 'harbor'",
    )
    .unwrap();
    let page = |f: &mut Fixture, query: &[(&'static str, String)]| -> Vec<ListedPractice> {
        let query = query.iter().map(|(name, value)| ((*name).into(), value.clone().into()));
        f.read(&practices::page(&PracticesQuery::parse(query).unwrap(), today()))
    };
    let all = page(&mut f, &[]);
    let listed: Vec<&str> = all.iter().map(|one| &*one.name).collect();
    assert_eq!(listed, ["harbor", "lake 100%", "LAKE a", "Lake B", "Zeta"]);
    let first = serde_json::to_value(&all[1]).unwrap();
    assert_eq!(first["claims"], json!({ "open": 4, "late": 1, "due_soon": 2 }));
    let of = |n: usize| serde_json::to_value(&all[n]).unwrap();
    assert_eq!(of(0)["status"], "inactive");
    assert_eq!(of(1)["agreement"], "in_force");
    assert_eq!(of(4)["agreement"], "ended");
    let after =
        page(&mut f, &[("name", "lAke".into()), ("limit", "1".into()), ("cursor", all[1].id.0.simple().to_string())]);
    let after: Vec<&str> = after.iter().map(|one| &*one.name).collect();
    // One more than asked shows that there is another page.
    assert_eq!(after, ["LAKE a", "Lake B"]);
    assert_eq!(page(&mut f, &[("name", "lake %".into())]), []);
}

/// How many steps of SQLite's virtual machine a read takes.
fn steps(f: &Fixture, statement: &Statement) -> i32 {
    let mut prepared = f.db.prepare(statement.sql).unwrap();
    let params = params(statement);
    let json: String = prepared.query_row(params, |row| row.get(0)).unwrap();
    assert!(json.len() > 2, "{}", statement.sql);
    prepared.get_status(StatementStatus::VmStep)
}

/// Two practices with this many claims, in all statuses and with 60 deadlines.
fn many(claims: u32) -> Fixture {
    let mut f = Fixture::new();
    f.provision(2);
    let (staff, ..) = f.enrol(1);
    let insert = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1)
        INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
          date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
          appeal_due, changed, present)
        SELECT p.id, n, p.id || n, 's', json_array('received', 'reviewing', 'in_report', 'in_appeal', 'recovered',
            'closed') ->> (n % 6), 'P', 'Payer ' || (n % 20), '2026-01-02', 1, '[]', 't', 1, 'x', 1, 1,
          date('2026-06-15', '+' || (n % 60) || ' days'), n + 1, 0 FROM n, practices p";
    f.db.execute(insert, [claims / 2]).unwrap();
    f.count_claims();
    f.db.execute("UPDATE users SET name = 'Alex' WHERE id = ?1", [staff.to_string()]).unwrap();
    f.db.execute_batch(
        "INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
         SELECT 'm', practice_id, 'member', 'active', 'm', 'm', 'M', 1 FROM claims LIMIT 1;
         INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, ip, agent)
         VALUES ('m', 's', 'hash', 'full', 1, 1, 2, 1, '', '')",
    )
    .unwrap();
    f
}

#[test]
fn a_summary_takes_the_same_number_of_steps_however_many_claims_there_are() {
    let reads = |f: &Fixture| -> Vec<Statement> {
        let practice = practice(f);
        let query = PracticesQuery::parse([("name".into(), "p".into())]).unwrap();
        vec![
            claims::of_caller("hash", today()).into(),
            claims::of_scope(None, today()).into(),
            claims::of_scope(Some(practice), today()).into(),
            practices::page(&query, today()).into(),
            names::staff().into(),
            names::of_caller("hash").into(),
            names::of_scope(None).into(),
            names::of_scope(Some(practice)).into(),
        ]
    };
    let [few, all] = [600, 12_000].map(|claims| {
        let f = many(claims);
        for statement in reads(&f) {
            let harmless = [
                // Few rows: see `edge/migrations/0001_schema.sql`.
                "SEARCH claim_counts USING PRIMARY KEY (scope=?)",
                "SEARCH n USING PRIMARY KEY (scope=? AND status=?",
                // At most 1,000, in order.
                "SEARCH payers USING PRIMARY KEY (practice_id=?)",
                // The first row of the index.
                "SCAN p USING COVERING INDEX payers_by_name",
                "SCAN n",
                "CONSTANT ROW",
                // The staff.
                "SEARCH u USING INDEX users_of_practice (practice_id=?)",
                // A few rows for each practice, to leave out those whose claims the queue hides.
                "SCAN hidden",
                "SEARCH n USING PRIMARY KEY (scope=?)",
                // The agreements of a practice.
                "SEARCH e USING PRIMARY KEY (practice_id=?)",
            ];
            f.assert_indexed(&statement, &harmless);
        }
        let steps: Vec<i32> = reads(&f).iter().map(|read| steps(&f, read)).collect();
        steps
    });
    assert_eq!(few, all);
}

#[test]
fn the_decisions_that_are_due_are_counted_up_to_a_page_without_those_of_closed_practices() {
    let mut f = Fixture::with_filed_cases(60);
    let due = |f: &mut Fixture, of, day: &str| f.read(&claims::decisions_due(of, Date::parse(day).unwrap()));
    let counted = |f: &Fixture, more: &str| {
        let sql = format!("SELECT count(*) FROM cases WHERE is_open = 1 AND ask_on <= '2026-03-20' {more}");
        f.count(&sql)
    };
    let all = counted(&f, "");
    assert!(all > 0);
    assert_eq!(due(&mut f, None, "2026-03-20"), all);
    assert_eq!(due(&mut f, None, "2026-02-28"), 0, "nothing is due yet");
    let name = f.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get::<_, String>(0)).unwrap();
    let practice = PracticeId(name.parse().unwrap());
    let own = counted(&f, &format!("AND practice_id = '{name}'"));
    assert_eq!(due(&mut f, Some(practice), "2026-03-20"), own);
    let end = "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1";
    f.db.execute(end, [&name]).unwrap();
    assert_eq!(due(&mut f, Some(practice), "2026-03-20"), 0);
    assert_eq!(due(&mut f, None, "2026-03-20"), all - own);
    let mut many = Fixture::with_filed_cases(1_000);
    assert_eq!(due(&mut many, None, "2030-01-01"), 100);
    for of in [None, Some(practice)] {
        let statement: Statement = claims::decisions_due(of, today()).into();
        many.assert_indexed(&statement, &[]);
    }
}
