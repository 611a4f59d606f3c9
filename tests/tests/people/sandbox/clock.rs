//! A sandbox's clock, and the scripts of its claims.

use overturn_core::base::time::Time;
use overturn_tests::prelude::*;
use overturn_tests::sandbox::{CLOCK, SANDBOX, Sandbox, says};

const NUMBERS: [&str; 10] =
    ["RECOVER-1", "PART-1", "CLOSE-1", "DISMISS-1", "SILENT-1", "REPORT-1", "SIGN-1", "SLOW-1", "PLAIN-1", "RECORDS-1"];

/// What the payer made of the first five.
const DECIDED: [&str; 5] = ["recovered", "recovered", "closed", "closed", "in_appeal"];

#[test]
fn the_beginning_of_a_claim_number_says_what_happens_to_the_claim() {
    let sandbox = Sandbox::of(&Tenant::shared());
    sandbox.client.send(&batch(NUMBERS.map(item))).expect(201);
    let statuses = || NUMBERS.map(|number| sandbox.status(number).as_str().unwrap().to_owned());
    let plain = "received";
    assert_eq!(statuses(), [plain; 10]);
    for (by, expected) in [
        ("P2D", [["reviewing"; 5], ["reviewing", "reviewing", plain, plain, "reviewing"]]),
        ("P8D", [["in_appeal"; 5], ["in_report", "reviewing", plain, plain, "in_appeal"]]),
        ("P30D", [DECIDED, ["in_report", "reviewing", "in_appeal", plain, "in_appeal"]]),
        ("P200D", [DECIDED, ["in_report", "reviewing", "recovered", plain, "recovered"]]),
    ] {
        assert_eq!(sandbox.advance(by).json["clock"]["waiting"], 0);
        assert_eq!(statuses()[..], expected.concat(), "{by}");
        let asked = sandbox.practice.rows(
            "SELECT julianday(follow_up_on) - julianday(filed_on) AS days FROM case_levels
             WHERE practice_id = ?1 AND follow_up_on IS NOT NULL",
            &[],
        );
        // The payer asked for records 20 days after the appeal was filed, and decides 30 days after that.
        let expected = (by == "P30D").then(|| json!({ "days": 50 }));
        assert_eq!(asked, Vec::from_iter(expected), "{by}");
    }
    let rows = sandbox.practice.rows(
        "SELECT claim_number, recovered_cents, closing_reason FROM claims
         WHERE practice_id = ?1 AND status IN ('recovered', 'closed') ORDER BY claim_number",
        &[],
    );
    let row = |number: &str, cents: Value, reason: Value| json!({ "claim_number": number, "recovered_cents": cents, "closing_reason": reason });
    let closed = |number: &str, reason: &str| row(number, Value::Null, json!(reason));
    let paid = |number: &str, cents: u32| row(number, json!(cents), Value::Null);
    let closings = [closed("CLOSE-1", "denial_upheld"), closed("DISMISS-1", "deadline_passed")];
    assert_eq!(
        rows,
        [
            &closings[..],
            &[paid("PART-1", 6_000), paid("RECORDS-1", 8_400), paid("RECOVER-1", 8_400), paid("SLOW-1", 8_400)]
        ]
        .concat()
    );
    let decisions = sandbox.practice.rows("SELECT DISTINCT actor FROM claim_events WHERE practice_id = ?1", &[]);
    assert_eq!(decisions, [json!({ "actor": "sandbox" })]);
}

