//! Who is refused, and that a refusal changes nothing.

use super::{Change, READS, World, changes};
use overturn_service::people::csrf;
use overturn_tests::prelude::*;

fn reads() -> Vec<Change> {
    let read = |noun| Change {
        method: "GET",
        target: format!("/api/v1/settings/{noun}"),
        body: None,
        status: 200,
        sensitive: false,
    };
    READS.map(read).into()
}

/// Fails unless the client is refused all of this and nothing of the practice has changed.
fn refused(world: &World, requests: &[Change], client: &Client, expected: (u16, &str)) {
    let before = world.stored();
    for request in requests {
        let answer = request.send(client);
        assert_eq!(answer.nested(expected.0).0, expected.1, "{request:?}");
        assert!(answer.header("set-cookie").is_none());
    }
    assert_eq!(world.stored(), before);
}

#[test]
fn every_call_needs_a_session_or_token() {
    let world = World::new();
    let all = [changes(&world), reads()].concat();
    let nobody = Server::shared().client();
    refused(&world, &all, &nobody, (401, "not_authenticated"));
    let key = format!("Bearer {}", world.tenant.key.text);
    for client in [
        nobody.with("Authorization", &key),
        nobody.with("Authorization", "Bearer x"),
        nobody.with("Cookie", "__Host-session=x; csrf_token=x"),
        page(Server::shared(), &overturn_service::request::secret::SessionToken::mint([7; 32])),
    ] {
        refused(&world, &all, &client, (401, "not_authenticated"));
    }
}

#[test]
fn staff_have_no_part_in_a_practice() {
    let world = World::new();
    let all = [changes(&world), reads()].concat();
    let staff = Person::staff(Server::shared()).client();
    refused(&world, &all, &staff, (403, "not_authorized"));
}

#[test]
fn the_people_of_an_inactive_practice_do_nothing() {
    let world = World::new();
    let sql = "UPDATE practices SET state = 'inactive' WHERE id = ?1";
    world.tenant.change(sql, &[]);
    let all = [changes(&world), reads()].concat();
    refused(&world, &all, &world.owner.client(), (403, "not_authorized"));
}

#[test]
fn a_write_without_the_sessions_own_csrf_token_does_nothing() {
    let world = World::new();
    let writes = changes(&world);
    let cookie = format!("__Host-session={}", world.owner.session.expose());
    let bare = Server::shared().client().with("Cookie", &cookie);
    let (_, second) = world.owner.session(Some(now()));
    for client in [
        bare.with("X-CSRF-Token", ""),
        bare.with("X-CSRF-Token", "x"),
        bare.with("X-CSRF-Token", &csrf::token(&second)),
        bare.with("X-CSRF-Token", &csrf::token(&world.member.session)),
        // A cookie proves nothing: browsers attach it to requests from other sites.
        bare.with("Cookie", &format!("{cookie}; csrf_token={}", csrf::token(&world.owner.session))),
        bare,
    ] {
        refused(&world, &writes, &client, (403, "not_authorized"));
    }
    for site in ["cross-site", "same-site"] {
        let client = world.owner.client().with("Sec-Fetch-Site", site);
        refused(&world, &writes, &client, (403, "not_authorized"));
    }
}

#[test]
fn a_token_changes_nothing_whatever_comes_with_it() {
    let world = World::new();
    let writes = changes(&world);
    let cookie = format!("__Host-session={}", world.owner.session.expose());
    let proof = csrf::token(&world.owner.session);
    let both = world.bearer.with("Cookie", &cookie).with("X-CSRF-Token", &proof);
    for client in [&world.bearer, &both] {
        refused(&world, &writes, client, (403, "not_authorized"));
    }
}

/// Sends every change while this SQL runs between load and commit. Fails unless the change has no effect.
fn overtaken(sql: &str, of: impl Fn(&World) -> String, expected: (u16, &str)) {
    for n in 0..changes(&World::new()).len() {
        let world = World::new();
        let change = &changes(&world)[n];
        let before = world.audited();
        let answer = change.send(&world.owner.client().overtaken_by(sql, &[&of(&world)]));
        assert_eq!(answer.nested(expected.0).0, expected.1, "{change:?}");
        assert_eq!(world.audited(), before, "{change:?}");
    }
}

#[test]
fn a_person_who_loses_their_rights_before_the_commit_changes_nothing() {
    let session = |world: &World| world.owner.session_id.to_string();
    let revoked = "UPDATE sessions SET revoked_at = 1 WHERE id = ?1";
    overtaken(revoked, session, (401, "not_authenticated"));
    let owner = |world: &World| world.owner.id.to_string();
    let removed = "UPDATE users SET state = 'removed' WHERE id = ?1";
    overtaken(removed, owner, (401, "not_authenticated"));
    let practice = |world: &World| world.tenant.id.to_string();
    let inactive = "UPDATE practices SET state = 'inactive' WHERE id = ?1";
    overtaken(inactive, practice, (403, "not_authorized"));
}

#[test]
fn a_sensitive_action_needs_a_recent_second_factor() {
    let world = World::new();
    let sensitive: Vec<Change> = changes(&world).into_iter().filter(|change| change.sensitive).collect();
    let before = now().plus(-overturn_service::auth::session::VERIFIED_MS);
    let stale = [None, Some(before)].map(|verified| world.owner.session(verified).1);
    for session in stale {
        let client = page(Server::shared(), &session);
        refused(&world, &sensitive, &client, (402, "two_factor_required"));
    }
}

#[test]
fn another_practices_records_look_like_missing_ones() {
    let (world, other) = (World::new(), World::new());
    let named: Vec<Change> = changes(&other).into_iter().filter(|change| change.target.contains('-')).collect();
    assert_eq!(named.len(), 17);
    let before = other.stored();
    refused(&world, &named, &world.owner.client(), (404, "not_found"));
    let admin = world.tenant.admin();
    let (of_owners, others): (Vec<_>, Vec<_>) = named.into_iter().partition(|change| change.target.ends_with("/end"));
    refused(&world, &others, &admin, (404, "not_found"));
    refused(&world, &of_owners, &admin, (403, "not_authorized"));
    assert_eq!(other.stored(), before);
    let owner = world.owner.client();
    let both = reads().into_iter().flat_map(|read| [(read.clone(), &owner), (read, &world.bearer)]);
    for (read, client) in both {
        let shown = read.send(client);
        assert_eq!(shown.status, 200, "{read:?}");
        let shown = shown.text();
        for id in [
            other.member.id.to_string(),
            other.token.clone(),
            other.tenant.key.id.clone(),
            other.webhook.clone(),
            other.provider.clone(),
            other.domain.clone(),
            other.tenant.id.to_string(),
        ] {
            assert!(!shown.contains(&id), "{read:?}");
        }
    }
}
