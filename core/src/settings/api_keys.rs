//! API keys: the text of a new one, and the record of it.

use crate::auth::scope::Scopes;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::date::Date;
use crate::base::id::{ApiKeyId, PracticeId};
use crate::base::instant::Instant;
use crate::base::token::{ApiKey, Realm};
use crate::plan::settings::ApiKeyRecord;
use alloc::string::String;

/// The caller's choices for a new key.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// The practice it will act for.
    pub practice_id: PracticeId,
    /// The name that the practice gives it.
    pub name: String,
    pub scopes: Scopes,
    /// The environment, which decides the prefix.
    pub realm: Realm,
}

/// Makes a key: its text, to be shown once, and the record to store. `random` comes from a cryptographic source. `n` is
/// the number of the record within the command.
#[must_use]
pub fn mint(new: NewApiKey, random: [u8; 24], n: usize, ctx: &Ctx) -> (ApiKey, ApiKeyRecord) {
    let key = ApiKey::mint(new.realm, random);
    let record = ApiKeyRecord {
        id: ApiKeyId(ctx.id(Purpose::Record, n)),
        practice_id: new.practice_id,
        name: new.name,
        hash: key.hash(),
        hint: key.hint().into(),
        scopes: new.scopes,
        created_at: ctx.now,
        expires_at: expires(ctx.now),
        revoked_at: None,
        created_by: None,
    };
    (key, record)
}

/// The expiry of a key made at this instant: one year later (interface: Limits), on the same day and at the same time
/// in UTC. A key of February 29 expires on February 28.
#[must_use]
pub fn expires(made: Instant) -> Instant {
    let day = Date::of(made);
    let ends = day.next_year().map_or(made, Date::begins);
    ends.plus(made.since(day.begins()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::scope::Scope;
    use crate::base::time::Time;
    use crate::testing::test;
    use alloc::string::ToString;
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
            assert!(!alloc::format!("{record:?}").contains(key.expose()));
        }
    }
}
