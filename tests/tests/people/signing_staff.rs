//! The staff's actions on signatures.

use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_tests::client::keys;
use overturn_tests::prelude::*;
use overturn_tests::signing::{Case, born, patient, proof, sign};

#[test]
fn needed_makes_a_link_and_needed_again_another() {
    let case = Case::undecided();
    assert_eq!(case.link(), None);
    let decided = case.decide("needed");
    decided.expect(200);
    assert_eq!(keys(&decided.json), ["id", "signing_status", "status", "taken_by", "version"]);
    assert_eq!((&decided.json["signing_status"], &decided.json["version"]), (&json!("needed"), &json!(2)));
    let first = case.link().unwrap();
    assert!(first.starts_with("http://127.0.0.1/sign?token=ovp_"), "{first}");
    assert_eq!(case.link().unwrap(), first, "it can be shown again");
    case.decide("needed").expect(200);
    assert_ne!(case.link().unwrap(), first);
    let links = case.links();
    assert_eq!(links.len(), 2);
    assert!(links[0]["revoked_at"].is_i64() && links[1]["revoked_at"].is_null());
    let lasts = links[1]["expires_at"].as_i64().unwrap() - links[1]["created_at"].as_i64().unwrap();
    assert_eq!(lasts, 30 * 86_400_000);
    assert_eq!(links[1]["created_by"], case.staff.id.to_string());
    for stored in case.tenant.server.database().rows("SELECT * FROM signing_links", &[]) {
        assert!(!stored.to_string().contains("ovp_"), "{stored}");
    }
    let trail = case.tenant.audit("signing.decided");
    assert_eq!(trail.len(), 2);
    assert_eq!(trail[0]["actor"], format!("user:{}", case.staff.id));
    case.tenant.check();
}

#[test]
fn not_needed_ends_the_link_and_revoking_leaves_the_rest() {
    let (case, _) = Case::needed();
    let revoke = || {
        let path = case.path("/signing/link");
        case.work().request("DELETE", &path, Some(b""))
    };
    let revoked = revoke();
    assert_eq!(revoked.json["signing_status"], "needed");
    assert_eq!((case.link(), &revoked.json["version"]), (None, &json!(3)));
    assert_eq!(revoke().json["version"], 3, "there is nothing left to revoke");
    assert_eq!(case.tenant.audit("signing.link_revoked").len(), 1);
    case.decide("needed").expect(200);
    assert!(case.link().is_some());
    assert_eq!(case.decide("not_needed").json["signing_status"], "not_needed");
    assert_eq!(case.link(), None);
    assert!(case.links().iter().all(|link| link["revoked_at"].is_i64()));
    let before = case.tenant.counts();
    case.decide("not_needed").expect(200);
    assert_eq!(case.tenant.counts(), before, "nothing happened");
    case.tenant.check();
}

