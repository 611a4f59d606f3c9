use super::*;
use uuid::Uuid;

/// 2026-03-04 at noon.
const NOW: Instant = Instant(1_772_625_600_000);

fn new(realm: Realm) -> NewApiKey {
    NewApiKey {
        practice_id: PracticeId(Uuid::from_u128(1)),
        name: "billing".to_string(),
        scopes: Scopes::of(&[Scope::ClaimsRead]),
        realm,
    }
}

#[test]
fn a_key_lives_for_one_year_from_its_creation() {
    let ctx = Ctx::new(NOW, [1; 32]);
    let (_, record) = mint(new(Realm::Test), [7; 24], 0, &ctx);
    assert_eq!(record.created_at, NOW);
    assert_eq!(record.expires_at.since(NOW), 31_536_000_000);
    assert_eq!(Date::of(record.expires_at).to_string(), "2027-03-04");
    assert_eq!(record.revoked_at, None);
}

#[test]
fn a_key_expires_on_the_same_day_of_the_next_year_at_the_same_time() {
    for (made, ends) in [
        ("2028-01-15T09:30:00.123Z", "2029-01-15T09:30:00.123Z"),
        ("2027-06-01T23:59:59.999Z", "2028-06-01T23:59:59.999Z"),
        ("2028-02-29T12:00:00.000Z", "2029-02-28T12:00:00.000Z"),
        ("2028-03-01T00:00:00.000Z", "2029-03-01T00:00:00.000Z"),
    ] {
        let ctx = Ctx::new(Time::parse(made).unwrap().0, [1; 32]);
        let (_, record) = mint(new(Realm::Test), [7; 24], 0, &ctx);
        assert_eq!(Time(record.expires_at).to_string(), ends);
    }
}

#[test]
fn a_record_is_of_its_key_and_does_not_hold_it() {
    let ctx = Ctx::new(NOW, [1; 32]);
    for realm in [Realm::Live, Realm::Test] {
        let (key, record) = mint(new(realm), [7; 24], 3, &ctx);
        assert_eq!(key.realm(), realm);
        assert_eq!(record.hash, key.hash());
        assert_eq!(record.hint, key.hint());
        assert_eq!(record.id.0, ctx.id(Purpose::Record, 3));
        assert_eq!(record.practice_id, new(realm).practice_id);
        assert_eq!(record.name, "billing");
        assert_eq!(record.scopes, new(realm).scopes);
        assert!(!format!("{record:?}").contains(key.expose()));
    }
}
