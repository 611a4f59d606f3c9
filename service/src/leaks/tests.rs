use super::github::key_of;
use super::message::LeakMessage;
use super::revocation::{FoundKey, by_cell, revoked, stored};
use crate::auth::role::Role;
use crate::host::Cells;
use crate::host::{Database, Ran, Step};
use crate::mail::notices::keys_leaked;
use crate::plan::message::MessageKind;
use crate::plan::notice::{NamedKey, NamedKeys};
use crate::prelude::*;
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::people::{OWNER, user};
use overturn_core::base::cell::Cell;
use overturn_core::base::token::{ApiKey, ApiToken, Realm};
use regex::Regex;
use std::collections::BTreeSet;
use std::rc::Rc;

const PLACE: &str = "https://github.com/octocat/Hello-World/blob/1234560/.env";

/// The key of the practice that [`Fixture::provision`] makes with this number.
fn key(n: u8) -> ApiKey {
    ApiKey::mint(Realm::Test, [n; 24])
}

fn found(text: &str) -> Option<FoundKey> {
    FoundKey::read(text, Some(PLACE), Realm::Test)
}

fn all(keys: &[FoundKey]) -> Vec<&FoundKey> {
    keys.iter().collect()
}

/// A database with two practices, and a token of a person of the first one.
fn world() -> (Fixture, ApiToken) {
    let mut f = Fixture::new();
    f.provision(2);
    let practice =
        f.db.query_row("SELECT practice_id FROM api_keys WHERE hash = ?1", [key(1).hash()], |row| row.get(0));
    let practice: String = practice.unwrap();
    let ctx = f.ctx();
    let owner = user(OWNER, PracticeId(practice.parse().unwrap()), Role::Owner);
    f.commit(&ctx, (Vec::new(), vec![owner])).unwrap();
    let token = ApiToken::mint(Realm::Test, [3; 24]);
    let sql = "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
       VALUES (?1, '00000000-0000-0000-0000-000000000009', ?2, 'Reports', ?3, ?4, 'denials:read', 1, 1800000000001)";
    f.db.execute(sql, [practice, OWNER.to_string(), token.hash(), token.hint().into()]).unwrap();
    f.db.execute_batch(
        "INSERT INTO webhooks (practice_id, id, version, url, events, state, key_version, sealed, created_at, created_by)
         SELECT k.practice_id, 'w', 1, 'https://x', 'api_key.leaked api_token.leaked', 'active', 1, 's', 1, u.id
         FROM api_keys k CROSS JOIN users u",
    )
    .unwrap();
    (f, token)
}

/// Reports keys, as a request does. Returns how many of them exist.
fn report(f: &mut Fixture, keys: &[FoundKey]) -> Result<usize, DatabaseError> {
    let ctx = f.ctx();
    let hashes: Vec<_> = keys.iter().map(FoundKey::hash).collect();
    let known = f.read(&stored(&hashes, ctx.now));
    let batch = revoked(&all(keys), &known, 0, &ctx);
    if !batch.1.is_empty() {
        f.commit(&ctx, batch)?;
    }
    Ok(known.len())
}

fn counts(f: &Fixture) -> [i64; 4] {
    [
        "SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL)
           + (SELECT count(*) FROM api_tokens WHERE revoked_at IS NOT NULL)",
        "SELECT count(*) FROM audit WHERE action LIKE '%.leaked'",
        "SELECT count(*) FROM notices WHERE kind = 'keys_leaked'",
        "SELECT count(*) FROM deliveries",
    ]
    .map(|sql| f.count(sql))
}

