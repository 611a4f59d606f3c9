use super::*;
use crate::settings::sso::ending::{EndingProvider, next_warning, warned};
use crate::settings::sso::required::required;
use crate::testing::decisions::{parse, takes_version};

/// A practice of which a person has signed in by single sign-on.
fn proven(providers: Vec<SettingsProvider>) -> SsoSettings {
    SsoSettings { in_use: true, ..with(providers) }
}

fn decide(on: bool, stored: &SsoSettings, person: &Person) -> Result<Change, RequestError> {
    let body = json!({ "required": on }).to_string();
    let asked = parse(body.as_bytes()).unwrap();
    required((asked, SEEN), (stored, &installation()), person, &ctx())
}

#[test]
fn single_sign_on_is_required_only_with_a_provider_that_works_here() {
    let owner = person(Role::Owner, Action::ManageSso);
    let none = decide(true, &with(Vec::new()), &owner);
    assert!(matches!(none, Err(RequestError::Conflict(..))));
    let gone = SettingsProvider { configured: Some("gone".into()), ..google(1) };
    let none = decide(true, &with(vec![gone]), &owner);
    assert!(matches!(none, Err(RequestError::Conflict(..))));
    let no_domain = SsoSettings { domains: Vec::new(), ..proven(vec![google(1)]) };
    assert!(matches!(decide(true, &no_domain, &owner), Err(RequestError::Conflict(..))));
    let change = decide(true, &proven(vec![google(1)]), &owner).unwrap();
    assert_eq!(change.answer.body["required"], true);
    let about = Some(owner.user_id.0);
    assert_eq!(notices(&change), [(NoticeKind::SsoRequired, about)]);
}

#[test]
fn an_admin_turns_it_on_only_from_a_session_that_stays_allowed() {
    let stored = with(vec![saml(1)]);
    let locked_out = decide(true, &stored, &admin());
    assert!(matches!(locked_out, Err(RequestError::Conflict(..))));
    let sso = Person { sso: true, ..admin() };
    assert!(decide(true, &stored, &sso).is_ok());
}

#[test]
fn an_owner_turns_it_on_only_after_a_single_sign_on_has_worked() {
    let owner = person(Role::Owner, Action::ManageSso);
    let untried = decide(true, &with(vec![saml(1)]), &owner);
    assert!(matches!(untried, Err(RequestError::Conflict(..))));
    assert!(decide(true, &proven(vec![saml(1)]), &owner).is_ok());
    let sso = Person { sso: true, ..owner };
    assert!(decide(true, &with(vec![saml(1)]), &sso).is_ok());
    let on = SsoSettings { required: true, ..with(vec![saml(1)]) };
    assert!(decide(false, &on, &owner).is_ok());
}

#[test]
fn the_owners_hear_once_of_each_change() {
    let on = SsoSettings { required: true, ..with(vec![saml(1)]) };
    let owner = person(Role::Owner, Action::ManageSso);
    assert!(decide(true, &on, &owner).unwrap().writes.is_empty());
    let off = decide(false, &on, &owner).unwrap();
    let about = Some(owner.user_id.0);
    assert_eq!(notices(&off), [(NoticeKind::SsoOptional, about)]);
    assert_eq!(detail(&off), json!({ "required": false }));
}

#[test]
fn a_practice_is_warned_30_days_and_7_days_before_and_then_no_more() {
    let end = NOW.plus(30 * DAY_MS);
    let again = next_warning(end, NOW);
    assert_eq!(again, Some(NOW.plus(23 * DAY_MS)));
    assert_eq!(next_warning(end, again.unwrap()), None);
    assert_eq!(next_warning(end, end.plus(DAY_MS)), None);
    let ending = EndingProvider {
        practice_id: PracticeId(Uuid::from_u128(1)),
        id: SsoProviderId(Uuid::from_u128(5)),
        ends_at: end,
        since: NOW,
    };
    let change = warned(ending, &ctx());
    let about = Some(Uuid::from_u128(5));
    assert_eq!(notices(&change), [(NoticeKind::ProviderEnding, about)]);
}

#[test]
fn single_sign_on_is_required_in_the_version_that_the_person_has_seen() {
    let stored = proven(vec![google(1)]);
    let owner = person(Role::Owner, Action::ManageSso);
    let read = RecordVersion { record: EditedRecord::Practice(owner.practice_id.unwrap()), version: 3 };
    takes_version(read, |seen| {
        let asked = parse(br#"{"required":true}"#).unwrap();
        required((asked, seen), (&stored, &installation()), &owner, &ctx())
    });
}
