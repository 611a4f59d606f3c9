//! An installation of several cells, as its operator sees it.

use overturn_tests::account::Account;
use overturn_tests::only_on_native;
use overturn_tests::prelude::*;
use std::collections::BTreeMap;

const TOKEN: &str = "Zk3vQ0xg9Tq7bW1rLs5uYd2NcHj8MePa4oViKf6XtBn";
/// An id of the second cell, by its last bytes.
const OF_SECOND: &str = "01a20dc8-7314-7588-9fd3-a3173e0d0001";

fn three() -> Value {
    json!({ "CELLS": "3", "OPERATOR_TOKEN": TOKEN, "LIMITS": "unlimited" })
}

fn operator(server: &Server) -> Client {
    server.client().with("Authorization", &format!("Bearer {TOKEN}"))
}

#[test]
fn the_operator_sees_how_full_each_cell_is_and_reseals_one_after_the_other() {
    only_on_native!("cells_path is what several databases show on workerd");
    let server = Server::start(State::fresh(), &three());
    let practice = "INSERT INTO practices (id, name, state, created_at) VALUES (?1, 'Cedar', 'active', 1)";
    server.database().change(practice, &[OF_SECOND]);
    server.client().get("/operations/cells").expect(401);
    let told = operator(&server).get("/operations/cells");
    told.expect(200);
    let cells = told.json["cells"].as_array().unwrap();
    let of = |name: &str| cells.iter().map(|cell| cell[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("binding"), ["DB_000", "DB_001", "DB_002"]);
    assert_eq!(of("practices"), [0, 1, 0]);
    assert!(of("bytes").iter().all(|bytes| bytes.as_u64().unwrap() > 100_000), "{:?}", of("bytes"));

    let mut pages = BTreeMap::<_, u32>::new();
    let mut after = Some(String::new());
    while let Some(place) = after {
        let page = operator(&server).post(&format!("/operations/reseal?after={place}"), "");
        page.expect(200);
        after = page.json["after"].as_str().map(str::to_owned);
        let cell = place.split_once('/').map_or("0", |(cell, _)| cell).to_owned();
        *pages.entry((cell, page.json["of"].to_string())).or_default() += 1;
    }
    for cell in ["0", "1", "2"] {
        assert!(pages.contains_key(&(cell.to_owned(), "\"data_keys\"".to_owned())), "{cell}: {pages:?}");
    }
    let tables: Vec<_> = ["0", "1", "2"].map(|cell| pages.keys().filter(|(of, _)| of == cell).count()).into();
    assert!(tables[0] > 2 && tables.iter().all(|count| *count == tables[0]), "{tables:?}");
}

#[test]
fn a_swapped_database_is_named_and_nothing_is_read_from_it() {
    only_on_native!("cells_path is what several databases show on workerd");
    let server = Server::start(State::fresh(), &three());
    server.client().get("/health").expect(200);
    let state = server.stop();
    let server = Server::start(state, &three());
    // The program checked its files at the start. Those of D1 can be swapped behind any binding.
    let swapped = |number: u16| {
        let statement = json!({ "sql": "UPDATE own_cell SET number = ?1", "params": [number], "cell": 1 });
        server.database().batch(&[statement]);
    };
    swapped(2);
    let key = format!("ovt_test_{}", "A".repeat(31));
    let health = server.client().get("/health");
    assert_eq!(health.status, 503);
    assert_eq!(health.json, json!({ "status": "unavailable", "cells": { "DB_001": "other_cell" } }));
    assert!(server.log().has(|line| line["event"] == "misconfigured" && line["name"] == "DB_001"));
    server
        .client()
        .with("Authorization", &format!("Bearer {key}"))
        .get("/api/v1/claims/status?claim_number=A")
        .expect(401);
    let told = operator(&server).get("/operations/cells");
    let failures: Vec<_> = told.json["cells"].as_array().unwrap().iter().map(|cell| cell["failure"].clone()).collect();
    assert_eq!(failures, [Value::Null, json!("other_cell"), Value::Null]);

    assert_eq!(server.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
    assert!(server.log().has(|line| line["event"] == "cell_not_swept" && line["cell"] == 1));
    let others = |line: &Value| line["event"] == "cell_not_swept" && line["cell"] != 1;
    let lines = server.log().lines();
    assert!(!lines.iter().any(|line| serde_json::from_str(line).is_ok_and(|line| others(&line))));
    swapped(1);
    server.client().get("/health").expect(200);

    swapped(2);
    let refused = Server::attempt(server.stop(), &three()).unwrap_err().join("\n");
    assert!(refused.contains("overturn-001.db is the database of another cell"), "{refused}");
}

#[test]
fn everything_works_while_a_release_migrates_one_cell_after_the_other() {
    only_on_native!("cells_path is what several databases show on workerd");
    let server = Server::start(State::fresh(), &three());
    let tenants = [0, 1, 2].map(|cell| Tenant::in_cell(&server, cell));
    let migrate = |cell: u16| {
        let next = [
            "ALTER TABLE claims ADD COLUMN later TEXT",
            "CREATE TABLE laters (practice_id TEXT NOT NULL PRIMARY KEY)",
            "CREATE INDEX claims_later ON claims (practice_id, later) WHERE later IS NOT NULL",
        ];
        server.database().batch(&next.map(|sql| json!({ "sql": sql, "params": [], "cell": cell })));
    };
    let sweep = || assert_eq!(server.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
    let staff = Account::staff(&server).sign_in();
    for migrated in [1, 0] {
        migrate(migrated);
        for tenant in &tenants {
            tenant.client().send(&item(&format!("AFTER-{migrated}"))).expect(201);
            tenant.client().get(&format!("/api/v1/claims/status?claim_number=AFTER-{migrated}")).expect(200);
            tenant.owner().get("/api/v1/denials").expect(200);
        }
        sweep();
        let queue = staff.get("/api/v1/staff/claims");
        assert_eq!(queue.json["missing_cells"], Value::Null);
        assert_eq!(queue.json["claims"].as_array().unwrap().len(), if migrated == 1 { 3 } else { 6 });
    }
    // What one cell has no column for is not moved there.
    let step = || operator(&server).get("/operations/moves").json["moves"][0]["step"].clone();
    operator(&server).post(&format!("/operations/moves?practice={}&to=2", tenants[0].id), "").expect(200);
    assert_eq!(step(), "copy");
    assert!(server.log().has(|line| line["event"] == "move_not_carried_on" && line["reason"] == "cells_differ"));
    migrate(2);
    sweep();
    assert_eq!(step(), "done");
    tenants[0].client().get("/api/v1/claims/status?claim_number=AFTER-0").expect(200);
}

/// The second practice, about to open in the second cell. What happens when it opens there, and then ends its move.
fn about_to_open(server: &Server) -> [Value; 2] {
    let run = |cell: u16, sql: &str| json!({ "sql": sql, "params": [OF_SECOND], "cell": cell });
    let practice =
        |state: &str| format!("INSERT INTO practices (id, name, state, created_at) VALUES (?1, 'Cedar', '{state}', 1)");
    let follows = "INSERT INTO moves (id, practice, source, target, step, epoch, began_at) VALUES ('x', ?1, 0, 1, 'follow', 1, 1)";
    server.database().batch(&[run(0, &practice("active")), run(0, follows)]);
    let arrives = "INSERT INTO moving (id, of, state, epoch) VALUES (?1, ?1, 'arriving', 1)";
    server.database().batch(&[run(1, &practice("moved:active")), run(1, arrives)]);
    let opens =
        ["UPDATE practices SET state = 'active' WHERE id = ?1", "UPDATE moving SET state = 'here' WHERE id = ?1"];
    let ends = [
        "UPDATE practices SET state = 'moved:active' WHERE id = ?1",
        "UPDATE moves SET step = 'done', ended_at = 1 WHERE practice = ?1",
    ];
    [(1, opens), (0, ends)].map(|(cell, writes)| json!({ "before": writes.map(|sql| run(cell, sql)) }))
}

#[test]
fn a_practice_that_moves_between_the_looks_at_two_cells_is_listed_once() {
    only_on_native!("cells_path is what several databases show on workerd");
    let server = Server::start(State::fresh(), &three());
    let staff = Account::staff(&server).sign_in();
    let [opens, ends] = about_to_open(&server);
    // The first batch asks the directory, the next two the other cells, and then it begins anew.
    let listed = staff.faulty(&json!({ "2": opens, "4": ends })).get("/api/v1/staff/practices");
    listed.expect(200);
    assert_eq!(listed.json["missing_cells"], Value::Null);
    let ids: Vec<_> = listed.json["practices"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids, [OF_SECOND]);
}

#[test]
fn a_search_for_a_patient_while_a_practice_moves_does_not_count_as_complete() {
    only_on_native!("cells_path is what several databases show on workerd");
    let search = json!({ "first_name": "Ada", "last_name": "Byron", "date_of_birth": "1990-12-10" }).to_string();
    // Of the two rounds, each asks the directory and then the two other cells.
    for (batch, missing) in [("2", json!([0, 1, 2])), ("5", json!([0, 1, 2])), ("9", Value::Null)] {
        let server = Server::start(State::fresh(), &three());
        let staff = Account::staff(&server).sign_in();
        let [opens, _] = about_to_open(&server);
        let found = staff.faulty(&json!({ batch: opens })).post("/api/v1/staff/patients/search", search.clone());
        found.expect(200);
        assert_eq!(found.json["missing_cells"], missing, "{batch}");
    }
}