#[test]
fn a_clock_is_of_its_sandbox_alone() {
    let live = Tenant::shared();
    let [sandbox, other] = [Sandbox::of(&live), Sandbox::of(&Tenant::shared())];
    let before = now().0;
    let read = |sandbox: &Sandbox<'_>| says(&sandbox.client.get(CLOCK));
    assert!((read(&sandbox) - before).abs() < 60_000);
    let advanced = says(&sandbox.advance("P1WT1H"));
    let week = 7 * 86_400_000 + 3_600_000;
    assert!((advanced - before - week).abs() < 60_000);
    assert!((read(&sandbox) - before - week).abs() < 60_000);
    assert!((read(&other) - before).abs() < 60_000);
    sandbox.client.send(&item("N-1")).expect(201);
    live.client().send(&item("N-1")).expect(201);
    let received = |tenant: &Tenant<'_>| tenant.row("N-1")["received_at"].as_i64().unwrap() - before;
    assert!((received(&sandbox.practice) - week).abs() < 60_000);
    assert!(received(&live).abs() < 60_000);

    live.client().get(CLOCK).expect(404);
    live.client().post(CLOCK, r#"{"advance":"P1D"}"#).expect(404);
    for (body, says) in [
        (
            r#"{"advance":"P1M"}"#,
            "advance must be a duration of weeks, days, hours, minutes and seconds, such as P30D or PT2H",
        ),
        (r#"{}"#, "advance is required"),
        (r#"{"advance":"P1820D"}"#, "advance must be short enough that the clock is at most 1826 days ahead"),
    ] {
        let refused = sandbox.client.post(CLOCK, body);
        refused.expect(422);
        assert!(refused.text().contains(says), "{}", refused.text());
    }
}

#[test]
fn a_key_of_a_sandbox_is_made_and_expires_by_its_clock() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    sandbox.advance("P364D");
    let read = sandbox.client.get(CLOCK);
    read.expect(200);
    let ends = Time::parse(read.json["clock"]["key_expires_at"].as_str().unwrap()).unwrap().0.0;
    assert!((ends - says(&read) - 86_400_000).abs() < 60_000, "{ends}");
    sandbox.advance("P2D");
    sandbox.client.get(CLOCK).expect(401);
    Sandbox::of(&live).client.get(CLOCK).expect(200);
}

/// Ids begin with their instant, and the trail is read in their order.
#[test]
fn what_a_person_does_about_a_sandbox_is_in_the_live_trail_when_it_was_done() {
    let live = Tenant::shared();
    let sandbox = Sandbox::of(&live);
    sandbox.advance("P100D");
    let ahead = Sandbox::of(&live);
    let made =
        ahead.owner.post(&format!("{SANDBOX}/tokens"), r#"{"name":"T","scopes":["denials:read"],"expires_in_days":9}"#);
    for path in [format!("keys/{}", ahead.practice.key.id), format!("tokens/{}", made.id())] {
        ahead.owner.delete(&format!("{SANDBOX}/{path}")).expect(204);
    }
    let today = Time(now()).to_string();
    let read = live.owner().get(&format!("/api/v1/settings/audit?from={}&to={}", &today[..10], &today[..10]));
    let rows = read.json["audit"].as_array().unwrap_or_else(|| panic!("{}", read.text()));
    let about: Vec<_> = rows.iter().take(4).map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(about, ["api_token.revoked", "api_key.revoked", "api_token.created", "api_key.created"]);
    let keys = "SELECT count(*) AS n FROM api_keys WHERE practice_id = ?1 AND revoked_at < created_at";
    assert_eq!(ahead.practice.number(keys), 0);
}

/// A call whose answer was lost is repeated with the time from which it counted.
#[test]
fn a_repeated_call_that_says_from_where_advances_the_clock_once() {
    let sandbox = Sandbox::of(&Tenant::shared());
    let read = sandbox.client.get(CLOCK);
    let from = read.json["clock"]["now"].clone();
    let body = json!({ "advance": "P30D", "from": from }).to_string();
    let until = says(&read) + 30 * 86_400_000;
    // The clock runs on between the calls.
    for _ in 0..3 {
        let answer = sandbox.client.post(CLOCK, &body);
        answer.expect(200);
        assert!((0..600_000).contains(&(says(&answer) - until)), "{}", answer.text());
    }
    assert!((0..600_000).contains(&(says(&sandbox.client.get(CLOCK)) - until)));
    let later = Time(overturn_core::base::instant::Instant(until + 86_400_000));
    let refused = sandbox.client.post(CLOCK, json!({ "advance": "P1D", "from": later }).to_string());
    refused.expect(422);
    assert!(refused.text().contains("from must be a time that the clock has said"), "{}", refused.text());
}

/// The steps of the clock come from a seed. Each way gives what one long step gives.
#[test]
fn one_step_of_the_clock_or_a_hundred_give_the_same_events_in_the_same_order() {
    let one = Sandbox::of(&Tenant::shared());
    let sent = || batch(NUMBERS.iter().chain(&["RECOVER-2", "CLOSE-2", "SLOW-2"]).map(|number| item(number)));
    one.client.send(&sent()).expect(201);
    one.advance("P240D");
    let expected = one.events();
    assert_eq!(expected.len(), 34 + 6 + 5 + 5 + 3, "{expected:?}");
    for seed in 1..=3_i64 {
        let many = Sandbox::of(&Tenant::shared());
        many.client.send(&sent()).expect(201);
        let (mut left, mut random) = (240 * 86_400_i64, seed);
        let steps = [2, 9, 100][usize::try_from(seed - 1).unwrap()];
        for step in (1..=steps).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let by = if step == 1 { left } else { (random >> 33).rem_euclid(2 * left / step + 1) };
            left -= by;
            // No part of a duration has more than five digits.
            many.advance(&format!("P{}DT{}S", by / 86_400, by % 86_400));
        }
        assert_eq!(many.events(), expected, "{steps} steps");
    }
}
