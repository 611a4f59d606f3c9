//! Rules for all lists: pages, newest first, with a cursor to the next one.

use overturn_tests::prelude::*;

/// Every list of a practice's settings, by its noun.
const LISTS: [&str; 4] = ["api_keys", "api_tokens", "audit", "members"];

fn target(noun: &str) -> String {
    format!("/api/v1/settings/{noun}")
}

/// A practice with five records of each kind.
fn full(tenant: &Tenant<'_>) -> Client {
    let owner = Person::of(tenant, Role::Owner);
    for n in 0..5 {
        let _member = (n > 0).then(|| Person::of(tenant, Role::Member));
        let _key = (n > 0).then(|| tenant.key(&[Scope::ClaimsRead], Realm::Test));
        let body = json!({ "name": n.to_string(), "scopes": ["audit:read"], "expires_in_days": 1 });
        let made = owner.client().post(&target("api_tokens"), body.to_string());
        made.expect(201);
    }
    owner.client()
}

fn ids(items: &Value) -> Vec<String> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_link_of_every_page_leads_to_the_next_until_the_last() {
    let tenant = Tenant::shared();
    let client = full(&tenant);
    for noun in LISTS {
        let whole = client.get(&target(noun));
        let whole = ids(&whole.json[noun]);
        assert_eq!(whole.len(), 5, "{noun}");
        assert!(whole.is_sorted_by(|newer, older| newer > older), "{noun}");
        let mut seen = Vec::new();
        let mut next = format!("{}?limit=2", target(noun));
        loop {
            let read = client.get(&next);
            read.expect(200);
            seen.push(ids(&read.json[noun]));
            let cursor = read.json["next_cursor"].as_str();
            let link = cursor.map(|cursor| format!("<{}?limit=2&cursor={cursor}>; rel=\"next\"", target(noun)));
            assert_eq!(read.header("link"), link.as_deref());
            let Some(link) = link else { break };
            next = link[1..].split_once('>').unwrap().0.into();
        }
        assert_eq!(seen.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1], "{noun}");
        assert_eq!(seen.concat(), whole);
        let all = client.get(&format!("{}?limit=5", target(noun)));
        assert_eq!((all.header("link"), &all.json["next_cursor"]), (None, &Value::Null));
    }
}

#[test]
fn a_page_that_cannot_be_is_refused_to_who_may_read_the_list() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let member = tenant.member();
    for noun in LISTS {
        let wrong = format!("{}?limit=101&cursor=x", target(noun));
        assert_eq!(
            owner.get(&wrong).details(),
            ["limit must be a whole number from 1 to 100", "cursor must be one that a page gave"]
        );
        let status = if noun == "api_tokens" { 422 } else { 403 };
        assert_eq!(member.get(&wrong).status, status, "{noun}");
        Server::shared().client().get(&wrong).expect(401);
    }
}
