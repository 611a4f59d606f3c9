//! Who may call, and the errors for everyone else.

use overturn_core::base::token::ApiKey;
use overturn_tests::client::{CLAIMS, STATUS, status_of};
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const UNKNOWN: &str = "a valid API key is required";
const NO_WRITE: &str = "the API key lacks the permission claims:write";
const NO_READ: &str = "the API key lacks the permission claims:read";
const INACTIVE: &str = "the organization is not an active practice";

/// Both calls, valid except for the caller.
fn calls(client: &Client) -> [Answer; 2] {
    [client.send(&item("A-1")), client.status("A-1")]
}

fn unauthorised(client: &Client) {
    for answer in calls(client) {
        assert_eq!(answer.refusal(401), UNKNOWN);
    }
}

fn baa_required(answer: &Answer) {
    let expected = json!({
        "error": "a signed business associate agreement is required",
        "code": "baa_required",
    });
    assert_eq!((answer.status, &answer.json), (403, &expected));
}

#[test]
fn a_call_without_a_key_is_refused() {
    unauthorised(&Server::shared().client());
}

#[test]
fn a_header_that_holds_no_key_is_refused() {
    let tenant = Tenant::shared();
    let key = &tenant.key.text;
    let cut = &key[..key.len() - 1];
    for header in [
        String::new(),
        "Bearer".into(),
        "Bearer ".into(),
        key.clone(),
        format!("Bearer{key}"),
        format!("Basic {key}"),
        format!("Token {key}"),
        format!("Bearer Bearer {key}"),
        format!("Bearer \"{key}\""),
        format!("Bearer {key},"),
        format!("Bearer {key} {key}"),
        format!("Bearer {cut}"),
        format!("Bearer {key}0"),
        format!("Bearer {}", key.to_uppercase()),
        format!("Bearer {}", key.to_lowercase()),
        format!("Bearer é{key}"),
        format!("Bearer {}", "x".repeat(10_000)),
        "Bearer ' OR 1=1 --".into(),
    ] {
        unauthorised(&Server::shared().client().with("Authorization", &header));
    }
}

#[test]
fn the_scheme_may_be_written_in_any_case() {
    let tenant = Tenant::shared();
    for scheme in ["bearer", "BEARER", "bEaReR"] {
        let header = format!("{scheme} {}", tenant.key.text);
        let client = Server::shared().client().with("authorization", &header);
        assert_ne!(client.send(&item("A-1")).status, 401);
    }
}

#[test]
fn a_key_elsewhere_than_in_the_header_is_no_key() {
    let tenant = Tenant::shared();
    let key = &tenant.key.text;
    let client = Server::shared().client();
    for target in
        [format!("{STATUS}?claim_number=A-1&access_token={key}"), format!("{STATUS}?claim_number=A-1&api_key={key}")]
    {
        assert_eq!(client.get(&target).refusal(401), UNKNOWN);
    }
    for (name, value) in [("X-API-Key", key.clone()), ("Cookie", format!("session={key}"))] {
        unauthorised(&client.with(name, &value));
    }
}

#[test]
fn two_keys_are_none() {
    let tenant = Tenant::shared();
    let bearer = format!("Bearer {}", tenant.key.text);
    let client = tenant.client().with("authorization", &bearer);
    unauthorised(&client);
}

#[test]
fn an_unknown_key_is_refused_however_well_formed() {
    let key = ApiKey::mint(Realm::Test, random());
    let bearer = |text: &str| Server::shared().client().with("Authorization", &format!("Bearer {text}"));
    unauthorised(&bearer(key.expose()));
}

#[test]
fn a_key_of_production_is_refused_elsewhere() {
    let tenant = Tenant::shared();
    let live = tenant.key(&Scope::ALL, Realm::Live);
    assert!(live.text.starts_with("ovt_live_"));
    unauthorised(&tenant.client_of(&live));
}

#[test]
fn a_revoked_key_is_refused_from_the_very_next_request() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    assert_eq!(calls(&client).map(|answer| answer.status), [201, 200]);
    tenant.change("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1", &[]);
    unauthorised(&client);
    let another = tenant.key(&Scope::ALL, Realm::Test);
    assert_eq!(calls(&tenant.client_of(&another)).map(|answer| answer.status), [200, 200]);
}

#[test]
fn a_key_ends_at_the_instant_it_expires() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    let expire_at = |ms: i64| {
        let sql = "UPDATE api_keys SET expires_at = CAST(?2 AS INTEGER) WHERE practice_id = ?1";
        tenant.change(sql, &[&ms.to_string()]);
    };
    expire_at(now().0 + 60_000);
    assert_eq!(calls(&client).map(|answer| answer.status), [201, 200]);
    expire_at(now().0);
    unauthorised(&client);
}

#[test]
fn each_call_needs_its_permission() {
    let tenant = Tenant::shared();
    let allowed = |scopes: &[Scope]| calls(&tenant.client_of(&tenant.key(scopes, Realm::Test)));
    let [send, read] = allowed(&[Scope::ClaimsWrite]);
    assert_eq!((send.status, read.refusal(403)), (201, NO_READ));
    let [send, read] = allowed(&[Scope::ClaimsRead]);
    assert_eq!((send.refusal(403), read.status), (NO_WRITE, 200));
    let [send, read] = allowed(&[]);
    assert_eq!((send.refusal(403), read.refusal(403)), (NO_WRITE, NO_READ));
    for scopes in ["claims", "claims:writes claims:reader", "*", "CLAIMS:WRITE CLAIMS:READ", "claims:write,claims:read"]
    {
        tenant.change("UPDATE api_keys SET scopes = ?2 WHERE practice_id = ?1", &[scopes]);
        let [send, read] = calls(&tenant.client());
        assert_eq!((send.refusal(403), read.refusal(403)), (NO_WRITE, NO_READ), "{scopes}");
    }
}