#[test]
fn live_keys_and_tokens_are_revoked_once_with_their_rows_emails_and_messages() {
    let (mut f, token) = world();
    let unknown = ApiKey::mint(Realm::Test, [99; 24]);
    let texts = [key(1).expose().to_owned(), key(2).expose().into(), token.expose().into(), unknown.expose().into()];
    let keys: Vec<_> = texts.iter().filter_map(|text| found(text)).collect();
    assert_eq!(keys.len(), 4);
    assert_eq!(report(&mut f, &keys).unwrap(), 3);
    // One email for each of the two practices.
    assert_eq!(counts(&f), [3, 3, 2, 3]);
    let details = "SELECT count(*) FROM audit WHERE action = 'api_token.leaked' AND detail = ?1";
    let detail = json!({ "url": PLACE }).to_string();
    assert_eq!(f.db.query_row(details, [detail], |row| row.get::<_, i64>(0)).unwrap(), 1);
    // Again: they exist, and nothing more is done.
    assert_eq!(report(&mut f, &keys).unwrap(), 3);
    assert_eq!(counts(&f), [3, 3, 2, 3]);
}

#[test]
fn a_key_that_is_revoked_before_the_commit_stops_the_batch() {
    let (mut f, _) = world();
    let (ctx, keys) = (f.ctx(), [found(key(1).expose()).unwrap()]);
    let known = f.read(&stored(&[keys[0].hash()], ctx.now));
    f.db.execute_batch("UPDATE api_keys SET revoked_at = 1").unwrap();
    let batch = revoked(&all(&keys), &known, 0, &ctx);
    assert_eq!(f.commit(&ctx, batch).unwrap_err(), DatabaseError::Conflict(FailedGuard::Record));
    assert_eq!(counts(&f)[1..], [0, 0, 0]);
}

#[test]
fn an_expired_key_is_known_and_left_alone() {
    let (mut f, _) = world();
    f.db.execute_batch("UPDATE api_keys SET expires_at = 1").unwrap();
    assert_eq!(report(&mut f, &[found(key(1).expose()).unwrap()]).unwrap(), 1);
    assert_eq!(counts(&f), [0; 4]);
}

#[test]
fn a_batch_whose_answer_is_lost_runs_twice_and_revokes_once() {
    let (mut f, _) = world();
    let (ctx, keys) = (f.ctx(), [found(key(1).expose()).unwrap()]);
    let known = f.read(&stored(&[keys[0].hash()], ctx.now));
    f.commit(&ctx, revoked(&all(&keys), &known, 0, &ctx)).unwrap();
    let again = f.commit(&ctx, revoked(&all(&keys), &known, 0, &ctx));
    assert_eq!(again.unwrap_err(), DatabaseError::Conflict(FailedGuard::Done));
    assert_eq!(counts(&f), [1, 1, 1, 1]);
}

