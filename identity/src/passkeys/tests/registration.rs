use super::authenticator::{Authenticator, Browser, ELIGIBLE, PRESENT, VERIFIED, decode, encode};
use super::*;
use crate::passkeys::check_registration;
use overturn_core::identity::Refusal;
use serde_json::{Value, json};

pub(super) fn check(begun: &BegunCeremony, credential: Value) -> Verdict<NewCredential> {
    check_registration(&CheckRegistration { rp: rp(), user_id: USER, state: begun.state.clone(), credential })
}

/// The reason why the response of this authenticator is refused.
#[track_caller]
fn refusal(authenticator: &Authenticator) -> String {
    let begun = begin_registration(rp(), Vec::new());
    refused(check(&begun, authenticator.register(&begun)))
}

#[test]
fn the_options_are_what_browsers_read() {
    let known = KnownCredential { id: encode(&[5; 20]), transports: vec!["usb".to_owned(), "telepathy".to_owned()] };
    let mut options = begin_registration(rp(), vec![known]).options;
    let challenge = options["challenge"].take();
    assert_eq!(decode(&challenge).len(), 16);
    assert_eq!(
        options,
        json!({
            "rp": { "id": "overturn.example", "name": "overturn.example" },
            "user": {
                "id": encode(USER.0.as_bytes()),
                "name": "kim@practice.example",
                "displayName": "Kim Ångström",
            },
            "challenge": null,
            "pubKeyCredParams": [
                { "type": "public-key", "alg": -8 },
                { "type": "public-key", "alg": -7 },
                { "type": "public-key", "alg": -35 },
                { "type": "public-key", "alg": -257 },
            ],
            "timeout": 300_000,
            "excludeCredentials": [
                { "type": "public-key", "id": encode(&[5; 20]), "transports": ["usb"] },
            ],
            "authenticatorSelection": {
                "residentKey": "required",
                "requireResidentKey": true,
                "userVerification": "required",
            },
            "hints": [],
            "attestation": "none",
            "attestationFormats": ["none"],
            "extensions": {
                "credentialProtectionPolicy": "userVerificationRequired",
                "enforceCredentialProtectionPolicy": false,
            },
        })
    );
}

#[test]
fn challenges_differ() {
    let [one, other] = [(), ()].map(|()| begin_registration(rp(), Vec::new()));
    assert_ne!(one.options["challenge"], other.options["challenge"]);
}

#[test]
fn a_long_name_begins_too() {
    let begun = crate::passkeys::begin_registration(&BeginRegistration {
        rp: rp(),
        user_id: USER,
        name: format!("{}@practice.example", "k".repeat(240)),
        display_name: "\u{1F469}\u{200D}\u{2695}\u{FE0F}".to_owned(),
        exclude: Vec::new(),
    });
    assert_eq!(accepted(begun).options["user"]["displayName"], "👩‍⚕️");
}

#[test]
fn a_registration_gives_facts() {
    let new = registered(rp(), &authenticator());
    assert_eq!(new.id, encode(&[3; 24]));
    assert_eq!((new.sign_count, new.backup_eligible, new.backed_up), (7, true, true));
    assert_eq!(new.transports, ["hybrid", "internal"]);
    let bound = Authenticator { flags: PRESENT | VERIFIED, ..authenticator() };
    let new = registered(rp(), &bound);
    assert_eq!((new.backup_eligible, new.backed_up), (false, false));
    let not_yet = Authenticator { flags: PRESENT | VERIFIED | ELIGIBLE, ..authenticator() };
    let new = registered(rp(), &not_yet);
    assert_eq!((new.backup_eligible, new.backed_up), (true, false));
}

#[test]
fn localhost_may_be_plain_http() {
    let mut local = authenticator();
    local.rp_id = "localhost";
    local.browser.origin = "http://localhost:8787";
    registered(local_rp(), &local);
    local.browser.origin = "http://localhost:8788";
    let begun = begin_registration(local_rp(), Vec::new());
    let verdict = check_registration(&CheckRegistration {
        rp: local_rp(),
        user_id: USER,
        credential: local.register(&begun),
        state: begun.state,
    });
    assert_eq!(refused(verdict), Refusal::ORIGIN);
}

