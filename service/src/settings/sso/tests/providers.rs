use super::*;
use crate::settings::sso::metadata::refused;
use crate::settings::sso::overview::view;
use crate::settings::sso::provider_bodies::{ProviderEditRequest, ProviderRequest, SecondFactorContext};
use crate::settings::sso::providers::{added, edit_to_read, edited, removed, to_read};
use crate::testing::decisions::{parse, said, takes_version};

fn problems(body: &str) -> Vec<String> {
    said(parse::<ProviderRequest>(body.as_bytes()).unwrap_err())
}

fn request(body: &str) -> ProviderRequest {
    parse(body.as_bytes()).unwrap()
}

#[test]
fn a_provider_has_metadata_or_is_of_the_installation_and_never_both() {
    assert_eq!(problems("{}"), ["name is required"]);
    assert_eq!(problems(r#"{"name":"Okta"}"#), ["metadata or provider is required"]);
    assert_eq!(
        problems(r#"{"name":"Okta","metadata":"<x/>","provider":"google"}"#),
        ["provider must not be given beside metadata"]
    );
    assert_eq!(problems(r#"{"metadata":"<x/>"}"#), ["name is required"]);
    assert_eq!(problems(r#"{"provider":"google","idp_initiated":true}"#), ["idp_initiated is for SAML providers only"]);
    assert!(parse::<ProviderRequest>(br#"{"provider":"google"}"#).is_ok());
}

#[test]
fn metadata_has_a_bound() {
    let body = |metadata: usize| format!(r#"{{"name":"a","metadata":"{}"}}"#, "x".repeat(metadata));
    assert!(parse::<ProviderRequest>(body(256 * 1024)).is_ok());
    assert_eq!(problems(&body(256 * 1024 + 1)), ["metadata must be at most 256 KiB"]);
}

#[test]
fn only_a_context_that_proves_two_factors_stands_for_a_second_factor() {
    let both = |context: &str| {
        let new = json!({ "provider": "google", "contexts": ["mfa", context] }).to_string();
        let edit = json!({ "contexts": [context] }).to_string();
        let edit = parse::<ProviderEditRequest>(edit.as_bytes()).map(drop);
        [parse::<ProviderRequest>(new.as_bytes()).map(drop), edit]
    };
    for context in [
        "mfa",
        "https://refeds.org/profile/mfa",
        "http://schemas.microsoft.com/claims/multipleauthn",
        "urn:okta:loa:2fa:any",
        "http://idmanagement.gov/ns/assurance/aal/2",
        "http://idmanagement.gov/ns/assurance/aal/3",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered",
    ] {
        assert_eq!(both(context), [Ok(()), Ok(())], "{context}");
    }
    let known = SecondFactorContext::ALL.map(SecondFactorContext::name).join(" ");
    for context in [
        "pwd",
        "PWD",
        "MFA",
        "otp",
        "sms",
        "hwk",
        "user",
        "wia",
        "0",
        "1",
        "2",
        "password",
        "urn:federation:authentication:windows",
        "http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/password",
        "http://idmanagement.gov/ns/assurance/aal/1",
        "urn:okta:loa:1fa:any",
        "urn:okta:loa:2fa:any:ifpossible",
        "urn:oasis:names:tc:SAML:1.0:am:password",
        "urn:oasis:names:tc:SAML:1.0:am:unspecified",
        "urn:oasis:names:tc:SAML:1.0:am:HardwareToken",
        "urn:ietf:rfc:1510",
        "urn:ietf:rfc:2246",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:Password",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:PreviousSession",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:TLSClient",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileOneFactorContract",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified",
        "urn:oasis:names:tc:saml:2.0:ac:classes:SmartcardPKI",
        "https://refeds.org/profile/sfa",
        "a\u{0}",
    ] {
        for refused in both(context) {
            let rule = format!("contexts must be out of {known}");
            assert_eq!(said(refused.unwrap_err()), [rule], "{context}");
        }
    }
}

#[test]
fn what_the_installation_does_not_serve_cannot_be_added() {
    let none = Installation { saml: false, oidc: Vec::new(), ..installation() };
    let (okta, google) = (request(r#"{"name":"Okta","metadata":"<x/>"}"#), request(r#"{"provider":"google"}"#));
    let empty = with(Vec::new());
    assert!(matches!(to_read(&okta, &empty, &none), Err(RequestError::Conflict(..))));
    assert_eq!(
        said(to_read(&google, &empty, &none).unwrap_err()),
        ["provider must be the id of an available provider"]
    );
    assert_eq!(to_read(&okta, &empty, &installation()), Ok(Some("<x/>")));
    assert_eq!(to_read(&google, &empty, &installation()), Ok(None));
}

#[test]
fn a_provider_is_trusted_once_and_a_practice_has_at_most_ten() {
    let again = request(r#"{"provider":"google"}"#);
    let denied = to_read(&again, &with(vec![google(1)]), &installation());
    assert!(matches!(denied, Err(RequestError::Conflict(..))));
    let okta = request(r#"{"name":"Okta","metadata":"<x/>"}"#);
    let stored = with(vec![saml(1)]);
    let denied = added(okta.clone(), Some(described(ENTITY)), (&stored, &installation()), &admin(), &ctx());
    assert!(matches!(denied, Err(RequestError::Conflict(..))));
    let other = Some(described("https://other.example"));
    let made = added(okta.clone(), other, (&stored, &installation()), &admin(), &ctx());
    assert_eq!(made.unwrap().answer.status, 201);
    let full = with((0..10).map(saml).collect());
    assert!(matches!(to_read(&okta, &full, &installation()), Err(RequestError::Conflict(..))));
}

#[test]
fn a_provider_of_the_installation_has_its_name_unless_another_is_given() {
    let made = |body: &str| {
        let stored = with(Vec::new());
        let change = added(request(body), None, (&stored, &installation()), &admin(), &ctx());
        change.unwrap().answer.body["name"].clone()
    };
    assert_eq!(made(r#"{"provider":"google"}"#), "Google");
    assert_eq!(made(r#"{"provider":"google","name":"Work"}"#), "Work");
}

#[test]
fn the_answer_has_the_addresses_that_people_and_the_provider_need() {
    let shown = serde_json::to_value(view(&with(vec![saml(5), google(6)]), &installation())).unwrap();
    let id = Uuid::from_u128(5);
    let start = format!("https://overturn.example/api/v1/auth/saml/{id}");
    let okta = &shown["providers"][0];
    assert_eq!(okta["sign_in_url"], start);
    assert_eq!(okta["acs_url"], start);
    assert_eq!(okta["metadata_url"], format!("{start}/metadata"));
    let of_google = &shown["providers"][1];
    let start = "https://overturn.example/api/v1/auth/oauth/google";
    assert_eq!(of_google["sign_in_url"], start);
    assert_eq!((&of_google["acs_url"], &of_google["metadata_url"]), (&Value::Null, &Value::Null));
    let gone = Installation { saml: false, oidc: Vec::new(), ..installation() };
    let shown = serde_json::to_value(view(&with(vec![saml(5), google(6)]), &gone)).unwrap();
    for provider in shown["providers"].as_array().unwrap() {
        assert_eq!(provider["sign_in_url"], Value::Null);
    }
}

#[test]
fn a_provider_is_edited_in_the_version_that_the_person_has_seen() {
    let stored = with(vec![saml(1)]);
    let id = SsoProviderId(Uuid::from_u128(1));
    let read = RecordVersion { record: EditedRecord::Provider(admin().practice_id.unwrap(), id), version: 3 };
    takes_version(read, |seen| {
        let asked = parse::<ProviderEditRequest>(br#"{"name":"Other"}"#).unwrap();
        let places = (&stored, &installation());
        edited((id, seen, asked), None, places, &admin(), &ctx())
    });
}

#[test]
fn fields_of_saml_are_refused_for_another_provider() {
    let stored = with(vec![google(1)]);
    let id = SsoProviderId(Uuid::from_u128(1));
    let asked = parse::<ProviderEditRequest>(br#"{"metadata":"<x/>","idp_initiated":true}"#).unwrap();
    assert_eq!(
        said(edit_to_read(&asked, (id, SEEN), &stored, &installation()).unwrap_err()),
        ["metadata is for SAML providers only", "idp_initiated is for SAML providers only"]
    );
    let unknown = SsoProviderId(Uuid::from_u128(2));
    assert!(matches!(edit_to_read(&asked, (unknown, SEEN), &stored, &installation()), Err(RequestError::NotFound(_))));
}

#[test]
fn the_last_provider_stays_while_single_sign_on_is_required() {
    let id = SsoProviderId(Uuid::from_u128(1));
    let required = |providers| SsoSettings { required: true, ..with(providers) };
    let decide = |stored: &SsoSettings| removed(id, (stored, &installation()), &admin(), &ctx());
    let gone = SettingsProvider { configured: Some("gone".into()), ..google(2) };
    assert!(matches!(decide(&required(vec![saml(1), gone])), Err(RequestError::Conflict(..))));
    assert!(matches!(decide(&required(vec![saml(1)])), Err(RequestError::Conflict(..))));
    assert!(decide(&required(vec![saml(1), google(2)])).is_ok());
    let no_domain = SsoSettings { domains: Vec::new(), ..required(vec![saml(1), google(2)]) };
    assert!(matches!(decide(&no_domain), Err(RequestError::Conflict(..))));
    assert!(decide(&with(vec![saml(1)])).is_ok());
    assert!(matches!(decide(&with(vec![google(2)])), Err(RequestError::NotFound(_))));
}

#[test]
fn a_refusal_of_metadata_says_what_is_wrong_in_fixed_words() {
    let text = |reason: &str| said(refused(reason)).remove(0);
    assert_eq!(text("no_redirect_endpoint"), "metadata has no sign-in address for the binding HTTP-Redirect");
    let unknown = "metadata must be the XML metadata of a SAML 2.0 identity provider";
    for reason in ["", "anything", "<x>"] {
        assert_eq!(text(reason), unknown);
    }
}

#[test]
fn owners_hear_of_each_provider_that_is_added_changed_or_removed() {
    let (admin, ctx, installation) = (admin(), ctx(), installation());
    let about = Some(admin.user_id.0);
    let none = with(Vec::new());
    let google = request(r#"{"provider":"google"}"#);
    let change = added(google, None, (&none, &installation), &admin, &ctx).unwrap();
    assert_eq!(notices(&change), [(NoticeKind::ProviderAdded, about)]);
    let stored = with(vec![saml(1)]);
    let id = SsoProviderId(Uuid::from_u128(1));
    let edited = |body: &str, described| {
        let asked = parse::<ProviderEditRequest>(body.as_bytes()).unwrap();
        let change = edited((id, SEEN, asked), described, (&stored, &installation), &admin, &ctx);
        notices(&change.unwrap())
    };
    let changed = [(NoticeKind::ProviderChanged, about)];
    assert_eq!(edited(r#"{"contexts":["mfa"]}"#, None), changed);
    let renewed = edited(r#"{"metadata":"<x/>"}"#, Some(described(ENTITY)));
    assert_eq!(renewed, changed);
    assert_eq!(edited(r#"{"name":"Okta"}"#, None), [], "nothing changes");
    let change = removed(id, (&stored, &installation), &admin, &ctx).unwrap();
    assert_eq!(notices(&change), [(NoticeKind::ProviderRemoved, about)]);
}
