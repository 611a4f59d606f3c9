//! Attacks on the signing page.

use super::pages::assert_page;
use overturn_service::request::secret::SigningToken;
use overturn_tests::prelude::*;
use overturn_tests::signing::{BORN, Case, NUMBER, SIGN, SIGNATURE, born, open, patient, proof, sign};
use overturn_tests::tenant;

const GONE: &str = "This link does not work";
const NAME: &[(&str, &str)] = &[("name", "Jane Doe")];

fn date(day: &str) -> [(&str, &str); 3] {
    [("month", "2"), ("day", day), ("year", "1980")]
}

#[test]
fn five_dates_of_birth_are_tried_however_many_ask_at_once() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let days: Vec<String> = (1..=28).map(|day| day.to_string()).collect();
    let calls = days.iter().map(|day| {
        let (phone, token) = (&phone, &token);
        move || born(phone, token, date(day))
    });
    let answers = at_once(calls.collect());
    let tried = |answer: &&Answer| answer.text().contains("is not the date of birth");
    // The fifth attempt is told that none is left.
    assert_eq!(answers.iter().filter(tried).count(), 4);
    for answer in answers.iter().filter(|answer| !tried(answer)) {
        assert_page(answer, 404, GONE);
    }
    assert_page(&born(&phone, &token, BORN), 404, GONE);
    assert_page(&open(&phone, &token), 404, GONE);
    assert_eq!(case.link(), None, "nor is it shown to anybody");
    let refused = case.tenant.audit("signing.refused");
    assert_eq!(refused.len(), 5);
    for row in &refused {
        let said = row.to_string();
        assert!(!said.contains(&token), "{said}");
        // Ids are random and may contain any digits.
        let mut detail: Value = serde_json::from_str(row["detail"].as_str().unwrap()).unwrap();
        detail.as_object_mut().unwrap().remove("link_id");
        assert!(!detail.to_string().contains("1980"), "{detail}");
    }
    case.decide("needed").expect(200);
    proof(&phone, &case.token());
}

#[test]
fn a_right_date_is_no_try() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    for day in ["1", "2", "3", "4"] {
        assert_page(&born(&phone, &token, date(day)), 422, "is not the date of birth");
    }
    for _ in 0..7 {
        proof(&phone, &token);
    }
    assert_eq!(case.links()[0]["attempts"], 4);
    assert_eq!(case.tenant.audit("signing.shown").len(), 7);
    assert_page(&born(&phone, &token, date("5")), 404, GONE);
}

#[test]
fn links_that_cannot_be_used_answer_alike_whatever_is_asked() {
    let server = Server::shared();
    let phone = patient(server);
    let unknown = SigningToken::mint(tenant::random());
    let mut dead = vec![unknown.expose().to_owned(), "x".into(), String::new()];
    let end: [fn(&Case<'_>); 7] = [
        |case| case.decide("not_needed").expect(200),
        |case| {
            let revoked = case.work().request("DELETE", &case.path("/signing/link"), Some(b""));
            revoked.expect(200);
        },
        |case| case.decide("needed").expect(200),
        |case| case.tenant.change("UPDATE signing_links SET expires_at = 1 WHERE practice_id = ?1", &[]),
        |case| case.tenant.change_claims("UPDATE claims SET status = 'closed' WHERE practice_id = ?1", &[]),
        |case| case.tenant.change_claims("UPDATE claims SET status = 'recovered' WHERE practice_id = ?1", &[]),
        |case| case.tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]),
    ];
    let mut pages = Vec::new();
    let mut cases = Vec::new();
    for end in end {
        let (case, token) = Case::needed_on(server);
        let shown = proof(&phone, &token);
        end(&case);
        // Also between the date of birth and the signature.
        pages.push(sign(&phone, &token, &shown, NAME));
        dead.push(token);
        cases.push(case);
    }
    for token in &dead {
        pages.push(open(&phone, token));
        pages.push(born(&phone, token, BORN));
        pages.push(born(&phone, token, date("x")));
        pages.push(sign(&phone, token, "", NAME));
    }
    for page in &pages {
        assert_page(page, 404, GONE);
        assert_eq!(page.text(), pages[0].text());
    }
    for case in &cases {
        assert!(case.signatures().is_empty());
        assert_eq!(case.links()[0]["used_at"], json!(null));
    }
}

#[test]
fn a_used_link_shows_the_thanks_only_with_a_proof() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    assert_page(&sign(&phone, &token, &shown, NAME), 200, "Thank you");
    let replayed = sign(&phone, &token, &shown, &[("name", "Somebody else")]);
    assert_page(&replayed, 200, "Thank you");
    assert_page(&replayed, 200, "<bdi>Jane Doe</bdi></dd></div>\n<div><dt>Signed on");
    assert!(!replayed.text().contains("Somebody else"));
    assert_eq!(case.signatures().len(), 1);
    assert_eq!(case.signatures()[0]["name"], "Jane Doe");
    for answer in [sign(&phone, &token, "", NAME), open(&phone, &token), born(&phone, &token, BORN)] {
        assert_page(&answer, 404, GONE);
    }
}

