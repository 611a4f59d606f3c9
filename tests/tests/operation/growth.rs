//! The cost of a request does not grow with the table: it reads the same number of rows among a thousand claims and
//! among a hundred thousand. A statement that reads more rows in a larger table would show in either.

use overturn_tests::fill::fill;
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;

fn rows_read(server: &Server, answer: &Answer) -> u64 {
    assert!(answer.status == 200 || answer.status == 201, "{}", answer.text());
    server.log().of(answer.request_id())[0]["rows_read"].as_u64().unwrap()
}

/// Rows read by: one new claim, a hundred new ones, the same hundred again, a correction, a status read.
fn costs(server: &Server, tenant_key: &str, round: &str) -> [u64; 5] {
    let client = server.client().with("Authorization", &format!("Bearer {tenant_key}"));
    // The first call of a key also records its use.
    let _warm = client.status("none");
    let hundred = numbered((0..100).map(|n| format!("{round}-{n}")));
    let one = item(&format!("{round}-one"));
    let corrected: Value = with(one.clone(), "claim.billed_amount", "77.00");
    [
        client.send(&one),
        client.send(&hundred),
        client.send(&hundred),
        client.send(&corrected),
        client.status(&format!("{round}-one")),
    ]
    .map(|answer| rows_read(server, &answer))
}

#[test]
fn among_a_hundred_thousand_claims_a_request_reads_the_rows_it_reads_among_a_thousand() {
    only_on_workerd!("D1 counts the rows that it reads");
    let vars = json!({ "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let tenant = Tenant::new(&server);
    // The first send of a practice makes its data key, once.
    let _first = tenant.send(&item("FIRST"));
    let (key, practice) = (tenant.key.text.clone(), tenant.id.to_string());
    drop(tenant);
    let mut state = server.stop();
    let mut measured = Vec::new();
    for claims in [1_000_u32, 100_000] {
        fill(&state.database(), &practice, claims, 1);
        let server = Server::start(state, &vars);
        measured.push(costs(&server, &key, &format!("R{claims}")));
        state = server.stop();
    }
    let [few, many] = measured[..] else { panic!("two sizes") };
    assert_eq!(few, many, "rows read: one new, a hundred new, a hundred again, a correction, a status read");
    let [one, hundred, again, correction, status] = many;
    assert!(one <= 40 && hundred <= 1_500 && again <= 500 && correction <= 60 && status <= 10, "{many:?}");
}

#[test]
fn a_correction_costs_the_same_however_often_a_claim_was_corrected() {
    only_on_workerd!("D1 counts the rows that it reads");
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let client = tenant.client();
    client.send(&item("A-1"));
    let cost = |n: u32| {
        let corrected = with(item("A-1"), "claim.billed_amount", format!("{n}.00"));
        rows_read(&server, &client.send(&corrected))
    };
    let costs: Vec<u64> = (200..300).map(cost).collect();
    assert_eq!(costs.first(), costs.last(), "{costs:?}");
}
