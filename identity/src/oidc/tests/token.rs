use super::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn a_right_token_gives_facts() {
    let expected = OidcClaims {
        subject: "kim-at-the-provider".to_owned(),
        email: Some("kim@practice.example".to_owned()),
        email_verified: true,
        owns_domain: false,
        name: Some("Kim Ångström".to_owned()),
        contexts: vec!["pwd".to_owned(), "mfa".to_owned(), "urn:example:strong".to_owned()],
        authenticated_at: None,
        // Ten minutes after it was made, which is before it ends.
        expires_at: Instant((NOW - 5 + 600) * 1000),
    };
    assert_eq!(accepted(check(&Token::new())), expected);
    let short = accepted(check(&Token::new().claim("exp", NOW + 30)));
    assert_eq!(short.expires_at, Instant((NOW + 30 + 60) * 1000));
}

#[test]
fn claims_may_be_missing() {
    let names = ["email", "email_verified", "name", "amr", "acr"];
    let bare = names.into_iter().fold(Token::new(), Token::without);
    let facts = accepted(check(&bare));
    assert_eq!((facts.email, facts.name), (None, None));
    assert!(!facts.email_verified && facts.contexts.is_empty());
    let blank = Token::new().claim("email", "").claim("name", " ");
    let facts = accepted(check(&blank));
    assert_eq!((facts.email, facts.name), (None, None));
}

#[test]
fn unusual_claims_of_real_providers_are_read() {
    let token = Token::new()
        .claim("updated_at", "2027-01-15T07:00:00.000Z")
        .claim("aud", json!(["overturn-client"]))
        .claim("azp", "overturn-client")
        .claim("nbf", NOW - 300)
        .claim("at_hash", "MTIzNDU2Nzg5MDEyMzQ1Ng")
        .claim("address", json!({ "region": "IL" }))
        .claim("https://provider.example/groups", json!([1, { "a": null }]));
    accepted(check(&token));
}

#[test]
fn only_true_verifies_an_address() {
    for value in [json!(false), json!("true"), json!("false"), Value::Null] {
        let token = Token::new().claim("email_verified", value);
        assert!(!accepted(check(&token)).email_verified);
    }
}

#[test]
fn microsoft_verifies_an_address_in_several_ways() {
    let key = Key::rsa("one", 0);
    let verified = |value: Value| {
        let token = Token::new().claim("xms_edov", value);
        let mut asked = asked(key.set(), token.signed(&key));
        asked.client.verified_claim = "xms_edov".to_owned();
        accepted(crate::oidc::check(&asked)).email_verified
    };
    for value in [json!(true), json!("true"), json!(1), json!("1")] {
        assert!(verified(value.clone()), "{value}");
    }
    for value in [json!(false), json!("false"), json!(0), json!("0"), json!(2), json!([1]), Value::Null] {
        assert!(!verified(value.clone()), "{value}");
    }
}

#[test]
fn time_has_a_minute_of_skew() {
    for (claim, at) in [("exp", NOW - 59), ("iat", NOW + 60), ("iat", NOW - 600), ("nbf", NOW + 60)] {
        accepted(check(&Token::new().claim(claim, at)));
    }
    for (claim, at, reason) in [
        ("exp", NOW - 60, Refusal::EXPIRED),
        ("exp", NOW - 86_400, Refusal::EXPIRED),
        ("iat", NOW - 601, Refusal::EXPIRED),
        ("iat", NOW + 61, Refusal::NOT_YET),
        ("nbf", NOW + 61, Refusal::NOT_YET),
    ] {
        assert_eq!(refused(check(&Token::new().claim(claim, at))), reason, "{claim} {at}");
    }
    for at in [json!("soon"), json!("2027-01-15T08:30:00Z"), Value::Null, json!(1e300)] {
        for claim in ["exp", "iat"] {
            let reason = refused(check(&Token::new().claim(claim, at.clone())));
            assert_eq!(reason, Refusal::MALFORMED, "{claim} {at}");
        }
        let reason = refused(check(&Token::new().claim("nbf", at)));
        assert_eq!(reason, Refusal::NOT_YET);
    }
    for claim in ["exp", "iat"] {
        assert_eq!(refused(check(&Token::new().without(claim))), Refusal::MALFORMED);
    }
}

#[test]
fn all_listed_algorithms_verify() {
    for algorithm in ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] {
        verifies(algorithm, &Key::rsa("one", 0).without("alg"));
        verifies(algorithm, &Key::rsa("one", 0).with("alg", json!(algorithm)));
    }
    verifies("ES256", &Key::p256("one"));
    verifies("ES384", &Key::p384("one"));
    verifies("EdDSA", &Key::ed25519("one"));
}

#[track_caller]
fn verifies(algorithm: &str, key: &Key) {
    let token = Token::new().header("alg", algorithm).signed(key);
    let mut asked = asked(key.set(), token);
    asked.client = client_with(&[algorithm]);
    accepted(crate::oidc::check(&asked));
    asked.client = client_with(&["RS256"]);
    if algorithm != "RS256" {
        assert_eq!(refused(crate::oidc::check(&asked)), Refusal::ALGORITHM);
    }
}

