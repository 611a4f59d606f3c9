//! The return of all data.

use super::{JOBS, Practice, id, server};
use data_encoding::HEXLOWER;
use overturn_tests::prelude::*;
use serde_json::Map;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What an owner has read.
struct Taken {
    job: String,
    pages: Vec<(String, String)>,
}

fn next_of(page: &Answer) -> Option<String> {
    let link = page.header("link")?;
    let target = link.strip_prefix('<')?.split('>').next()?;
    Some(target.to_owned())
}

fn take(practice: &Practice) -> Taken {
    let job = id(&practice.request(&json!({ "kind": "return" })));
    let mut pages = Vec::new();
    let mut at = Some(format!("{JOBS}/{job}/records"));
    while let Some(target) = at.take() {
        let page = practice.owner.client().get(&target);
        page.expect(200);
        assert_eq!(page.header("content-type"), Some("application/x-ndjson"));
        at = next_of(&page);
        pages.push((target, page.text()));
    }
    Taken { job, pages }
}

impl Taken {
    fn text(&self) -> String {
        self.pages.iter().map(|(_, text)| text.as_str()).collect()
    }

    fn lines(&self) -> Vec<Map<String, Value>> {
        let text = self.text();
        let lines = text.lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn of(&self, kind: &str) -> Vec<Map<String, Value>> {
        let mut lines = self.lines();
        lines.retain(|line| line["type"] == kind);
        lines
    }
}

#[test]
fn the_owner_takes_everything_that_was_sealed_after_the_agreement_has_ended() {
    let practice = Practice::new();
    practice.fill();
    let rows = practice.tenant.rows("SELECT * FROM claims WHERE practice_id = ?1", &[]);
    practice.end();
    let taken = take(&practice);
    for row in rows {
        let number = &row["claim_number"];
        let claims = taken.of("claim");
        let line = claims.iter().find(|line| line["claim_number"] == *number).unwrap();
        let sealed = practice.tenant.opened(&row);
        for (name, value) in sealed.as_object().unwrap() {
            assert_eq!(&line[name], value, "{name}");
        }
    }
    let text = taken.text();
    for canary in [
        "Qfirst",
        "Qlast",
        "1980-02-29",
        "Qaccount",
        "Qmember",
        "Qprocedure",
        "Qreason",
        "Qpayernumber",
        "Qnote",
        "Qsigner",
    ] {
        assert!(text.contains(canary), "{canary}");
    }
    assert!(taken.of("signature")[0]["text"].as_str().unwrap().contains("Qfirst Qlast"));
    assert_eq!(taken.of("case")[0]["levels"][0]["due_on"], "2030-01-01");
    for secret in ["\"hash\"", "\"sealed\"", "password", "ovp_", "whsec", "key_version"] {
        assert!(!text.contains(secret), "{secret}");
    }

    let job = practice.job(&taken.job);
    assert_eq!(job["state"], "done");
    let mut counts = BTreeMap::new();
    for line in taken.lines() {
        *counts.entry(line["type"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    for kind in job["records"].as_array().unwrap() {
        let name = kind["kind"].as_str().unwrap();
        let given = counts.get(name).copied().unwrap_or(0);
        assert_eq!(kind["done"], given, "{name}");
        assert_eq!(kind["total"], given, "{name}");
    }
    let report = &job["report"];
    assert_eq!(report["sha256"], HEXLOWER.encode(&Sha256::digest(&text)));
    assert_eq!((&report["bytes"], &report["unreadable"]), (&json!(text.len()), &json!(0)));
    let trail = practice.tenant.audit("data.returned");
    assert_eq!(trail.len(), taken.pages.len());
    assert!(trail.iter().all(|row| !row.to_string().contains("Qfirst")));
}

#[test]
fn a_large_return_continues_and_a_repeated_page_counts_once() {
    let practice = Practice::new();
    for hundred in 0..3 {
        let numbers: Vec<String> = (0..100).map(|n| format!("{hundred}-{n}")).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        practice.tenant.send(&numbered(&numbers));
    }
    practice.end();
    let job = id(&practice.request(&json!({ "kind": "return" })));
    let client = practice.owner.client();
    let first = format!("{JOBS}/{job}/records");
    let page = client.get(&first);
    assert!(next_of(&page).is_some());
    let before = practice.job(&job);
    assert_eq!(before["state"], "running");
    let again = client.get(&first);
    assert_eq!(again.text(), page.text());
    client.with("If-None-Match", page.header("etag").unwrap()).get(&first).expect(304);
    assert_eq!(practice.job(&job), before, "a page counts once");
    assert_eq!(practice.tenant.audit("data.returned").len(), 3, "a page that its reader has is recorded as well");
    // A record of the page changed since, so what counts is the page as it is read last.
    practice.tenant.change("UPDATE practices SET name = 'A longer name than before' WHERE id = ?1", &[]);
    let changed = client.get(&first);
    assert_ne!(changed.text(), page.text());
    let (page, second) = (changed.text(), next_of(&changed).expect("a second page"));
    let far = format!("{first}?cursor=audit~~");
    client.get(&far).refused(409, "conflict");
    client.get(&format!("{second}&cursor=x")).expect(422);
    let refused = practice.request(&json!({ "kind": "return" }));
    assert_eq!(refused.nested(409).1, "a job of this kind has not ended");

    let mut text = page;
    let mut at = Some(second);
    while let Some(target) = at.take() {
        let page = client.get(&target);
        page.expect(200);
        text.push_str(&page.text());
        at = next_of(&page);
    }
    let done = practice.job(&job);
    assert_eq!(done["report"]["sha256"], HEXLOWER.encode(&Sha256::digest(&text)));
    assert_eq!(text.matches("\"type\":\"claim\"").count(), 300);
    assert_eq!(text.matches("\"type\":\"claim_event\"").count(), 300);
    assert_eq!(client.get(&first).nested(409).0, "conflict", "what is done is not taken again");
}

#[test]
fn each_record_of_a_page_that_does_not_open_is_counted_and_has_a_row_of_the_trail() {
    let practice = Practice::new();
    practice.tenant.send(&numbered(["A-1", "A-2"]));
    practice.tenant.change("UPDATE claims SET sealed = '2.AAAA' WHERE practice_id = ?1", &[]);
    practice.end();
    let taken = take(&practice);
    assert_eq!(practice.job(&taken.job)["report"]["unreadable"], 2);
    let found = || practice.tenant.audit("record.tampered").len();
    wait::until("a row for each", || found() >= 2);
    assert_eq!(found(), 2);
}

#[test]
fn only_an_owner_with_a_fresh_second_factor_reads_a_page() {
    let practice = Practice::new();
    practice.fill();
    practice.end();
    let job = id(&practice.request(&json!({ "kind": "return" })));
    let target = format!("{JOBS}/{job}/records");
    let refused = |client: &Client, status: u16| {
        let page = client.get(&target);
        assert_eq!(page.status, status, "{}", page.text());
        assert!(!page.text().contains("Qfirst"));
    };
    refused(&practice.tenant.admin(), 403);
    refused(&Person::staff(server()).client(), 403);
    refused(&Practice::new().owner.client(), 404);
    let (_, stale) = practice.owner.session(None);
    refused(&page(server(), &stale), 402);
    refused(&server().client(), 401);
    // A page is not shown if its audit row cannot be written.
    let gone = json!({ "1+": { "before": [{
        "sql": "UPDATE data_jobs SET version = version + 1 WHERE practice_id = ?1",
        "params": [practice.tenant.id.to_string()],
    }] } });
    let late = practice.owner.client().faulty(&gone);
    refused(&late, 409);
    assert!(practice.tenant.audit("data.returned").is_empty());
    practice.tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    refused(&practice.owner.client(), 403);
}

#[test]
fn a_page_that_is_read_by_two_at_once_counts_once_for_both() {
    let practice = Practice::new();
    practice.fill();
    practice.end();
    let job = id(&practice.request(&json!({ "kind": "return" })));
    let read = || practice.owner.client().get(&format!("{JOBS}/{job}/records"));
    let pages = at_once(vec![read; 3]);
    pages.iter().for_each(|page| page.expect(200));
    let texts: Vec<_> = pages.iter().map(Answer::text).collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    let lines = i64::try_from(texts[0].lines().count()).unwrap();
    let shown = practice.owner.client().get(&format!("{JOBS}/{job}"));
    let records = shown.json["records"].as_array().unwrap();
    assert_eq!(records.iter().map(|kind| kind["done"].as_i64().unwrap()).sum::<i64>(), lines);
}
