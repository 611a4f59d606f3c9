//! Reading the status of a claim.

use overturn_tests::client::{STATUS, status_of};
use overturn_tests::prelude::*;

const NOT_FOUND: &str = "no claim with that claim_number";

#[test]
fn a_status_is_the_claim_and_its_signing() {
    let tenant = Tenant::shared();
    let sent = tenant.send(&item("A-1"));
    let answer = tenant.client().status("A-1");
    let expected = json!({ "claim": {
        "claim_number": "A-1",
        "id": sent.id(0),
        "status": "received",
        "signing": { "status": "not_decided", "appeal_button": true },
    } });
    assert_eq!((answer.status, answer.json), (200, expected));
}

#[test]
fn the_appeal_button_is_the_one_of_the_practice_and_holds_at_once() {
    let off = Terms { appeal_button: false, ..Terms::default() };
    let tenant = Tenant::on(Server::shared(), off);
    tenant.send(&item("A-1"));
    let signing = || tenant.client().status("A-1").json["claim"]["signing"].clone();
    assert_eq!(signing(), json!({ "status": "not_decided", "appeal_button": false }));
    tenant.change("UPDATE practices SET appeal_button = 1 WHERE id = ?1", &[]);
    assert_eq!(signing(), json!({ "status": "not_decided", "appeal_button": true }));
}

#[test]
fn a_status_follows_a_send_at_once_and_writes_nothing() {
    let tenant = Tenant::shared();
    for n in 0..20 {
        let number = format!("A-{n}");
        assert_eq!(tenant.client().status(&number).refusal(404), NOT_FOUND);
        tenant.send(&item(&number));
        tenant.client().status(&number).expect(200);
    }
    let before = tenant.counts();
    for _ in 0..5 {
        let _read = tenant.client().status("A-0");
    }
    assert_eq!(tenant.counts(), before);
}

#[test]
fn a_claim_of_another_practice_looks_like_a_missing_one() {
    let [mine, theirs] = [Tenant::shared(), Tenant::shared()];
    theirs.send(&item("A-1"));
    let [other, none] = ["A-1", "A-2"].map(|number| mine.client().status(number));
    assert_eq!(other.refusal(404), NOT_FOUND);
    assert_eq!(other.body, none.body);
    // A second may begin between the two.
    let shown = |answer: &overturn_tests::client::Answer| -> Vec<(String, String)> {
        let headers = answer.headers.iter();
        headers.filter(|(name, _)| !["x-request-id", "x-ratelimit-reset"].contains(&&**name)).cloned().collect()
    };
    assert_eq!(shown(&other), shown(&none));
}

/// Claim numbers that need care in a query.
const ODD: [&str; 24] = [
    " A 1 ",
    "a+b",
    "a%20b",
    "100%",
    "%",
    "%zz",
    "a&b=c",
    "a=b",
    "a/b/../c",
    "a\\b",
    "a?b",
    "a#b",
    "a;b",
    "\"a\"",
    "'; DROP TABLE claims; --",
    "<script>",
    "{a|b}^`[c]",
    "a,b",
    "0",
    "null",
    "é",
    "e\u{301}",
    "👩\u{1f3fd}漢",
    "\u{a0}a\u{a0}",
];

#[test]
fn a_number_is_found_whatever_characters_it_has_and_only_by_its_own() {
    let tenant = Tenant::shared();
    let longest = "𝒜".repeat(128);
    let numbers = [&ODD[..], &[&longest]].concat();
    let sent = tenant.send(&numbered(&numbers));
    assert_eq!(tenant.claims(), 25);
    for (n, number) in numbers.iter().enumerate() {
        let answer = tenant.client().status(number);
        assert_eq!(answer.json["claim"]["claim_number"], json!(number));
        assert_eq!(answer.json["claim"]["id"], sent.id(n), "{number:?}");
    }
    for near in ["A 1", " A 1", "a b", "A+B", "e", "É", "100", "NULL", "00"] {
        assert_eq!(tenant.client().status(near).refusal(404), NOT_FOUND, "{near:?}");
    }
}

#[test]
fn a_query_is_read_as_forms_are() {
    let tenant = Tenant::shared();
    tenant.send(&numbered(["a b", "a+b", "é", "a/b:c@d!$'()*,", ""].map(|number| format!("{number}."))));
    for (written, number) in [
        ("claim_number=a+b.", "a b."),
        ("claim_number=a%20b.", "a b."),
        ("claim_number=a%2Bb.", "a+b."),
        ("claim_number=a%2bb.", "a+b."),
        ("claim_number=%C3%A9.", "é."),
        ("claim_number=a/b:c@d!$'()*,.", "a/b:c@d!$'()*,."),
        ("%63laim_number=%61+b.", "a b."),
        ("&&claim_number=a+b.&", "a b."),
        ("verbose=1&claim_number=a+b.&x", "a b."),
        ("CLAIM_NUMBER=x&claim_number=a+b.", "a b."),
        ("claim_number=a+b.#claim_number=x", "a b."),
    ] {
        let answer = tenant.client().get(&format!("{STATUS}?{written}"));
        assert_eq!(answer.json["claim"]["claim_number"], number, "{written}");
    }
    // No claim has such a number.
    for odd in ["a%00b", "a%0Ab", "%EF%BB%BF", "%E2%80%AE", "%FF%FE"] {
        let answer = tenant.client().get(&format!("{STATUS}?claim_number={odd}"));
        assert_eq!(answer.refusal(404), NOT_FOUND, "{odd}");
    }
}

#[test]
fn a_head_is_a_read_without_its_body() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    for (number, status) in [("A-1", 200), ("A-2", 404)] {
        let answer = tenant.client().request("HEAD", &status_of(number), None);
        assert_eq!((answer.status, answer.json.clone()), (status, Value::Null));
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}
