use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::SettingsWrite;
use crate::testing::{person, test};
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const MINTING: (Realm, [u8; 24]) = (Realm::Test, [7; 24]);

fn ctx() -> Ctx {
    Ctx::new(NOW, [3; 32])
}

fn me(role: Role) -> Person {
    person(role, Action::ManageApiTokens)
}

/// The person's own token, ten days old, with twenty days left.
fn stored() -> ApiTokenView {
    ApiTokenView {
        id: ApiTokenId(Uuid::from_u128(40)),
        user_id: me(Role::Owner).user_id,
        name: "Reports".into(),
        prefix: "ovu_test_abcd".into(),
        scopes: ["denials:read".into(), "audit:read".into()].into(),
        created_at: Time(NOW.plus(-10 * DAY_MS)),
        expires_at: Time(NOW.plus(20 * DAY_MS)),
        revoked_at: None,
        last_used_at: None,
        replaced_by: None,
    }
}

fn regenerated(stored: ApiTokenView, role: Role) -> Result<Change, RequestError> {
    regenerate((Some(stored), Regeneration { grace_days: 1 }), &me(role), MINTING, &ctx())
}

#[test]
fn a_new_token_has_the_name_the_scopes_and_the_length_of_life_of_the_old() {
    let change = regenerated(stored(), Role::Owner).unwrap();
    let made = change.writes.iter().find_map(|write| match write {
        Write::Settings(SettingsWrite::NewApiToken(record)) => Some(record),
        _ => None,
    });
    let made = made.unwrap();
    assert_eq!((made.name.as_str(), made.user_id), ("Reports", stored().user_id));
    assert_eq!(made.scopes.to_string(), "denials:read audit:read");
    assert_eq!(made.expires_at, NOW.plus(30 * DAY_MS));
    assert_ne!(made.id, stored().id);
    let ends = change.writes.iter().find_map(|write| match write {
        Write::Settings(SettingsWrite::ApiTokenReplaced { id, by, until, .. }) => Some((*id, *by, *until)),
        _ => None,
    });
    assert_eq!(ends, Some((stored().id, made.id, NOW.plus(DAY_MS))));
}

#[test]
fn only_a_token_that_is_valid_and_ones_own_is_regenerated() {
    let conflict = Err(RequestError::Conflict(Reason::TokenEnded, "the token has ended or was replaced"));
    for ended in [
        ApiTokenView { revoked_at: Some(Time(NOW)), ..stored() },
        ApiTokenView { expires_at: Time(NOW), ..stored() },
        ApiTokenView { replaced_by: Some(stored().id), ..stored() },
    ] {
        assert_eq!(regenerated(ended, Role::Owner).map(drop), conflict);
    }
    let others = || ApiTokenView { user_id: UserId(Uuid::from_u128(99)), ..stored() };
    for role in [Role::Owner, Role::Admin] {
        let refused = regenerated(others(), role).map(drop);
        assert_eq!(refused, Err(RequestError::NotAuthorized(Reason::NotYours, "the token is another person's")));
        assert!(revoke(Some(others()), &me(role), &ctx()).is_ok());
    }
    assert_eq!(regenerated(others(), Role::Member).map(drop), Err(UNKNOWN));
    let revoked = revoke(Some(others()), &me(Role::Member), &ctx());
    assert_eq!(revoked.map(drop), Err(UNKNOWN));
    assert!(revoke(Some(stored()), &me(Role::Member), &ctx()).is_ok());
}

#[test]
fn a_list_says_what_its_reader_may_do_with_each_token() {
    use ApiTokenAction::{Regenerate, Revoke};
    let may = |token: ApiTokenView, role| ApiTokenFor::of(token, &me(role), NOW).may;
    assert_eq!(may(stored(), Role::Owner), [Revoke, Regenerate]);
    // A member makes no tokens, and revokes their own.
    assert_eq!(may(stored(), Role::Member), [Revoke]);
    let others = || ApiTokenView { user_id: UserId(Uuid::from_u128(99)), ..stored() };
    assert_eq!(may(others(), Role::Admin), [Revoke]);
    let expired = ApiTokenView { expires_at: Time(NOW), ..stored() };
    assert_eq!(may(expired, Role::Owner), [Revoke]);
    let revoked = ApiTokenView { revoked_at: Some(Time(NOW)), ..stored() };
    assert_eq!(may(revoked, Role::Owner), []);
}
