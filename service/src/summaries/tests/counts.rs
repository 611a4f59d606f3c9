//! What summaries and lists of names read.

use crate::request::page::Listed;
use crate::request::query::ListQuery;
use crate::store::Statement;
use crate::summaries::claims::{self, summarize};
use crate::summaries::counting;
use crate::summaries::names;
use crate::summaries::practices::{self, ListedPractice, PracticesQuery};
use crate::testing::{Fixture, claim, due, send_of};
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
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

fn shown(f: &mut Fixture, practice: Option<PracticeId>) -> Value {
    let counts = f.read(&claims::of_scope(practice, today()));
    serde_json::to_value(summarize(today(), &counts)).unwrap()
}

#[test]
fn amounts_that_no_integer_holds_are_added_up() {
    let mut f = Fixture::new();
    f.send(&send_of(&["D-6", "D-7"].map(|number| claim(number, "9999999999999999.99"))), |_| {});
    let of = Some(practice(&f));
    assert_eq!(shown(&mut f, of)["total"]["billed_amount"], "19999999999999999.98");
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

/// Two practices with this many claims, in all statuses and with 60 deadlines.
fn many(claims: u32) -> Fixture {
    let status = "json_array('received', 'reviewing', 'in_report', 'in_appeal', 'recovered', 'closed') ->> (n % 6)";
    let due = "date('2026-06-15', '+' || (n % 60) || ' days')";
    let mut f = Fixture::filled(2, claims / 2, [status, "'Payer ' || (n % 20)", "'t'", due]);
    let (staff, ..) = f.enrol(1);
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
        let mut f = many(claims);
        let ctx = f.ctx();
        f.commit(&ctx, (Vec::new(), counting::count().into())).unwrap();
        let steps = reads(&f).into_iter().map(|read| {
            let (json, steps) = f.measured(&read);
            assert!(json.len() > 2, "{}", read.sql);
            steps
        });
        steps.collect::<Vec<_>>()
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
}

#[test]
fn pages_of_the_practices_of_several_cells_follow_each_other_as_those_of_one() {
    let mut f = Fixture::filled(9, 1, ["'received'", "'Acme'", "'t'", "NULL"]);
    let mut names = ["b_1", "a", "B_1", "A", "é", "a%", "Z", "aa", "b_1"].into_iter();
    let ids: Vec<String> = {
        let mut read = f.db.prepare("SELECT id FROM practices ORDER BY id").unwrap();
        read.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for id in &ids {
        f.db.execute("UPDATE practices SET name = ?1 WHERE id = ?2", [names.next().unwrap(), id]).unwrap();
    }
    let mut walk = |limit: usize, cells: usize| {
        let (mut all, mut cursor) = (Vec::new(), None);
        loop {
            let mut pairs = vec![("limit".into(), limit.to_string().into())];
            pairs.extend(cursor.take().map(|cursor: String| ("cursor".into(), cursor.into())));
            let query = PracticesQuery::parse(pairs).unwrap();
            let whole = PracticesQuery { limit: 100, ..query.clone() };
            let rest: Vec<ListedPractice> = f.read(&practices::page(&whole, today()));
            let of_cell = |cell: usize| {
                let here = |one: &&ListedPractice| {
                    ids.iter().position(|id| *id == one.id.to_string()).unwrap() % cells == cell
                };
                Some(rest.iter().filter(here).take(limit + 1).cloned().collect::<Vec<_>>())
            };
            let found = (0..cells).map(of_cell).reduce(|all, more| practices::joined(&query, all, more));
            let listed = Listed::cut(found.flatten().unwrap(), limit, practices::cursor);
            let shown = serde_json::to_value(&listed).unwrap();
            let shown = shown["practices"].as_array().unwrap();
            all.extend(shown.iter().map(|one| one["id"].as_str().unwrap().to_owned()));
            match listed.next_cursor() {
                Some(next) => cursor = Some(next.to_owned()),
                None => return all,
            }
        }
    };
    let one = walk(100, 1);
    assert_eq!(one.len(), 9);
    for cells in 1..=4 {
        for limit in 1..=5 {
            assert_eq!(walk(limit, cells), one, "{cells} cells by {limit}");
        }
    }
}

#[test]
fn a_payer_of_two_cells_is_listed_once() {
    let payers = |names: &[&str]| -> Vec<names::Payer> {
        serde_json::from_value(names.iter().map(|name| json!({ "name": name })).collect()).unwrap()
    };
    let (a, b) = (payers(&["Acme", "best", "Zed"]), payers(&["ACME", "Cob"]));
    let expected = payers(&["ACME", "best", "Cob", "Zed"]);
    assert_eq!(names::joined(a.clone(), b.clone()), expected);
    assert_eq!(names::joined(b, a), expected);
}
