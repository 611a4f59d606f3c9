use super::*;
use crate::accounts::tests::with;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::sso::tests::account;
use crate::testing::decisions::person;
use uuid::Uuid;

fn ctx() -> Ctx {
    Ctx::new(Instant(1_800_000_000_000), [1; 32])
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
    let account = account();
    for (saml, known, said) in
        [(None, Some("Google"), "Google"), (Some("Clinic"), None, "Clinic"), (None, None, "google")]
    {
        let name = |_: &str| known.map(Into::into);
        let of = (&account, SessionState::verified(ctx().now));
        let change = with(&ctx(), |setting| removed(Some(identity(saml)), of, name, &person, setting)).unwrap();
        assert_eq!(change.answer.status, 204);
        let [After::SetSession(..), After::Mail(letter)] = &*change.after else {
            panic!("{:?}", change.after);
        };
        let LetterKind::IdentityChanged { provider, joined } = &letter.says else {
            panic!("{letter:?}");
        };
        assert_eq!((&**provider, *joined), (said, false));
    }
    let of = (&account, SessionState::verified(ctx().now));
    let none = with(&ctx(), |setting| removed(None, of, |_| None, &person, setting));
    assert!(matches!(none, Err(RequestError::NotFound(_))));
}

#[test]
fn a_list_names_the_providers() {
    let name = |id: &str| (id == "google").then(|| "Google".into());
    let view = super::view([identity(None), identity(Some("Clinic"))].into(), name);
    let names: Vec<_> = view.identities.iter().map(|view| view.provider_name.as_deref()).collect();
    assert_eq!(names, [Some("Google"), Some("Clinic")]);
}
