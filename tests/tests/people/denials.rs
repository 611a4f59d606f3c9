//! `/api/v1/denials`: the practice's view of its claims.

use overturn_tests::prelude::*;

const DENIALS: &str = "/api/v1/denials";

/// The claim numbers of a page.
fn numbers(answer: &Answer) -> Vec<&str> {
    answer.expect(200);
    let claims = answer.json["denials"].as_array().unwrap().iter();
    claims.map(|claim| claim["claim_number"].as_str().unwrap()).collect()
}

#[test]
fn a_claim_is_shown_without_its_patient_and_with_the_day_by_which_to_appeal() {
    let tenant = Tenant::shared();
    let sent = tenant.send(&full("A-1"));
    let member = tenant.member();
    let listed = member.get(DENIALS);
    let claim = &listed.json["denials"][0];
    let expected = json!({
        "id": sent.id(0), "claim_number": "A-1", "payer_claim_number": "ICN-1", "payer_name": "Acme Health",
        "status": "received", "signing": { "status": "not_decided", "appeal_button": true, "link_expires_at": null },
        "date_of_service": "2025-01-02", "denial_date": "2025-02-03", "plan_type": "erisa", "billed_amount": "200.00",
        "denied_amount": "123.45", "adjustment_codes": ["CO-45", "N130"], "letter": null,
        "deadline": { "date": "2025-08-02", "from": "rule", "source": "29 CFR 2560.503-1(h)(3)(i)" },
        "report_id": null, "case_id": null, "amount_recovered": null, "closing_reason": null,
        "received_at": claim["received_at"], "updated_at": claim["received_at"],
    });
    assert_eq!(claim, &expected);
    assert!(claim["received_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!((&listed.json["next_cursor"], &listed.json["more"]), (&Value::Null, &json!(false)));

    let one = member.get(&format!("{DENIALS}/{}", sent.id(0)));
    let received = json!({ "version": 1, "at": claim["received_at"], "kind": "received", "status": "received",
        "signing": null, "by": "billing_system", "before": null, "after": null, "filled_in": null, "letter": null });
    let mut expected = expected;
    expected["history"] = json!([received]);
    expected["version"] = json!(1);
    expected["may"] = json!(["set_letter"]);
    expected["deadline_by_rule"] = json!({ "date": "2025-08-02", "plan_type": "erisa", "days": 180,
        "source": "29 CFR 2560.503-1(h)(3)(i)" });
    assert!(one.header("etag").unwrap().starts_with("\"1-"));
    assert_eq!(one.json, expected);
    for text in [listed.text(), one.text()] {
        for secret in ["Jane", "Doe", "1980", "ACC-1", "W123", "99213", "not covered", "see letter", "J10"] {
            assert!(!text.contains(secret), "{secret}");
        }
    }
}

#[test]
fn everybody_of_the_practice_reads_and_no_one_else() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let sent = tenant.send(&item("A-1"));
    let one = format!("{DENIALS}/{}", sent.id(0));
    let owner = tenant.owner();
    let token = tenant.integration(&owner, &["denials:read"]);
    for client in [&owner, &tenant.admin(), &tenant.member(), &token] {
        assert_eq!(numbers(&client.get(DENIALS)), ["A-1"]);
        client.get(&one).expect(200);
    }
    let stranger = other.owner();
    assert_eq!(numbers(&stranger.get(DENIALS)), [""; 0]);
    assert_eq!(stranger.get(&one).nested(404).1, "no such denial");
    let nothing = format!("{DENIALS}/nothing");
    assert_eq!(owner.get(&nothing).nested(404).1, "no such denial");
    let wrong_scope = tenant.integration(&owner, &["settings:read", "audit:read"]);
    let staff = Person::staff(Server::shared()).client();
    let key = tenant.client_of(&tenant.key(&Scope::ALL, Realm::Test));
    for target in [DENIALS, &one, &format!("{DENIALS}?limit=x")] {
        wrong_scope.get(target).refused(403, "not_authorized");
        staff.get(target).refused(403, "not_authorized");
        key.get(target).refused(401, "not_authenticated");
        Server::shared().client().get(target).expect(401);
    }
    owner.request("PUT", DENIALS, Some(b"{}")).expect(405);
}

#[test]
fn every_filter_lets_its_claims_pass_and_no_others() {
    let tenant = Tenant::shared();
    let denied = |n: u8| with(full(&format!("A-{n}")), "claim.denial_date", format!("2025-02-0{n}"));
    let claims = [denied(1), with(denied(2), "claim.payer_name", "Blue"), denied(3), item("A-4")];
    let sent = tenant.send(&batch(claims));
    let report = "01a1fc69-15d5-7679-abf8-d8d7bb0bb088";
    tenant.change_claims(
        "UPDATE claims SET status = 'in_report', report_id = ?2, received_at = 1700000000000, updated_at = 1800000000000
         WHERE practice_id = ?1 AND id = ?3",
        &[report, sent.id(0)],
    );
    let client = tenant.member();
    for (query, expected) in [
        ("", "A-4 A-3 A-2 A-1"),
        ("?status=in_report", "A-1"),
        ("?status=in_report,received", "A-4 A-3 A-2 A-1"),
        ("?status=in_report&status=received&payer_name=blue", "A-2"),
        ("?status=closed", ""),
        ("?payer_name=ACME%20health", "A-4 A-3 A-1"),
        ("?payer_name=Acme", ""),
        ("?denied_from=2025-02-02", "A-3 A-2"),
        ("?denied_to=2025-02-02", "A-2 A-1"),
        ("?denied_from=2025-02-02&denied_to=2025-02-02", "A-2"),
        ("?received_to=2023-11-14", "A-1"),
        ("?received_to=2023-11-13", ""),
        ("?received_from=2023-11-14&received_to=2023-11-14", "A-1"),
        ("?received_from=2023-11-15", "A-4 A-3 A-2"),
        ("?updated_since=2027-01-15T08:00:00Z", "A-1"),
        ("?updated_since=2027-01-15T08:00:00.001Z", ""),
        ("?report_id=01a1fc69-15d5-7679-abf8-d8d7bb0bb088", "A-1"),
        ("?report_id=01a1fc69-15d5-7679-abf8-d8d7bb0bb089", ""),
    ] {
        let followed = query.replace('?', "&");
        for target in [query.to_owned(), format!("?changes_after=start{followed}")] {
            let page = client.get(&format!("{DENIALS}{target}"));
            let mut shown = numbers(&page);
            shown.sort_by(|a, b| b.cmp(a));
            assert_eq!(shown.join(" "), expected, "{target}");
        }
    }
}

#[test]
fn one_denial_is_read_by_its_claim_number_exactly_as_it_was_sent() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let number = "A/1 é &+%?#";
    let mut sent = item(number);
    sent["claim"]["denial_date"] = json!("2025-02-03");
    let _ids = [tenant.send(&numbered(["B-1", "B-2"])), tenant.send(&sent)];
    let theirs = other.send(&item(number)).id(0).to_owned();
    let member = tenant.member();
    let find = |client: &Client, number: &str, more: &str| {
        client.get(&format!("{DENIALS}?claim_number={}{more}", encoded(number)))
    };
    assert_eq!(numbers(&find(&member, number, "")), [number]);
    let token = tenant.integration(&tenant.owner(), &["denials:read"]);
    assert_eq!(numbers(&find(&token, number, "&limit=1")), [number]);
    assert_eq!(numbers(&find(&member, number, "&changes_after=start")), [number]);
    assert_eq!(numbers(&find(&member, number, "&denied_from=2025-02-04")), [""; 0]);
    for unknown in ["A/1 E &+%?#", "A/1 é &+%?", "B", "b-1"] {
        assert_eq!(numbers(&find(&member, unknown, "")), [""; 0], "{unknown}");
    }
    let elsewhere = other.member();
    let found = find(&elsewhere, number, "");
    assert_eq!(found.json["denials"][0]["id"], theirs);
    assert_eq!(numbers(&found).len(), 1);
    assert_eq!(numbers(&find(&elsewhere, "B-1", "")), [""; 0]);
    let long = find(&member, &"x".repeat(129), "");
    long.expect(422);
    assert_eq!(long.json["error"]["details"][0]["field"], "claim_number", "{}", long.text());
    let twice = find(&member, "B-1", "&claim_number=B-2");
    twice.expect(422);
}
