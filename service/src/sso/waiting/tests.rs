use super::*;
use crate::sso::tests::account;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::plan::accounts::SpentProof;
use overturn_core::testing::{parse, person};
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const PROVIDER: SsoProviderId = SsoProviderId(Uuid::from_u128(4));

fn waiting() -> OpenedCeremony<WaitingIdentity> {
    OpenedCeremony {
        content: WaitingIdentity {
            provider: "google".into(),
            saml: None,
            provider_name: "Google".into(),
            issuer: "https://accounts.google.example".into(),
            subject: "1234".into(),
            email: "Ann@clinic.example".into(),
        },
        spent: SpentProof { hash: "h".into(), expires_at: Instant(9) },
    }
}

fn stored() -> StoredJoin {
    StoredJoin { account: account(), count: 0, taken: false, spent: false }
}

fn ctx() -> Ctx {
    Ctx::new(Instant(1_800_000_000_000), [1; 32])
}

fn seen(id: &str) -> SeenIdentity {
    parse(format!(r#"{{"id":"{id}"}}"#).as_bytes()).unwrap()
}

fn join_of(waiting: Option<OpenedCeremony<WaitingIdentity>>, stored: &StoredJoin) -> Result<Change, RequestError> {
    let person = person(Role::Member, Action::ManageIdentities);
    super::joins((&seen("h"), waiting), Some(stored), &person, &ctx())
}

#[test]
fn only_the_person_with_the_address_joins_it() {
    assert!(matches!(join_of(None, &stored()), Err(RequestError::NotFound(_))));
    let spent = StoredJoin { spent: true, ..stored() };
    let refused = join_of(Some(waiting()), &spent);
    assert!(matches!(refused, Err(RequestError::NotFound(_))));
    let mut other = stored();
    other.account.email = "bob@clinic.example".into();
    let taken = StoredJoin { taken: true, ..stored() };
    let many = StoredJoin { count: IDENTITIES_MAX, ..stored() };
    for stored in [other, taken, many] {
        let refused = join_of(Some(waiting()), &stored);
        assert!(matches!(refused, Err(RequestError::Conflict(..))));
    }
}

#[test]
fn the_provider_of_a_practice_joins_only_accounts_of_the_practice() {
    let of = |practice| {
        let mut waiting = waiting();
        waiting.content.saml = Some((practice, PROVIDER));
        waiting
    };
    let change = join_of(Some(of(PRACTICE)), &stored()).unwrap();
    assert!(change.guards.contains(&has_provider(PRACTICE, PROVIDER)), "{:?}", change.guards);
    let elsewhere = PracticeId(Uuid::from_u128(9));
    let refused = join_of(Some(of(elsewhere)), &stored());
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
    let mut staff = stored();
    staff.account.practice_id = None;
    let refused = join_of(Some(of(PRACTICE)), &staff);
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
}
