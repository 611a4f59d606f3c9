use super::*;
use crate::accounts::passkeys::ceremony::unspent;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::cookies::ceremony::SpentProof;
use crate::plan::change::LetterKind;
use crate::sso::tests::account;
use crate::testing::decisions::{parse, person, written};
use overturn_core::base::id::SsoProviderId;
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

fn checked_by(practice_id: PracticeId) -> PracticeProvider {
    PracticeProvider { practice_id, id: PROVIDER, version: 3 }
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
fn a_waiting_identity_is_joined_once_and_the_person_is_told() {
    let change = join_of(Some(waiting()), &stored()).unwrap();
    assert_eq!(change.answer.status, 201);
    assert!(change.guards.contains(&unspent(&waiting().spent)));
    assert_eq!(written(&change.writes, "INSERT INTO spent_proofs").len(), 1);
    let [After::Mail(letter)] = &*change.after else {
        panic!("{:?}", change.after);
    };
    assert_eq!(letter.to.key(), "ann@clinic.example");
    assert!(matches!(letter.says, LetterKind::IdentityChanged { joined: true, .. }));
}

/// Another tab may have replaced the identity that the person was shown.
#[test]
fn an_identity_that_the_person_was_not_shown_is_not_joined() {
    let person = person(Role::Member, Action::ManageIdentities);
    let shown = view(Some(waiting()), Some(&stored())).unwrap();
    let join = |id: &str| {
        let seen = seen(id);
        super::joins((&seen, Some(waiting())), Some(&stored()), &person, &ctx()).map(drop)
    };
    assert_eq!(join(&shown.id), Ok(()));
    for other in ["g", "H", "hh"] {
        let refused = join(other).unwrap_err();
        assert!(matches!(refused, RequestError::Conflict(Reason::VersionConflict, _)), "{other}");
    }
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
        waiting.content.saml = Some(checked_by(practice));
        waiting
    };
    let change = join_of(Some(of(PRACTICE)), &stored()).unwrap();
    assert!(change.guards.contains(&checked_by(PRACTICE).is_unchanged()), "{:?}", change.guards);
    let elsewhere = PracticeId(Uuid::from_u128(9));
    let refused = join_of(Some(of(elsewhere)), &stored());
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
    let mut staff = stored();
    staff.account.practice_id = None;
    let refused = join_of(Some(of(PRACTICE)), &staff);
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
}