#[test]
fn staff_see_the_link_while_a_patient_can_sign_by_it() {
    let case = Case::undecided();
    let seen = || case.staff.client().get(&case.path("")).json["signing_link"].clone();
    let member = case.tenant.member();
    // What an integration is told since it asked last.
    let follow = |after: &str| {
        let news = member.get(&format!("/api/v1/denials?changes_after={after}")).json;
        let expires =
            news["denials"].as_array().unwrap().iter().map(|claim| claim["signing"]["link_expires_at"].clone());
        (expires.collect::<Vec<_>>(), news["changes_cursor"].as_str().unwrap().to_owned())
    };
    assert_eq!(seen(), Value::Null);
    case.decide("needed").expect(200);
    case.decide("needed").expect(200);
    let (_, mut cursor) = follow("start");
    let link = case.links()[1].clone();
    let time = |name: &str| Time(Instant(link[name].as_i64().unwrap())).to_string();
    let whole = json!({ "created_at": time("created_at"), "expires_at": time("expires_at"), "tries_left": 5 });
    assert_eq!(seen(), whole);
    let phone = patient(case.tenant.server);
    let wrong = [("month", "1"), ("day", "1"), ("year", "1980")];
    born(&phone, &case.token(), wrong).expect(422);
    assert_eq!(seen()["tries_left"], 4);
    assert_eq!(follow(&cursor).0, [Value::Null; 0], "a try is no change of the claim");
    for (dead, alive) in [
        ("signing_links SET attempts = 5", "signing_links SET attempts = 1"),
        ("signing_links SET expires_at = 1", "signing_links SET expires_at = 1e15"),
        ("claims SET status = 'closed'", "claims SET status = 'in_report'"),
    ] {
        let change = |what: &str| case.tenant.change_claims(&format!("UPDATE {what} WHERE practice_id = ?1"), &[]);
        change(dead);
        assert_eq!(seen(), Value::Null, "{dead}");
        let (told, after) = follow(&cursor);
        change(alive);
        assert_eq!(seen()["tries_left"], 4, "{alive}");
        let (again, after) = follow(&after);
        if dead.contains("attempts") {
            assert_eq!((told, again), (vec![Value::Null], vec![whole["expires_at"].clone()]));
        }
        cursor = after;
    }
    let path = case.path("/signing/link");
    case.work().request("DELETE", &path, Some(b"")).expect(200);
    assert_eq!(seen(), Value::Null);
    case.decide("needed").expect(200);
    let token = case.token();
    let shown = proof(&phone, &token);
    sign(&phone, &token, &shown, &[("name", "Jane")]).expect(200);
    assert_eq!(seen(), Value::Null);
}

#[test]
fn endpoints_get_a_message_about_every_link_and_its_end() {
    let case = Case::undecided();
    let owner = Person::of(&case.tenant, Role::Owner);
    crate::webhooks::listen(&owner.client(), &["claim.signing_changed"]);
    for _ in 0..2 {
        case.decide("needed").expect(200);
    }
    let path = case.path("/signing/link");
    for _ in 0..2 {
        case.work().request("DELETE", &path, Some(b"")).expect(200);
    }
    let told = case.tenant.messages();
    assert_eq!(told.len(), 3, "what was revoked before is no news");
    for body in &told {
        assert_eq!(body["type"], "claim.signing_changed");
        assert_eq!(body["data"]["claim"], json!({ "id": case.id, "claim_number": "S-1", "signing_status": "needed" }));
    }
}

#[test]
fn a_decision_is_about_the_claim_as_it_was_seen() {
    let case = Case::undecided();
    let path = case.path("/signing");
    let body = r#"{"status":"needed"}"#;
    let unseen = case.staff.client();
    unseen.post(&path, body).refused(422, "validation_failed");
    let stale = unseen.with("If-Match", "\"9\"").post(&path, body);
    stale.refused(409, "conflict");
    let calls = (0..6).map(|_| case.work()).map(|client| {
        let path = &path;
        move || client.post(path, body).status
    });
    let mut statuses = at_once(calls.collect());
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
    assert_eq!(case.links().len(), 1);
    for body in ["", "[]", r#"{"status":"signed"}"#, "{}"] {
        let refused = case.work().post(&path, body);
        assert!([400, 422].contains(&refused.status), "{body}");
    }
    let again = "6f1fd2e3-3a6a-4bd0-8e0c-2f7d9a0f4b11";
    let client = case.work().with("Idempotency-Key", again);
    let [first, second] = [(), ()].map(|()| client.post(&path, body));
    assert_eq!((first.status, second.status), (200, 200), "{}", second.text());
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(case.links().len(), 2);
    case.tenant.check();
}

