//! Responses that no browser sends.

use super::authenticator::{decode, encode};
use super::*;
use overturn_core::identity::Refusal;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The response with each of its members replaced by other values, or removed.
fn altered(credential: &Value) -> Vec<Value> {
    let inner = credential["response"].as_object().unwrap().keys();
    let outer = credential.as_object().unwrap().keys();
    let paths: Vec<(Option<&str>, &String)> =
        inner.map(|key| (Some("response"), key)).chain(outer.map(|key| (None, key))).collect();
    let values = [
        None,
        Some(Value::Null),
        Some(json!(1)),
        Some(json!("")),
        Some(json!("a secret")),
        Some(json!(["a secret"])),
        Some(json!({ "a secret": null })),
    ];
    let alter = |(at, key): &(Option<&str>, &String), value: &Option<Value>| {
        let mut altered = credential.clone();
        let parent = match at {
            Some(at) => &mut altered[*at],
            None => &mut altered,
        };
        match value {
            Some(value) => parent[key.as_str()] = value.clone(),
            None => drop(parent.as_object_mut().unwrap().remove(*key)),
        }
        altered
    };
    let each = paths.iter().flat_map(|path| values.iter().map(move |value| alter(path, value)));
    each.collect()
}

#[test]
fn a_nonsensical_registration_is_refused() {
    let begun = begin_registration(rp(), Vec::new());
    let mut other_id = authenticator().register(&begun);
    other_id["id"] = encode(b"a secret id of a passkey").into();
    let mut no_object = authenticator().register(&begun);
    no_object["response"]["attestationObject"] = encode(b"a secret").into();
    for credential in [Value::Null, json!("a secret"), json!({}), other_id, no_object] {
        match registration::check(&begun, credential) {
            Verdict::Refused(refusal) => {
                assert_eq!(refusal.reason, Refusal::MALFORMED);
                assert!(!refusal.detail.contains("secret"), "{}", refusal.detail);
            }
            Verdict::Accepted(_) => panic!("accepted"),
        }
    }
    for nonsense in altered(&authenticator().register(&begun)) {
        if let Verdict::Refused(refusal) = registration::check(&begun, nonsense) {
            assert!(!refusal.detail.contains("secret"), "{}", refusal.detail);
        }
    }
    for state in ["", "=", "AAAA", &encode(&[0; 60])] {
        let begun = BegunCeremony { state: state.to_owned(), ..begun.clone() };
        assert_eq!(refused(registration::check(&begun, authenticator().register(&begun))), Refusal::STATE);
    }
}

#[test]
fn a_nonsensical_assertion_is_refused() {
    for named in [false, true] {
        let begun = assertion::begin(named);
        let good = authenticator().assert(&begun);
        for nonsense in altered(&good) {
            if let Verdict::Refused(refusal) = assertion::check(&begun, named, nonsense) {
                assert!(!refusal.detail.contains("secret"), "{}", refusal.detail);
            }
        }
        for field in ["clientDataJSON", "authenticatorData", "signature"] {
            for nonsense in [Value::Null, json!("a secret"), json!(encode(b"a secret"))] {
                let mut bad = good.clone();
                bad["response"][field] = nonsense;
                refused(assertion::check(&begun, named, bad));
            }
        }
    }
}

proptest! {
    /// Nothing signs a registration without attestation. A changed bit is refused, or it changes only what the service does not
    /// judge: the AAGUID, the counter, whether the passkey is synced, or an optional member of the client data.
    #[test]
    fn a_changed_bit_never_changes_what_is_judged(
        field in prop::sample::select(vec!["clientDataJSON", "attestationObject"]),
        at in any::<prop::sample::Index>(),
        bit in 0..8_u8,
    ) {
        let begun = begin_registration(rp(), Vec::new());
        let mut credential = authenticator().register(&begun);
        let original = accepted(registration::check(&begun, credential.clone()));
        let mut bytes = decode(&credential["response"][field]);
        let index = at.index(bytes.len());
        bytes[index] ^= 1 << bit;
        credential["response"][field] = encode(&bytes).into();
        if let Verdict::Accepted(new) = registration::check(&begun, credential) {
            prop_assert_eq!((new.id, new.public_key), (original.id, original.public_key));
            if field == "clientDataJSON" {
                let end = bytes.windows(13).position(|part| part.ends_with(b"crossOrigin")).unwrap_or(index);
                prop_assert!(index >= end, "{}", index);
            } else {
                // The header of the object has 30 bytes and the hash of the RP id 32. Flags, counter and AAGUID follow.
                prop_assert!((62..83).contains(&index), "{}", index);
            }
        }
    }

    #[test]
    fn a_changed_bit_of_an_assertion_is_refused(
        field in prop::sample::select(vec!["clientDataJSON", "authenticatorData", "signature", "userHandle"]),
        at in any::<prop::sample::Index>(),
        bit in 0..8_u8,
        named in any::<bool>(),
    ) {
        let begun = assertion::begin(named);
        let mut credential = authenticator().assert(&begun);
        let mut bytes = decode(&credential["response"][field]);
        let index = at.index(bytes.len());
        bytes[index] ^= 1 << bit;
        credential["response"][field] = encode(&bytes).into();
        prop_assert!(matches!(assertion::check(&begun, named, credential), Verdict::Refused(_)));
    }
}