#[test]
fn keys_rotate() {
    let (old, new) = (Key::rsa("old", 0), Key::rsa("new", 1));
    let both = provider::set(&[&old, &new]);
    for (key, kid) in [(&old, "old"), (&new, "new")] {
        let token = Token::new().header("kid", kid).signed(key);
        accepted(super::super::check(&asked(both.clone(), token.clone())));
        let other = if kid == "old" { &new } else { &old };
        let verdict = super::super::check(&asked(other.set(), token));
        assert_eq!(refused(verdict), Refusal::UNKNOWN_KEY);
    }
}

#[test]
fn a_token_without_key_id_needs_a_single_key() {
    let (old, new) = (Key::rsa("old", 0), Key::rsa("new", 1));
    let token = Token::new().without("kid").signed(&old);
    accepted(super::super::check(&asked(old.set(), token.clone())));
    accepted(super::super::check(&asked(provider::set(&[&old, &Key::p256("other")]), token.clone())));
    let verdict = super::super::check(&asked(new.set(), token.clone()));
    assert_eq!(refused(verdict), Refusal::UNKNOWN_KEY);
    let verdict = super::super::check(&asked(json!({ "keys": [] }), token.clone()));
    assert_eq!(refused(verdict), Refusal::UNKNOWN_KEY);
    let verdict = super::super::check(&asked(provider::set(&[&old, &new]), token));
    assert_eq!(refused(verdict), Refusal::KEY);
}

#[test]
fn keys_of_kinds_to_come_do_no_harm() {
    let key = Key::rsa("one", 0);
    let mut set = key.set();
    let keys = set["keys"].as_array_mut().unwrap();
    keys.insert(0, json!({ "kty": "AKP", "kid": "new", "alg": "ML-DSA-65", "pub": "AA" }));
    keys.insert(0, json!("not a key"));
    accepted(super::super::check(&asked(set, Token::new().signed(&key))));
    for nonsense in [Value::Null, json!({}), json!({ "keys": "none" }), json!([])] {
        let verdict = super::super::check(&asked(nonsense, Token::new().signed(&key)));
        assert_eq!(refused(verdict), Refusal::PROVIDER);
    }
}

proptest! {
    #[test]
    fn a_changed_byte_is_refused(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let key = Key::rsa("one", 0);
        let token = Token::new().signed(&key);
        let mut bytes = token.clone().into_bytes();
        let index = at.index(bytes.len());
        prop_assume!(bytes[index] != byte);
        bytes[index] = byte;
        if let Ok(changed) = String::from_utf8(bytes) {
            let verdict = crate::oidc::check(&asked(key.set(), changed));
            prop_assert!(matches!(verdict, Verdict::Refused(_)));
        }
    }
}

#[test]
fn the_owner_of_a_domain_is_named_by_a_claim() {
    let key = Key::rsa("one", 0);
    let owns = |claim: Option<&str>, token: Token| {
        let mut asked = asked(key.set(), token.signed(&key));
        asked.client.domain_claim = claim.map(str::to_owned);
        accepted(crate::oidc::check(&asked)).owns_domain
    };
    let named = |domain: Value| Token::new().claim("hd", domain);
    for same in ["practice.example", "Practice.EXAMPLE"] {
        assert!(owns(Some("hd"), named(json!(same))), "{same}");
    }
    for other in [
        json!("other.example"),
        json!("sub.practice.example"),
        json!("example"),
        json!(""),
        json!(["practice.example"]),
        json!(true),
        Value::Null,
    ] {
        assert!(!owns(Some("hd"), named(other.clone())), "{other}");
    }
    let shown = || named(json!("practice.example"));
    assert!(!owns(None, shown()), "the claim is not configured");
    assert!(!owns(Some("hd"), Token::new()), "a personal account");
    assert!(!owns(Some("hd"), shown().without("email")));
    assert!(!owns(Some("hd"), shown().claim("email", "practice.example")));
}

#[test]
fn microsoft_names_no_domain_but_says_that_it_is_owned() {
    let key = Key::rsa("one", 0);
    let owns = |value: Value| {
        let token = Token::new().claim("xms_edov", value);
        let mut asked = asked(key.set(), token.signed(&key));
        asked.client.verified_claim = "xms_edov".to_owned();
        accepted(crate::oidc::check(&asked)).owns_domain
    };
    assert!(owns(json!(true)) && owns(json!("1")));
    assert!(!owns(json!(false)) && !owns(Value::Null));
    // The same claim of a provider that is configured otherwise says nothing.
    assert!(!accepted(check(&Token::new().claim("xms_edov", true))).owns_domain);
}

#[test]
fn the_time_of_the_sign_in_at_the_provider_is_read() {
    let at = |value: Value| accepted(check(&Token::new().claim("auth_time", value))).authenticated_at;
    assert_eq!(at(json!(NOW - 7200)), Some(Instant((NOW - 7200) * 1000)));
    for unread in [0, -1] {
        assert_eq!(at(json!(unread)), None, "{unread}");
    }
    for wrong in [json!("1800000000"), json!(i64::MAX)] {
        let token = Token::new().claim("auth_time", wrong);
        assert_eq!(refused(check(&token)), Refusal::MALFORMED);
    }
}