#[test]
fn related_origins_are_accepted_and_others_are_not() {
    let from = |origin| Authenticator { browser: Browser { origin, ..authenticator().browser }, ..authenticator() };
    registered(rp(), &from("https://overturn.test"));
    for origin in [
        "https://overturn.example.evil.example",
        "http://overturn.example",
        "https://overturn.example:8443",
        "https://sub.overturn.example",
        "https://overturn.example/",
        "null",
    ] {
        assert_eq!(refusal(&from(origin)), Refusal::ORIGIN, "{origin}");
    }
}

#[test]
fn without_origins_nothing_begins_or_ends() {
    let none = RelyingParty { origins: Vec::new(), ..rp() };
    let begun = begin_registration(rp(), Vec::new());
    let verdict = check_registration(&CheckRegistration {
        rp: none,
        user_id: USER,
        credential: authenticator().register(&begun),
        state: begun.state,
    });
    assert_eq!(refused(verdict), Refusal::CONFIGURATION);
}

#[test]
fn embedded_pages_are_refused() {
    let mut embedded = authenticator();
    embedded.browser.rest = r#","crossOrigin":true"#;
    assert_eq!(refusal(&embedded), Refusal::ORIGIN);
    embedded.browser.rest = r#","crossOrigin":true,"topOrigin":"https://evil.example""#;
    assert_eq!(refusal(&embedded), Refusal::ORIGIN);
}

#[test]
fn another_relying_party_is_refused() {
    let mut other = authenticator();
    other.rp_id = "evil.example";
    assert_eq!(refusal(&other), Refusal::RELYING_PARTY);
}

#[test]
fn another_challenge_is_refused() {
    let mut other = authenticator();
    other.browser.challenge = Some(encode(&[1; 16]));
    assert_eq!(refusal(&other), Refusal::CHALLENGE);
}

#[test]
fn an_assertion_is_not_a_registration() {
    let mut other = authenticator();
    other.browser.kind = Some("webauthn.get");
    assert_eq!(refusal(&other), Refusal::MALFORMED);
}

#[test]
fn the_person_must_be_present_and_verified() {
    for flags in [PRESENT, VERIFIED] {
        let other = Authenticator { flags, ..authenticator() };
        assert_eq!(refusal(&other), Refusal::NOT_VERIFIED, "{flags}");
    }
}

#[test]
fn an_algorithm_that_was_not_asked_for_is_refused() {
    // ES512, ES256K and RS256 on a P-256 key.
    for algorithm in [&[0x38, 0x23][..], &[0x38, 0x2e], &[0x39, 0x01, 0x00]] {
        let other = Authenticator { algorithm, ..authenticator() };
        assert_eq!(refusal(&other), Refusal::MALFORMED);
    }
    // Byte 17 of the state holds the set of algorithms. This ceremony asked for all but ES256.
    let begun = begin_registration(rp(), Vec::new());
    let credential = authenticator().register(&begun);
    let mut state = decode(&begun.state.clone().into());
    let asked = state[17];
    let without = (0..8).map(|bit| asked & !(1 << bit)).filter(|set| *set != asked).filter(|set| {
        state[17] = *set;
        let begun = BegunCeremony { options: Value::Null, state: encode(&state) };
        let verdict = check(&begun, credential.clone());
        matches!(verdict, Verdict::Refused(r) if r.reason == Refusal::ALGORITHM)
    });
    assert_eq!(without.count(), 1);
}

#[test]
fn a_late_response_is_refused() {
    let begun = begin_registration(rp(), Vec::new());
    let credential = authenticator().register(&begun);
    let mut state = decode(&begun.state.into());
    // The end of the ceremony stands before the 16 bytes of the account: 8 bytes of seconds and 4 of nanoseconds.
    let at = state.len() - 16 - 12;
    let seconds = u64::from_le_bytes(state[at..at + 8].try_into().unwrap());
    state[at..at + 8].copy_from_slice(&(seconds - 301).to_le_bytes());
    let late = BegunCeremony { options: Value::Null, state: encode(&state) };
    assert_eq!(refused(check(&late, credential.clone())), Refusal::EXPIRED);
    state[at..at + 8].copy_from_slice(&(seconds - 290).to_le_bytes());
    let in_time = BegunCeremony { options: Value::Null, state: encode(&state) };
    accepted(check(&in_time, credential));
}

#[test]
fn a_ceremony_of_another_account_is_refused() {
    let begun = begin_registration(rp(), Vec::new());
    let verdict = check_registration(&CheckRegistration {
        rp: rp(),
        user_id: OTHER_USER,
        credential: authenticator().register(&begun),
        state: begun.state,
    });
    assert_eq!(refused(verdict), Refusal::STATE);
}