#[test]
fn a_signature_is_shown_once_the_trail_says_so() {
    let (case, token) = Case::needed();
    let path = case.path("/signature");
    let staff = case.staff.client();
    staff.get(&path).refused(404, "not_found");
    let phone = patient(case.tenant.server).with("CF-Connecting-IP", "198.51.100.7");
    let shown = proof(&phone, &token);
    let fields = [("name", "Jane Doe"), ("drawing", "[[[1,2],[3,4]]]")];
    sign(&phone, &token, &shown, &fields).expect(200);
    let read = staff.get(&path);
    read.expect(200);
    let kept = &case.signatures()[0];
    assert_eq!((&read.json["text"], &read.json["name"]), (&kept["text"], &json!("Jane Doe")));
    assert_eq!((&read.json["ip"], &read.json["user_agent"]), (&json!("198.51.100.7"), &json!("A phone")));
    let drawing = json!({ "width": 600, "height": 200, "strokes": [[[1, 2], [3, 4]]] });
    assert_eq!(read.json["drawing"], drawing);
    assert_eq!(case.tenant.audit("signature.read").len(), 1);
    let tag = read.header("etag").unwrap();
    staff.with("If-None-Match", tag).get(&path).expect(304);
    let broken = staff.with("Tests-Database", r#"{"2": {"fails": "D1_ERROR: no such table: audit"}}"#);
    let unseen = broken.get(&path);
    unseen.expect(500);
    assert!(!unseen.text().contains("Jane"));
}

/// A person of the practice gets the link without an API key, and a patient signs with it.
#[test]
fn people_of_the_practice_show_the_link_and_the_trail_names_them() {
    let server = Server::shared();
    let (case, token) = Case::needed_on(server);
    let path = format!("/api/v1/denials/{}/signing_link", case.id);
    let denial = |person: &Person<'_>| {
        let shown = person.client().get(&format!("/api/v1/denials/{}", case.id));
        shown.json["signing"]["link_expires_at"].clone()
    };
    for role in [Role::Owner, Role::Admin, Role::Member] {
        let person = Person::of(&case.tenant, role);
        let shown = person.client().get(&path);
        shown.expect(200);
        assert_eq!(keys(&shown.json), ["expires_at", "link", "tries_left"]);
        assert_eq!(shown.json["link"], json!(case.link()));
        assert_eq!(shown.json["expires_at"], denial(&person));
        let row = case.tenant.audit("signing.link_shown");
        let actor = format!("user:{}", person.id);
        assert!(row.iter().any(|row| row["actor"] == actor && row["record"] == case.id), "{role:?}");
    }
    let strangers = Tenant::new(server);
    let other = strangers.owner().get(&path);
    assert_eq!(other.status, 404, "another practice has no such claim");
    assert_eq!(case.staff.client().get(&path).status, 403, "staff never see a link");

    let owner = Person::of(&case.tenant, Role::Owner);
    let reason = || owner.client().get(&path).json["error"]["reason"].clone();
    let shown = case.tenant.audit("signing.link_shown").len();
    case.tenant.change("UPDATE practices SET appeal_button = 0 WHERE id = ?1", &[]);
    assert_eq!(reason(), "links_off");
    case.tenant.change("UPDATE practices SET appeal_button = 1 WHERE id = ?1", &[]);
    case.tenant.change("UPDATE signing_links SET attempts = 5 WHERE practice_id = ?1", &[]);
    assert_eq!(reason(), "link_ended");
    assert_eq!(denial(&owner), Value::Null, "the practice is told that no link works");
    let dead = format!("/api/v1/staff/claims?signature=link_dead&practice_id={}", case.tenant.id);
    let queue = case.staff.client().get(&dead);
    assert_eq!(queue.json["claims"][0]["id"], case.id, "and so are staff");
    case.tenant.change("UPDATE signing_links SET attempts = 0 WHERE practice_id = ?1", &[]);
    let phone = patient(server);
    let signed = sign(&phone, &token, &proof(&phone, &token), &[("relation", "parent"), ("name", "Ann Doe")]);
    signed.expect(200);
    assert_eq!(reason(), "signature_not_asked");
    assert_eq!(case.tenant.audit("signing.link_shown").len(), shown, "a refusal shows nothing");
    let signature = case.staff.client().get(&case.path("/signature"));
    assert_eq!(signature.json["relation"], "parent");
    case.tenant.check();
}
