//! API tokens.

use super::Office;
use crate::settings::api_tokens::{self as tokens, ApiTokenView, Regeneration, TokenRequest};
use overturn_core::auth::role::Role;
use overturn_core::auth::scope::TokenScope;
use overturn_core::base::id::ApiTokenId;
use overturn_core::base::token::{ApiToken, Realm};
use overturn_core::plan::change::Change;
use overturn_core::request::page::Page;
use overturn_store::error::{DatabaseError, FailedGuard};
use serde_json::json;

const PAGE: Page = Page { limit: 25, after: None };

/// Makes a token of the owner, and reads it.
fn made(office: &mut Office, n: u8) -> ApiTokenView {
    let new = TokenRequest { name: "Reports".into(), scopes: TokenScope::ALL.into(), expires_in_days: 30 };
    let token = ApiToken::mint(Realm::Test, [n; 24]);
    let change = tokens::created(new, &office.person(Role::Owner), &token, &office.f.ctx()).unwrap();
    committed(office, change)
}

/// Commits a change that makes a token, and reads the token, which is as it was shown.
fn committed(office: &mut Office, change: Change) -> ApiTokenView {
    let shown = change.answer.body.clone();
    let id = ApiTokenId(shown["id"].as_str().unwrap().parse().unwrap());
    office.commit(change).unwrap();
    let stored = office.read(&tokens::one("owner", id)).unwrap();
    assert_eq!(serde_json::to_value(&stored).unwrap(), shown);
    stored
}

fn replacement(office: &Office, stored: &ApiTokenView, n: u8) -> Change {
    let token = ApiToken::mint(Realm::Test, [n; 24]);
    let asked = (Some(stored.clone()), Regeneration { grace_days: 1 });
    tokens::regenerated(asked, &office.person(Role::Owner), &token, &office.f.ctx()).unwrap()
}

#[test]
fn a_token_is_read_as_it_was_shown_and_colleagues_who_do_not_manage_see_only_their_own() {
    let mut office = Office::new();
    let made = made(&mut office, 1);
    assert_eq!(office.read(&tokens::page("owner", PAGE)), Some([made.clone()].into()));
    assert_eq!(office.read(&tokens::page("member", PAGE)), Some([].into()));
    let revoked = tokens::revoked(Some(made.clone()), &office.person(Role::Owner), &office.f.ctx()).unwrap();
    office.commit(revoked).unwrap();
    let stored = office.read(&tokens::one("owner", made.id)).unwrap();
    let shown = serde_json::to_value(stored).unwrap();
    assert_eq!(shown["revoked_at"], "2027-01-15T08:00:00.000Z");
}

#[test]
fn a_token_is_replaced_once_and_ends_after_the_grace_period() {
    let mut office = Office::new();
    let old = made(&mut office, 1);
    let first = replacement(&office, &old, 2);
    let second = replacement(&office, &old, 3);
    let new = committed(&mut office, first);
    let replaced = office.read(&tokens::one("owner", old.id)).unwrap();
    let shown = serde_json::to_value(replaced).unwrap();
    assert_eq!((&shown["replaced_by"], &shown["expires_at"]), (&json!(new.id), &json!("2027-01-16T08:00:00.000Z")));
    assert_eq!(office.commit(second), Err(DatabaseError::Conflict(FailedGuard::Record)));
}