/// Production has test keys: those of sandboxes.
#[test]
fn a_key_of_a_sandbox_is_revoked_by_the_clock_of_the_sandbox_and_the_owners_of_its_practice_are_told() {
    let (mut f, _) = world();
    let (now, sandbox) = (f.ctx().now, "(SELECT practice_id FROM api_keys WHERE hash = ?1)");
    let other = "(SELECT id FROM practices WHERE id <> (SELECT practice_id FROM api_keys WHERE hash = ?1) LIMIT 1)";
    let sql = format!("UPDATE practices SET sandbox_of = {other}, clock_ms = 1000 WHERE id = {sandbox}");
    f.db.execute(&sql, [key(1).hash()]).unwrap();
    let keys = [FoundKey::read(key(1).expose(), Some(PLACE), Realm::Live).unwrap()];
    f.db.execute("UPDATE api_keys SET expires_at = ?1", [now.0 + 1000]).unwrap();
    assert_eq!((report(&mut f, &keys).unwrap(), counts(&f)), (1, [0; 4]), "it has expired there");
    f.db.execute("UPDATE api_keys SET expires_at = ?1", [now.0 + 1001]).unwrap();
    report(&mut f, &keys).unwrap();
    let told = "SELECT count(*) FROM notices n JOIN practices p ON p.sandbox_of = n.practice_id
       WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.practice_id = p.id AND k.revoked_at IS NOT NULL)";
    assert_eq!(f.db.query_row(told, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn a_text_that_is_no_key_of_this_installation_is_not_looked_up() {
    let good = key(1).expose().to_owned();
    let live = ApiKey::mint(Realm::Live, [1; 24]);
    let (cut, last) = good.split_at(good.len() - 1);
    let mistyped = good.replacen('_', "-", 1);
    for text in ["", "ghp_0123", live.expose(), cut, &format!("{good}0"), &format!("{cut}!"), &mistyped] {
        assert!(found(text).is_none(), "{text}");
    }
    let wrong_sum = format!("{cut}{}", if last == "0" { '1' } else { '0' });
    assert!(found(&wrong_sum).is_none());
    assert!(FoundKey::read(live.expose(), None, Realm::Live).is_some());
}

#[test]
fn only_an_address_of_the_web_without_a_key_is_kept_as_a_place() {
    let (mut f, _) = world();
    let key = key(1);
    let long = format!("https://example.com/{}", "x".repeat(500));
    let with_key = format!("https://example.com/?key={}", key.expose());
    let hidden = with_key.replace("ovt_", "%6fvt%5f");
    for (url, kept) in [
        (PLACE, Some(PLACE)),
        ("HTTP://Example.com/a b\"<x>", Some("http://example.com/a%20b%22%3Cx%3E")),
        ("javascript:alert(1)", None),
        ("ftp://example.com/x", None),
        ("https://user:secret@example.com/x", None),
        ("example.com/x", None),
        ("", None),
        (&long, None),
        (&with_key, None),
        (&hidden, None),
    ] {
        let keys = [FoundKey::read(key.expose(), Some(url), Realm::Test).unwrap()];
        let ctx = f.ctx();
        let known = f.read(&stored(&[keys[0].hash()], ctx.now));
        let (_, writes) = revoked(&all(&keys), &known, 0, &ctx);
        let Some(Write::Audit(entry)) = writes.first() else { panic!("{writes:?}") };
        assert_eq!(entry.detail, Some(json!({ "url": kept })), "{url}");
        assert!(!format!("{writes:?}").contains(key.expose()));
    }
}

#[test]
fn a_message_is_read_with_each_text_once_and_answered_with_labels() {
    let good = key(1).expose().to_owned();
    let unknown = ApiToken::mint(Realm::Test, [9; 24]);
    let body = json!([
        { "token": good, "type": "overturn_key", "url": PLACE, "source": "content" },
        { "token": good, "type": "overturn_key", "url": "https://example.com/again", "source": "commit" },
        { "token": "ovt_test_no", "type": "overturn_key", "url": "", "source": "npm" },
        { "token": unknown.expose(), "type": "overturn_token", "url": null, "more": {} },
    ]);
    let message = LeakMessage::read(body.to_string().as_bytes()).unwrap();
    let keys = message.keys(Realm::Test);
    assert_eq!(keys.iter().map(FoundKey::text).collect::<Vec<_>>(), [&*good, unknown.expose()]);
    let judged = message.judged(&keys, &BTreeSet::from([key(1).hash()]));
    let labels = json!([
        { "token_hash": key(1).hash(), "token_type": "overturn_key", "label": "true_positive" },
        { "token_raw": "ovt_test_no", "token_type": "overturn_key", "label": "false_positive" },
        { "token_hash": unknown.hash(), "token_type": "overturn_token", "label": "false_positive" },
    ]);
    assert_eq!(serde_json::to_value(judged).unwrap(), labels);
    for wrong in ["", "{}", "[1]", "[{\"token\": 1}]", "[{\"token\": \"x\"}"] {
        assert!(matches!(LeakMessage::read(wrong.as_bytes()), Err(RequestError::Malformed(_))), "{wrong}");
    }
    assert!(LeakMessage::read(b"[]").unwrap().keys(Realm::Test).is_empty());
}

#[test]
fn a_public_key_is_found_by_its_exact_identifier() {
    let list = json!({ "public_keys": [
        { "key_identifier": "a1", "key": "one", "is_current": false },
        { "key_identifier": "b2", "key": "two", "is_current": true },
        { "key_identifier": "c3" },
    ] });
    assert_eq!(key_of(&list, "a1").as_deref(), Some("one"));
    assert_eq!(key_of(&list, "b2").as_deref(), Some("two"));
    for unknown in ["", "A1", "a", "c3", "d4"] {
        assert_eq!(key_of(&list, unknown), None, "{unknown}");
    }
    assert_eq!(key_of(&json!({ "public_keys": {} }), "a1"), None);
}

#[test]
fn the_email_names_the_keys_and_their_places_without_a_link() {
    let mut leaked = NamedKeys::default();
    for url in [Some(PLACE.to_owned()), None, Some("https://evil.example/sign-in".into())] {
        leaked.add(2, || NamedKey { name: "x.example/y".into(), prefix: "ovt_live_3Ueu".into(), url });
    }
    let text = keys_leaked("dana@example.com", Some(&leaked), Time(Instant(0))).text;
    assert!(text.contains("- \"x. example y\" (ovt_live_3Ueu…), found at"), "{text}");
    assert!(text.contains("https: //github. com/octocat/Hello-World/blob/1234560/. env"), "{text}");
    assert!(text.contains("and 1 more"), "{text}");
    assert!(!text.contains("://"), "{text}");
}

#[test]
fn every_kind_of_leak_has_a_message_to_subscribe_to() {
    for kind in [MessageKind::ApiKeyLeaked, MessageKind::ApiTokenLeaked] {
        assert!(MessageKind::OF_EVENTS.contains(&kind));
    }
}

/// The rule for `gitleaks` in the documents finds every key and nothing of another length.
#[test]
fn the_documented_pattern_finds_keys_and_tokens_of_all_environments_and_nothing_longer_or_shorter() {
    let docs = include_str!("../../../docs/api/leaks.md");
    let rule = docs.lines().find_map(|line| line.strip_prefix("regex = '''")?.strip_suffix("'''"));
    let pattern = Regex::new(rule.unwrap()).unwrap();
    let found = |text: &str| pattern.captures(text).map(|found| found[1].to_owned());
    for n in 0..50 {
        for realm in [Realm::Live, Realm::Test] {
            let (key, token) = (ApiKey::mint(realm, [n; 24]), ApiToken::mint(realm, [n; 24]));
            for text in [key.expose(), token.expose()] {
                for around in [text.to_owned(), format!("KEY=\"{text}\"\n"), format!("Bearer {text}, next")] {
                    assert_eq!(found(&around).as_deref(), Some(text), "{around}");
                }
                let (shorter, _) = text.split_at(text.len() - 1);
                let upper = text.replacen("ov", "OV", 1);
                for other in [shorter, &format!("{text}0"), &format!("x{text}"), &format!("{text}_"), &upper] {
                    assert_eq!(found(other), None, "{other}");
                }
                let keywords = docs.lines().find(|line| line.starts_with("keywords = ")).unwrap();
                assert!(keywords.contains(&format!("\"{}\"", text.split_at(9).0)), "{keywords}");
            }
        }
    }
}

/// A database that nothing asks.
struct Unasked;

impl Database for Unasked {
    fn batch<'a>(&'a self, _: &'a [Statement]) -> Step<'a, Result<Ran, DatabaseError>> {
        Box::pin(async { Err(DatabaseError::Broken("asked")) })
    }
}

#[test]
fn each_key_goes_to_the_cell_that_it_names_and_one_of_no_cell_goes_nowhere() {
    let of_cell = |cell: u16, n: u8| {
        let key = ApiKey::mint(Realm::Test, Cell(cell).stamp([n; 24]));
        found(key.expose()).unwrap()
    };
    let keys = [of_cell(1, 1), of_cell(0, 2), of_cell(1, 3), of_cell(2, 4), of_cell(0x0707, 5)];
    let cells = |others: usize| {
        let unasked = || Rc::new(Unasked) as Rc<dyn Database>;
        Cells::new(unasked(), (0..others).map(|_| unasked()))
    };
    let sizes = |cells: &Cells| -> Vec<(u16, usize)> {
        by_cell(&keys, cells).into_iter().map(|(cell, keys)| (cell.0, keys.len())).collect()
    };
    assert_eq!(sizes(&cells(1)), [(0, 1), (1, 2)]);
    assert_eq!(sizes(&cells(2)), [(0, 1), (1, 2), (2, 1)]);
    // One database has every key.
    assert_eq!(sizes(&cells(0)), [(0, 5)]);
}
