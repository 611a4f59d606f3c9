use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::id::PracticeId;
use crate::plan::accounts::SpentProof;
use crate::plan::{AccountsGuard, AccountsWrite};
use crate::testing::{parse, person, test};
use alloc::format;
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
    let person = person(Role::Member, Action::ManageIdentities);
    StoredJoin {
        account: Account {
            user_id: person.user_id,
            practice_id: person.practice_id,
            practice_name: Some("Cedar Hill".into()),
            role: person.role,
            epoch: 4,
            name: "Ann".into(),
            email: "ann@Clinic.example".into(),
            password_hash: None,
            enrolled: true,
            practice: None,
        },
        count: 0,
        taken: false,
        spent: false,
    }
}

fn ctx() -> Ctx {
    Ctx::new(Instant(1_800_000_000_000), [1; 32])
}

fn seen(id: &str) -> SeenIdentity {
    parse(format!(r#"{{"id":"{id}"}}"#).as_bytes()).unwrap()
}

fn joins(waiting: Option<OpenedCeremony<WaitingIdentity>>, stored: &StoredJoin) -> Result<Change, RequestError> {
    let person = person(Role::Member, Action::ManageIdentities);
    join((&seen("h"), waiting), Some(stored), &person, &ctx())
}

#[test]
fn a_waiting_identity_is_joined_once_and_the_person_is_told() {
    let change = joins(Some(waiting()), &stored()).unwrap();
    assert_eq!(change.answer.status, 201);
    let guards = format!("{:?}", change.guards);
    assert!(guards.contains("IdentityFree") && guards.contains("ProofUnspent"), "{guards}");
    let spends = |write: &Write<'_>| matches!(write, Write::Accounts(AccountsWrite::ProofSpent(_)));
    assert!(change.writes.iter().any(spends));
    let joined = change.writes.iter().find_map(|write| match write {
        Write::Sso(SsoWrite::NewIdentity(new)) => Some(new.clone()),
        _ => None,
    });
    let joined = joined.unwrap();
    assert_eq!((&*joined.provider, &*joined.subject), ("google", "1234"));
    let [After::Mail(letter)] = &*change.after else {
        panic!("{:?}", change.after);
    };
    assert_eq!(letter.to.key(), "ann@clinic.example");
    assert!(matches!(letter.says, LetterKind::IdentityChanged { joined: true, .. }));
    let proof = Guard::Accounts(AccountsGuard::ProofUnspent("h".into()));
    assert!(guards.contains(&format!("{proof:?}")));
}

/// Another tab may have replaced the identity that the person was shown.
#[test]
fn an_identity_that_the_person_was_not_shown_is_not_joined() {
    let person = person(Role::Member, Action::ManageIdentities);
    let shown = super::waiting(Some(waiting()), Some(&stored())).unwrap();
    let join = |id: &str| {
        let seen = seen(id);
        super::join((&seen, Some(waiting())), Some(&stored()), &person, &ctx()).map(drop)
    };
    assert_eq!(join(&shown.id), Ok(()));
    for other in ["g", "H", "hh"] {
        let refused = join(other).unwrap_err();
        assert!(matches!(refused, RequestError::Conflict(Reason::VersionConflict, _)), "{other}");
    }
}

/// The batch compares again: the account may have changed since it was read.
#[test]
fn the_batch_compares_the_address_and_counts_the_identities() {
    let change = joins(Some(waiting()), &stored()).unwrap();
    let guard = Guard::Sso(SsoGuard::Joinable {
        user: stored().account.user_id,
        email_key: "ann@clinic.example".into(),
        bound: IDENTITIES_MAX,
    });
    assert!(change.guards.contains(&guard), "{:?}", change.guards);
}

#[test]
fn only_the_person_with_the_address_joins_it() {
    assert!(matches!(joins(None, &stored()), Err(RequestError::NotFound(_))));
    let spent = StoredJoin { spent: true, ..stored() };
    let refused = joins(Some(waiting()), &spent);
    assert!(matches!(refused, Err(RequestError::NotFound(_))));
    let mut other = stored();
    other.account.email = "bob@clinic.example".into();
    let taken = StoredJoin { taken: true, ..stored() };
    let many = StoredJoin { count: IDENTITIES_MAX, ..stored() };
    for stored in [other, taken, many] {
        let refused = joins(Some(waiting()), &stored);
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
    let change = joins(Some(of(PRACTICE)), &stored()).unwrap();
    assert!(format!("{:?}", change.guards).contains("Provider {"));
    let elsewhere = PracticeId(Uuid::from_u128(9));
    let refused = joins(Some(of(elsewhere)), &stored());
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
    let mut staff = stored();
    staff.account.practice_id = None;
    let refused = joins(Some(of(PRACTICE)), &staff);
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
}

fn identity(saml_name: Option<&str>) -> StoredIdentity {
    StoredIdentity {
        id: IdentityId(Uuid::from_u128(5)),
        provider: "google".into(),
        saml_name: saml_name.map(Into::into),
        email: "ann@clinic.example".into(),
        created_at: Instant(1),
        last_used_at: None,
    }
}

#[test]
fn an_identity_is_removed_with_a_notice_even_if_its_provider_is_gone() {
    let person = person(Role::Member, Action::ManageIdentities);
    let account = stored().account;
    for (saml, known, said) in
        [(None, Some("Google"), "Google"), (Some("Clinic"), None, "Clinic"), (None, None, "google")]
    {
        let name = |_: &str| known.map(Into::into);
        let change = remove(Some(identity(saml)), Some(&account), name, &person, &ctx());
        let change = change.unwrap();
        assert_eq!(change.answer.status, 204);
        let [After::Mail(letter)] = &*change.after else {
            panic!("{:?}", change.after);
        };
        let LetterKind::IdentityChanged { provider, joined } = &letter.says else {
            panic!("{letter:?}");
        };
        assert_eq!((&**provider, *joined), (said, false));
    }
    let none = remove(None, Some(&account), |_| None, &person, &ctx());
    assert!(matches!(none, Err(RequestError::NotFound(_))));
}

#[test]
fn a_list_names_the_providers() {
    let name = |id: &str| (id == "google").then(|| "Google".into());
    let view = list([identity(None), identity(Some("Clinic"))].into(), name);
    let names: Vec<_> = view.identities.iter().map(|view| view.provider_name.as_deref()).collect();
    assert_eq!(names, [Some("Google"), Some("Clinic")]);
}

#[test]
fn the_waiting_identity_is_shown_under_the_rules_for_joining_it() {
    let shown = super::waiting(Some(waiting()), Some(&stored())).unwrap();
    assert_eq!(
        serde_json::to_value(&shown).unwrap(),
        json!({ "id": "h", "provider": "google", "provider_name": "Google", "email": "Ann@clinic.example" })
    );
    let none = super::waiting(None, Some(&stored()));
    assert!(matches!(none, Err(RequestError::NotFound(_))));
    let taken = StoredJoin { taken: true, ..stored() };
    let refused = super::waiting(Some(waiting()), Some(&taken));
    assert!(matches!(refused, Err(RequestError::Conflict(..))));
}
