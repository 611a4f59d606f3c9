use super::*;
use crate::auth::role::Role;
use crate::testing::decisions::{parse, person};
use overturn_core::base::token::Realm;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

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
        last_used_at: Some(Time(NOW)),
        replaced_by: None,
    }
}

fn others() -> ApiTokenView {
    ApiTokenView { user_id: UserId(Uuid::from_u128(99)), ..stored() }
}

fn regenerated(stored: ApiTokenView, role: Role) -> Result<Change, RequestError> {
    let token = ApiToken::mint(Realm::Test, [7; 24]);
    super::regenerated((Some(stored), Regeneration { grace_days: 1 }), &me(role), &token, &ctx())
}

/// A person about a token of their own practice.
fn of(person: &Person) -> (PracticeId, &Person) {
    (person.practice().unwrap(), person)
}

#[test]
fn a_new_token_has_the_name_the_scopes_and_the_length_of_life_of_the_old() {
    let token = ApiToken::mint(Realm::Test, [7; 24]);
    let made = ApiTokenView {
        id: ApiTokenId(ctx().id(Purpose::Record, 0)),
        prefix: token.hint().into(),
        created_at: Time(NOW),
        expires_at: Time(NOW.plus(30 * DAY_MS)),
        last_used_at: None,
        ..stored()
    };
    let answer = regenerated(stored(), Role::Owner).unwrap().answer;
    assert_eq!(answer.body, serde_json::to_value(made).unwrap());
    assert_eq!(answer.first()["token"], token.expose());
    assert_eq!(answer.kept()["token"], serde_json::Value::Null);
}

#[test]
fn only_a_token_that_is_valid_and_ones_own_is_regenerated() {
    let unknown = Err(RequestError::NotFound("no such API token"));
    let conflict = Err(RequestError::Conflict(Reason::TokenEnded, "the token has ended or was replaced"));
    for ended in [
        ApiTokenView { revoked_at: Some(Time(NOW)), ..stored() },
        ApiTokenView { expires_at: Time(NOW), ..stored() },
        ApiTokenView { replaced_by: Some(stored().id), ..stored() },
    ] {
        assert_eq!(regenerated(ended, Role::Owner).map(drop), conflict);
    }
    for role in [Role::Owner, Role::Admin] {
        let refused = regenerated(others(), role).map(drop);
        assert_eq!(refused, Err(RequestError::NotAuthorized(Reason::NotYours, "the token is another person's")));
        assert!(revoked(Some(others()), of(&me(role)), &ctx()).is_ok());
    }
    assert_eq!(regenerated(others(), Role::Member).map(drop), unknown);
    assert_eq!(revoked(Some(others()), of(&me(Role::Member)), &ctx()).map(drop), unknown);
    assert!(revoked(Some(stored()), of(&me(Role::Member)), &ctx()).is_ok());
}

#[test]
fn a_list_says_what_its_reader_may_do_with_each_token() {
    use ApiTokenAction::{Regenerate, Revoke};
    let may = |token: ApiTokenView, role| super::may(&me(role), &token, NOW);
    assert_eq!(may(stored(), Role::Owner), [Revoke, Regenerate]);
    // A member makes no tokens, and revokes their own.
    assert_eq!(may(stored(), Role::Member), [Revoke]);
    assert_eq!(may(others(), Role::Admin), [Revoke]);
    let expired = ApiTokenView { expires_at: Time(NOW), ..stored() };
    assert_eq!(may(expired, Role::Owner), [Revoke]);
    let revoked = ApiTokenView { revoked_at: Some(Time(NOW)), ..stored() };
    assert_eq!(may(revoked, Role::Owner), []);
}

#[test]
fn a_token_lives_for_a_year_at_most_and_its_old_one_for_a_week() {
    for (days, fits) in [(-1, false), (0, true), (7, true), (8, false)] {
        let body = json!({ "grace_days": days }).to_string();
        assert_eq!(parse::<Regeneration>(body).is_ok(), fits, "{days}");
    }
    for (days, fits) in [(0, false), (1, true), (365, true), (366, false)] {
        let body = json!({ "name": "x", "scopes": ["audit:read"], "expires_in_days": days }).to_string();
        assert_eq!(parse::<TokenRequest>(body).is_ok(), fits, "{days}");
    }
}
