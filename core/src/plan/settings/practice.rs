//! Practices, their agreements and their API keys, and how each is made.

use crate::auth::disclosure::PracticeState;
use crate::auth::scope::{Scopes, TokenScopes};
use crate::base::ctx::{Ctx, Purpose};
use crate::base::date::Date;
use crate::base::id::{AgreementId, ApiKeyId, ApiTokenId, PracticeId, UserId};
use crate::base::instant::Instant;
use crate::base::token::{ApiKey, Realm};
use alloc::string::String;

/// The expiry of a key made at this instant: one year later (interface: Limits), on the same day and at the same time
/// in UTC. A key of February 29 expires on February 28.
#[must_use]
pub fn api_key_expires(made: Instant) -> Instant {
    let day = Date::of(made);
    let ends = day.next_year().map_or(made, Date::begins);
    ends.plus(made.since(day.begins()))
}

/// A practice: the tenant.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Its id.
    pub id: PracticeId,
    /// Its name, as people know it.
    pub name: String,
    /// Whether it is active.
    pub state: PracticeState,
    /// True if the appeal button is on.
    pub appeal_button: bool,
    /// When it was made.
    pub created_at: Instant,
}

/// A signed business associate agreement.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// Its id.
    pub id: AgreementId,
    /// The practice that signed.
    pub practice_id: PracticeId,
    /// The version of the text that was signed.
    pub version: String,
    /// The signer's name.
    pub signer_name: String,
    /// The signer's title.
    pub signer_title: String,
    /// When.
    pub signed_at: Instant,
    /// The account and IP address of the signer; `None` for an agreement that the operator recorded.
    pub signed_by: Option<(UserId, String)>,
}

/// A practice's edit of its own record. A field that is `None` stays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PracticeEdit {
    /// Its name.
    pub name: Option<String>,
    /// True if the appeal button is on.
    pub appeal_button: Option<bool>,
    /// Whether a member may have only one session at a time.
    pub single_session: Option<bool>,
}

/// A stored API token: everything except the token itself.
#[derive(Clone, Debug)]
pub struct ApiTokenRecord {
    /// Its id.
    pub id: ApiTokenId,
    /// The practice that it is valid for.
    pub practice_id: PracticeId,
    /// The account it acts for.
    pub user_id: UserId,
    /// The name that the person gave it.
    pub name: String,
    /// The hash that it is found by.
    pub hash: String,
    /// The hint that is shown.
    pub hint: String,
    /// The scopes.
    pub scopes: TokenScopes,
    /// When it was made.
    pub created_at: Instant,
    /// When it expires.
    pub expires_at: Instant,
}

/// A stored API key: everything except the key itself.
#[derive(Clone, Debug)]
pub struct ApiKeyRecord {
    /// Its id.
    pub id: ApiKeyId,
    /// The practice it acts for.
    pub practice_id: PracticeId,
    /// The name that the practice gave it.
    pub name: String,
    /// The hash that it is found by, see [`ApiKey::hash`].
    pub hash: String,
    /// The hint that is shown, see [`ApiKey::hint`].
    pub hint: String,
    /// The scopes.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Instant,
    /// When it expires.
    pub expires_at: Instant,
    /// When it was revoked.
    pub revoked_at: Option<Instant>,
    /// Who made it; `None` for the operator.
    pub created_by: Option<UserId>,
}

/// The input for a new key: the caller's choices and 24 bytes of a cryptographic source.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// The practice it will act for.
    pub practice_id: PracticeId,
    /// The name that the practice gives it.
    pub name: String,
    /// The scopes.
    pub scopes: Scopes,
    /// The environment, which decides the prefix.
    pub realm: Realm,
}

/// Makes a key: its text, to be shown once, and the record to store. `n` is the number of the record within the
/// command.
#[must_use]
pub fn mint_api_key(
    new: NewApiKey,
    random: [u8; 24],
    n: usize,
    ctx: &Ctx,
) -> (ApiKey, ApiKeyRecord) {
    let key = ApiKey::mint(new.realm, random);
    let record = ApiKeyRecord {
        id: ApiKeyId(ctx.id(Purpose::Record, n)),
        practice_id: new.practice_id,
        name: new.name,
        hash: key.hash(),
        hint: key.hint().into(),
        scopes: new.scopes,
        created_at: ctx.now,
        expires_at: api_key_expires(ctx.now),
        revoked_at: None,
        created_by: None,
    };
    (key, record)
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
        let (_, record) = mint_api_key(new(Realm::Test), [7; 24], 0, &ctx);
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
            let (_, record) = mint_api_key(new(Realm::Test), [7; 24], 0, &ctx);
            assert_eq!(Time(record.expires_at).to_string(), ends);
        }
    }

    #[test]
    fn a_record_is_of_its_key_and_does_not_hold_it() {
        let ctx = Ctx::new(NOW, [1; 32]);
        for realm in [Realm::Live, Realm::Test] {
            let (key, record) = mint_api_key(new(realm), [7; 24], 3, &ctx);
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

    #[test]
    fn only_the_name_of_the_active_state_is_active() {
        assert_eq!(
            PracticeState::parse(PracticeState::Active.name()),
            PracticeState::Active
        );
        for name in [PracticeState::Inactive.name(), "", "Active", "suspended"] {
            assert_eq!(
                PracticeState::parse(name),
                PracticeState::Inactive,
                "{name}"
            );
        }
    }
}
