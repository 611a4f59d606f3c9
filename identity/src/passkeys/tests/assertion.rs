use super::authenticator::{Authenticator, BACKED_UP, Browser, ELIGIBLE, Key, PRESENT, VERIFIED, decode, encode};
use super::*;
use crate::passkeys::{begin_assertion, check_assertion};
use overturn_core::identity::Refusal;
use overturn_core::identity::passkeys::{AssertedCredential, BeginAssertion, CheckAssertion};
use serde_json::{Value, json};

fn known(id: &[u8]) -> KnownCredential {
    KnownCredential { id: encode(id), transports: vec!["internal".to_owned()] }
}

pub(super) fn begin(named: bool) -> BegunCeremony {
    let allow = if named { vec![known(&[8; 16]), known(&[3; 24])] } else { Vec::new() };
    accepted(begin_assertion(&BeginAssertion { rp: rp(), allow }))
}

/// Checks a response against the passkey of [`authenticator`].
pub(super) fn check(begun: &BegunCeremony, named: bool, credential: Value) -> Verdict<AssertedCredential> {
    check_assertion(&CheckAssertion {
        rp: rp(),
        user_id: USER,
        state: begun.state.clone(),
        credential,
        stored: registered(rp(), &authenticator()),
        named,
    })
}

/// The reason why the response of this authenticator is refused in both kinds of ceremony.
#[track_caller]
fn refusal(authenticator: &Authenticator) -> String {
    let [one, other] = [false, true].map(|named| {
        let begun = begin(named);
        refused(check(&begun, named, authenticator.assert(&begun)))
    });
    assert_eq!(one, other);
    one
}

#[test]
fn the_options_are_what_browsers_read() {
    let mut options = begin(true).options;
    assert_eq!(decode(&options["challenge"].take()).len(), 16);
    let expected = json!({
        "challenge": null,
        "timeout": 300_000,
        "rpId": "overturn.example",
        "allowCredentials": [
            { "type": "public-key", "id": encode(&[8; 16]), "transports": ["internal"] },
            { "type": "public-key", "id": encode(&[3; 24]), "transports": ["internal"] },
        ],
        "userVerification": "required",
        "hints": [],
        "extensions": {},
    });
    assert_eq!(options, expected);
    let options = begin(false).options;
    assert_eq!(options["allowCredentials"], json!([]));
    assert_eq!(options["userVerification"], "required");
}

#[test]
fn an_assertion_gives_facts() {
    for named in [false, true] {
        let begun = begin(named);
        let facts = accepted(check(&begun, named, authenticator().assert(&begun)));
        let expected = AssertedCredential { sign_count: 7, backed_up: true };
        assert_eq!(facts, expected);
    }
}

#[test]
fn all_algorithms_verify() {
    for key in Key::others() {
        let authenticator = Authenticator { key, ..authenticator() };
        let stored = registered(rp(), &authenticator);
        let begun = begin(true);
        let asked = CheckAssertion {
            rp: rp(),
            user_id: USER,
            credential: authenticator.assert(&begun),
            state: begun.state,
            stored,
            named: true,
        };
        accepted(check_assertion(&asked));
        let other = registered(rp(), &super::authenticator());
        let verdict = check_assertion(&CheckAssertion { stored: other, ..asked });
        assert_eq!(refused(verdict), Refusal::SIGNATURE);
    }
}

#[test]
fn the_counter_is_not_judged_here() {
    for counter in [0, 1, 7, u32::MAX] {
        let other = Authenticator { counter, ..authenticator() };
        let begun = begin(true);
        let facts = accepted(check(&begun, true, other.assert(&begun)));
        assert_eq!(facts.sign_count, counter);
    }
}

#[test]
fn a_passkey_may_stop_being_synced_but_not_being_eligible() {
    let not_now = Authenticator { flags: PRESENT | VERIFIED | ELIGIBLE, ..authenticator() };
    let begun = begin(true);
    assert!(!accepted(check(&begun, true, not_now.assert(&begun))).backed_up);
    let bound = Authenticator { flags: PRESENT | VERIFIED, ..authenticator() };
    assert_eq!(refusal(&bound), Refusal::BACKUP);
    let impossible = Authenticator { flags: PRESENT | VERIFIED | BACKED_UP, ..authenticator() };
    assert_eq!(refusal(&impossible), Refusal::MALFORMED);
}