#[test]
fn a_proof_of_another_link_or_an_invalid_one_signs_nothing() {
    let server = Server::shared();
    let (mine, token) = Case::needed_on(server);
    let (other, theirs) = Case::needed_on(server);
    let phone = patient(server);
    let (shown, foreign) = (proof(&phone, &token), proof(&phone, &theirs));
    let (at, rest) = shown.split_once('.').unwrap();
    let later = format!("{}.{rest}", at.parse::<i64>().unwrap() + 1);
    let forged = format!("{at}.{}", foreign.split_once('.').unwrap().1);
    for proof in ["", "x", "..", &foreign, &later, &forged] {
        let refused = sign(&phone, &token, proof, NAME);
        assert_page(&refused, 422, "Enter the date of birth again");
        assert!(!refused.text().contains("Jane"), "{}", refused.text());
    }
    // A renewed link is a different one.
    mine.decide("needed").expect(200);
    let refused = sign(&phone, &mine.token(), &shown, NAME);
    assert_page(&refused, 422, "Enter the date of birth again");
    assert!(mine.signatures().is_empty() && other.signatures().is_empty());
}

#[test]
fn a_form_of_another_site_signs_nothing() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    let body = format!("token={token}&proof={shown}&relation=patient&name=Eve&consent=yes&month=2&day=29&year=1980");
    for (header, value) in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
    ] {
        for path in [SIGN, SIGNATURE] {
            let refused = phone.with(header, value).post(path, &body);
            assert_page(&refused, 403, "There is nothing here");
        }
    }
    assert!(case.signatures().is_empty());
    // An older browser sends only this header for its own page.
    let own = phone.with("Origin", "http://127.0.0.1");
    own.post(SIGNATURE, &body).expect(200);
    assert_eq!(case.signatures().len(), 1);
}

#[test]
fn a_huge_drawing_is_refused_and_a_huge_body_is_not_read() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    let shown = proof(&phone, &token);
    let points = vec!["[1,2],[3,4]"; 2000].join(",");
    let deep = "[".repeat(100_000);
    for drawing in [format!("[[{points}]]"), deep] {
        let refused = sign(&phone, &token, &shown, &[("name", "Jane"), ("drawing", &drawing)]);
        assert_page(&refused, 422, "could not be read");
    }
    let huge = vec![b'x'; 3 << 20];
    assert_page(&phone.post(SIGNATURE, huge), 413, "There is nothing here");
    assert!(case.signatures().is_empty());
}

#[test]
fn one_place_sends_ten_forms_a_minute_and_opens_as_many_links_as_it_likes() {
    let server = Server::lasting(&json!({}));
    let (_case, token) = Case::needed_on(&server);
    let phone = patient(&server).with("CF-Connecting-IP", "198.51.100.1");
    for _ in 0..9 {
        assert_eq!(open(&phone, &token).header("x-ratelimit-remaining"), None);
        born(&phone, &token, date("x")).expect(422);
    }
    let last = sign(&phone, &token, "", NAME);
    assert_eq!((last.status, last.header("x-ratelimit-remaining")), (422, Some("0")));
    for page in [born(&phone, &token, BORN), sign(&phone, &token, "", NAME)] {
        assert_page(&page, 429, "Too many tries");
    }
    // Patients in a waiting room share an IP address: the next one can use the page.
    open(&phone, &token).expect(200);
    let elsewhere = patient(&server).with("CF-Connecting-IP", "198.51.100.2");
    born(&elsewhere, &token, BORN).expect(200);
}

#[test]
fn a_claim_whose_key_is_gone_is_not_shown_and_its_link_is_none() {
    let (case, token) = Case::needed();
    let phone = patient(case.tenant.server);
    case.tenant.change("UPDATE signing_links SET key_version = 9 WHERE practice_id = ?1", &[]);
    let told = case.tenant.client().status(NUMBER);
    assert_eq!(told.json["claim"]["signing"], json!({ "status": "needed", "appeal_button": true }));
    let id = case.links()[0]["id"].clone();
    let log = case.tenant.server.log();
    assert!(log.has(|line| line["event"] == "signing_link_not_opened" && line["link_id"] == id));
    // The patient's copy of the link still works.
    assert_page(&open(&phone, &token), 200, "asks you to sign");
    case.tenant.change("UPDATE claims SET key_version = 9 WHERE practice_id = ?1", &[]);
    let refused = born(&phone, &token, BORN);
    assert_page(&refused, 503, "That did not work");
}
