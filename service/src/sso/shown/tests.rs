use super::*;
use uuid::Uuid;

#[test]
fn only_a_context_that_the_practice_trusts_and_that_proves_two_factors_replaces_one() {
    let trusted = TrustedProvider {
        id: SsoProviderId(Uuid::from_u128(4)),
        version: 1,
        contexts: [SecondFactorContext::Mfa, SecondFactorContext::Refeds].into(),
    };
    for (shown, expected) in [
        (&["mfa"][..], true),
        (&["pwd", "mfa"], true),
        (&["https://refeds.org/profile/mfa"], true),
        (&[], false),
        (&["MFA"], false),
        (&[" mfa"], false),
        (&["pwd"], false),
        (&["urn:okta:loa:2fa:any"], false),
        (&["urn:oasis:names:tc:SAML:1.0:am:password"], false),
        (&["urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"], false),
    ] {
        let contexts: Vec<String> = shown.iter().map(|one| (*one).into()).collect();
        assert_eq!(trusted.replaces_factor(&contexts), expected, "{shown:?}");
    }
    // What is stored names known contexts only. A row with another one cannot be read.
    let row = r#"{"id":"00000000-0000-0000-0000-000000000004","version":1,"contexts":["pwd"]}"#;
    assert!(serde_json::from_str::<TrustedProvider>(row).is_err());
}