#[test]
fn the_agreement_and_the_state_of_another_practice_do_not_count() {
    let _signed = Tenant::shared();
    let terms = Terms { signed: false, ..Terms::default() };
    let tenant = Tenant::on(Server::shared(), terms);
    baa_required(&tenant.client().status("A-1"));
}

#[test]
fn the_key_is_checked_first_then_permission_practice_agreement_and_the_request_last() {
    let terms = Terms { active: false, signed: false, appeal_button: false };
    let tenant = Tenant::on(Server::shared(), terms);
    let bare = tenant.key(&[], Realm::Test);
    let client = tenant.client_of(&bare);
    // The answer comes before the body. The rest of the body may be cut off.
    let large = || {
        let mut connection = client.connect();
        let head = client.head("POST", CLAIMS) + "Content-Length: 3145728\r\n\r\n{";
        connection.write(head.as_bytes()).unwrap();
        Answer::checked(connection.read(false).unwrap())
    };
    let invalid = || [client.post(CLAIMS, "{"), client.get(STATUS), large()];
    let repair = |sql: &str| tenant.change(sql, &[]);

    repair("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1");
    for answer in invalid() {
        assert_eq!(answer.refusal(401), UNKNOWN);
    }
    repair("UPDATE api_keys SET revoked_at = NULL WHERE practice_id = ?1");
    let [send, read, large] = invalid();
    assert_eq!([send.refusal(403), read.refusal(403), large.refusal(403)], [NO_WRITE, NO_READ, NO_WRITE]);
    repair("UPDATE api_keys SET scopes = 'claims:read claims:write' WHERE practice_id = ?1");
    for answer in invalid() {
        assert_eq!(answer.refusal(403), INACTIVE);
    }
    repair("UPDATE practices SET state = 'active' WHERE id = ?1");
    invalid().iter().for_each(baa_required);
    repair(
        "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
            VALUES (?1, 'a', 'baa', '1', 'Ann', 'Owner', 1)",
    );
    assert_eq!(invalid().map(|answer| answer.status), [422, 422, 413]);
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn a_key_withdrawn_between_the_check_and_the_write_writes_nothing() {
    for (change, status) in [
        ("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1", 401),
        ("UPDATE api_keys SET expires_at = created_at WHERE practice_id = ?1", 401),
        ("UPDATE api_keys SET scopes = 'claims:read' WHERE practice_id = ?1", 403),
        ("UPDATE practices SET state = 'inactive' WHERE id = ?1", 403),
        ("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", 403),
    ] {
        // The server knows the sender from the second send on, and then loads nothing before it writes.
        for (sent, batch, numbers) in [(1, 2, ["A-0", "B-2", "B-3"]), (3, 1, ["B-1", "B-2", "B-3"])] {
            let tenant = Tenant::shared();
            let client = tenant.client();
            for n in 0..sent {
                client.send(&item(&format!("A-{n}"))).expect(201);
            }
            let before = tenant.counts();
            let id = tenant.id.to_string();
            let answer = client.overtaken_before(batch, change, &[&id]).send(&numbered(numbers));
            assert_eq!(answer.status, status, "{change}: {}", answer.text());
            assert_eq!(tenant.counts(), before, "{change}");
        }
    }
}

#[test]
fn a_right_that_ends_under_load_ends_at_once_and_each_request_is_written_whole_or_not() {
    for (change, status) in [
        ("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1", 401),
        ("UPDATE practices SET state = 'inactive' WHERE id = ?1", 403),
        ("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", 403),
    ] {
        let tenant = Tenant::shared();
        let ended = AtomicBool::new(false);
        let until_refused = |sender: i32| {
            let client = tenant.client();
            for n in 0.. {
                let too_late = ended.load(Ordering::SeqCst);
                let numbers = (0..20).map(|item| format!("{sender}-{n}-{item}"));
                let answer = client.send(&numbered(numbers));
                if answer.status != 201 {
                    assert_eq!(answer.status, status, "{}", answer.text());
                    return n;
                }
                assert!(!too_late, "accepted after the end: {change}");
            }
            unreachable!()
        };
        let accepted: i64 = thread::scope(|scope| {
            let until_refused = &until_refused;
            let senders = [0, 1, 2, 3, 4, 5, 6, 7].map(|sender| scope.spawn(move || until_refused(sender)));
            thread::sleep(Duration::from_millis(150));
            tenant.change(change, &[]);
            ended.store(true, Ordering::SeqCst);
            senders.into_iter().map(|sender| sender.join().unwrap()).sum()
        });
        assert_eq!(tenant.claims(), accepted * 20);
        tenant.check();
    }
}

#[test]
fn a_refusal_does_not_tell_whether_the_claim_exists() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    let write = tenant.client_of(&tenant.key(&[Scope::ClaimsWrite], Realm::Test));
    let [known, unknown] = ["A-1", "A-2"].map(|number| write.get(&status_of(number)));
    assert_eq!(known.body, unknown.body);
    assert_ne!(known.json, Value::Null);
}