#[test]
fn a_bound_passkey_does_not_become_eligible() {
    let bound = Authenticator { flags: PRESENT | VERIFIED, ..authenticator() };
    let begun = begin(true);
    let verdict = check_assertion(&CheckAssertion {
        rp: rp(),
        user_id: USER,
        credential: authenticator().assert(&begun),
        state: begun.state,
        stored: registered(rp(), &bound),
        named: true,
    });
    assert_eq!(refused(verdict), Refusal::BACKUP);
}

#[test]
fn a_named_passkey_need_not_name_the_account() {
    let silent = Authenticator { user: None, ..authenticator() };
    let begun = begin(true);
    accepted(check(&begun, true, silent.assert(&begun)));
    let begun = begin(false);
    let verdict = check(&begun, false, silent.assert(&begun));
    assert_eq!(refused(verdict), Refusal::ACCOUNT);
}

#[test]
fn another_account_is_refused() {
    let other = Authenticator { user: Some(OTHER_USER.0.as_bytes().to_vec()), ..authenticator() };
    assert_eq!(refusal(&other), Refusal::ACCOUNT);
}

#[test]
fn other_origins_are_refused() {
    let from = |origin| Authenticator { browser: Browser { origin, ..authenticator().browser }, ..authenticator() };
    let begun = begin(false);
    let related = from("https://overturn.test").assert(&begun);
    accepted(check(&begun, false, related));
    for origin in ["https://overturn.example.evil.example", "http://overturn.example", "https://overturn.example:8443"]
    {
        assert_eq!(refusal(&from(origin)), Refusal::ORIGIN, "{origin}");
    }
}

#[test]
fn embedded_pages_are_refused() {
    let mut embedded = authenticator();
    embedded.browser.rest = r#","crossOrigin":true"#;
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
fn a_registration_is_not_an_assertion() {
    let mut other = authenticator();
    other.browser.kind = Some("webauthn.create");
    assert_eq!(refusal(&other), Refusal::MALFORMED);
}

#[test]
fn the_person_must_be_present_and_verified() {
    let mut other = authenticator();
    other.flags = PRESENT | ELIGIBLE;
    assert_eq!(refusal(&other), Refusal::NOT_VERIFIED);
    other.flags = VERIFIED | ELIGIBLE;
    assert_eq!(refusal(&other), Refusal::NOT_VERIFIED);
}

#[test]
fn another_passkey_is_refused() {
    let other = Authenticator { id: vec![8; 16], ..authenticator() };
    assert_eq!(refusal(&other), Refusal::CREDENTIAL);
    let unnamed = Authenticator { id: vec![4; 24], ..authenticator() };
    assert_eq!(refusal(&unnamed), Refusal::CREDENTIAL);
}

#[test]
fn a_signature_of_another_key_is_refused() {
    let other = Authenticator { key: Key::es256(4), ..authenticator() };
    assert_eq!(refusal(&other), Refusal::SIGNATURE);
}

#[test]
fn a_late_response_is_refused() {
    let begun = begin(false);
    let credential = authenticator().assert(&begun);
    let mut state = decode(&begun.state.into());
    // The end of the ceremony is the last value: 8 bytes of seconds and 4 of nanoseconds.
    let at = state.len() - 12;
    let seconds = u64::from_le_bytes(state[at..at + 8].try_into().unwrap());
    state[at..at + 8].copy_from_slice(&(seconds - 301).to_le_bytes());
    let late = BegunCeremony { options: Value::Null, state: encode(&state) };
    assert_eq!(refused(check(&late, false, credential)), Refusal::EXPIRED);
}

#[test]
fn a_state_of_another_kind_is_refused() {
    for named in [false, true] {
        let begun = begin(!named);
        let verdict = check(&begun, named, authenticator().assert(&begun));
        assert_eq!(refused(verdict), Refusal::STATE);
        let begun = begin_registration(rp(), Vec::new());
        let verdict = check(&begun, named, authenticator().assert(&begun));
        assert_eq!(refused(verdict), Refusal::STATE);
    }
}
