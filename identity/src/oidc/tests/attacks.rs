use super::provider::{encode, set};
use super::*;
use serde_json::json;

#[test]
fn a_token_for_another_client_is_refused() {
    for audience in [
        json!("evil-client"),
        json!(["evil-client"]),
        json!(["overturn-client", "evil-client"]),
        json!(["evil-client", "overturn-client"]),
        json!([]),
        json!(""),
        json!("overturn-client2"),
        json!("Overturn-Client"),
    ] {
        let token = Token::new().claim("aud", audience.clone()).claim("azp", "overturn-client");
        assert_eq!(refused(check(&token)), Refusal::AUDIENCE, "{audience}");
    }
    assert_eq!(refused(check(&Token::new().without("aud"))), Refusal::AUDIENCE);
    assert_eq!(refused(check(&Token::new().claim("aud", Value::Null))), Refusal::MALFORMED);
}

#[test]
fn a_token_made_for_another_party_is_refused() {
    for party in [json!("evil-client"), json!("")] {
        let token = Token::new().claim("azp", party);
        assert_eq!(refused(check(&token)), Refusal::AUDIENCE);
    }
}

#[test]
fn a_token_of_another_issuer_is_refused() {
    for issuer in [
        "https://evil.example",
        "https://login.provider.example/tenant/",
        "https://login.provider.example/other",
        "https://LOGIN.provider.example/tenant",
        "https://login.provider.example:443/tenant",
        "http://login.provider.example/tenant",
    ] {
        let token = Token::new().claim("iss", issuer);
        assert_eq!(refused(check(&token)), Refusal::ISSUER, "{issuer}");
    }
    assert_eq!(refused(check(&Token::new().without("iss"))), Refusal::MALFORMED);
}

#[test]
fn the_answer_to_another_request_is_refused() {
    for nonce in ["another nonce", "", "nonce-of-the-browser "] {
        let token = Token::new().claim("nonce", nonce);
        assert_eq!(refused(check(&token)), Refusal::NONCE);
    }
    assert_eq!(refused(check(&Token::new().without("nonce"))), Refusal::NONCE);
    assert_eq!(refused(check(&Token::new().claim("nonce", Value::Null))), Refusal::NONCE);
}

#[test]
fn a_token_without_a_person_is_refused() {
    for subject in ["", "  ", &"k".repeat(256)] {
        let token = Token::new().claim("sub", subject);
        assert_eq!(refused(check(&token)), Refusal::SUBJECT);
    }
    accepted(check(&Token::new().claim("sub", "k".repeat(255))));
    assert_eq!(refused(check(&Token::new().without("sub"))), Refusal::MALFORMED);
}

#[test]
fn tokens_without_signature_are_refused() {
    let key = Key::rsa("one", 0);
    for algorithm in ["none", "None", "NONE", "nOnE", ""] {
        let text = Token::new().header("alg", algorithm).unsigned();
        let signature = "AAAA";
        for token in [format!("{text}."), format!("{text}.{signature}")] {
            for configured in ["RS256", algorithm] {
                let mut asked = asked(key.set(), token.clone());
                asked.client = client_with(&["RS256", configured]);
                assert_eq!(refused(crate::oidc::check(&asked)), Refusal::ALGORITHM);
            }
        }
    }
    for token in [format!("{}.", Token::new().unsigned()), Token::new().unsigned(), String::new(), "..".to_owned()] {
        let verdict = crate::oidc::check(&asked(key.set(), token.clone()));
        assert!(matches!(verdict, Verdict::Refused(_)), "{token}");
    }
}

#[test]
fn a_public_key_is_not_an_hmac_secret() {
    let key = Key::rsa("one", 0);
    for text in key.public_texts() {
        let forged = Key::symmetric("one", &text);
        for algorithm in ["HS256", "HS384", "HS512"] {
            let token = Token::new().header("alg", algorithm).signed(&forged);
            for keys in [key.set(), forged.set(), set(&[&key, &forged])] {
                for configured in [&["RS256"][..], &["RS256", algorithm], &[algorithm]] {
                    let mut asked = asked(keys.clone(), token.clone());
                    asked.client = client_with(configured);
                    assert_eq!(refused(crate::oidc::check(&asked)), Refusal::ALGORITHM);
                }
            }
        }
    }
}

#[test]
fn a_key_does_not_sign_with_another_algorithm() {
    let any = client_with(&["RS256", "RS384", "PS256", "ES256", "ES384", "EdDSA"]);
    let check = |key: &Key, algorithm: &str, claimed: &str| {
        let signed = Token::new().header("alg", algorithm).signed(key);
        let signature = signed.rsplit('.').next().unwrap();
        let text = Token::new().header("alg", claimed).unsigned();
        let mut asked = asked(key.set(), format!("{text}.{signature}"));
        asked.client = any.clone();
        refused(crate::oidc::check(&asked))
    };
    let named = Key::rsa("one", 0);
    let unnamed = Key::rsa("one", 0).without("alg");
    for (signed, claimed) in [("PS256", "RS256"), ("RS256", "PS256"), ("RS256", "RS384")] {
        assert_eq!(check(&unnamed, signed, claimed), Refusal::SIGNATURE);
    }
    assert_eq!(check(&named, "PS256", "PS256"), Refusal::KEY);
    assert_eq!(check(&named, "RS256", "ES256"), Refusal::KEY);
    assert_eq!(check(&named, "RS256", "EdDSA"), Refusal::KEY);
    assert_eq!(check(&Key::p256("one"), "ES256", "ES384"), Refusal::KEY);
    assert_eq!(check(&Key::p256("one"), "ES256", "RS256"), Refusal::KEY);
    assert_eq!(check(&Key::ed25519("one"), "EdDSA", "ES256"), Refusal::KEY);
}

#[test]
fn another_key_with_the_same_id_is_refused() {
    let (key, other) = (Key::rsa("one", 0), Key::rsa("one", 1));
    let verdict = crate::oidc::check(&asked(key.set(), Token::new().signed(&other)));
    assert_eq!(refused(verdict), Refusal::SIGNATURE);
    let both = set(&[&key, &other]);
    let verdict = crate::oidc::check(&asked(both, Token::new().signed(&other)));
    assert_eq!(refused(verdict), Refusal::KEY);
}

#[test]
fn an_unknown_key_is_named_so() {
    let key = Key::rsa("one", 0);
    for kid in ["two", "", "ONE", "../one", "one' OR '1'='1"] {
        let token = Token::new().header("kid", kid).signed(&key);
        let verdict = crate::oidc::check(&asked(key.set(), token));
        assert_eq!(refused(verdict), Refusal::UNKNOWN_KEY, "{kid}");
    }
}

#[test]
fn keys_in_the_header_are_ignored() {
    let (key, evil) = (Key::rsa("one", 0), Key::rsa("one", 1));
    let token = Token::new()
        .header("jwk", evil.public.clone())
        .header("jku", "https://evil.example/jwks")
        .header("x5u", "https://evil.example/certificate")
        .header("x5c", json!(["AAAA"]));
    accepted(check(&token));
    let verdict = crate::oidc::check(&asked(key.set(), token.signed(&evil)));
    assert_eq!(refused(verdict), Refusal::SIGNATURE);
    let verdict = crate::oidc::check(&asked(key.set(), token.without("kid").signed(&evil)));
    assert_eq!(refused(verdict), Refusal::UNKNOWN_KEY);
}

#[test]
fn a_key_must_be_able_to_sign() {
    let encrypts = Key::rsa("one", 0).with("use", json!("enc"));
    let other_algorithm = Key::rsa("one", 0).with("alg", json!("RSA-OAEP"));
    let weak = Key::rsa("one", 2);
    for key in [encrypts, other_algorithm, weak] {
        let verdict = crate::oidc::check(&asked(key.set(), Token::new().signed(&key)));
        assert_eq!(refused(verdict), Refusal::KEY, "{}", key.public);
    }
    let broken = Key::p256("one").with("y", json!(encode(&[1; 32])));
    let mut asked = asked(broken.set(), Token::new().header("alg", "ES256").signed(&broken));
    asked.client = client_with(&["ES256"]);
    assert_eq!(refused(crate::oidc::check(&asked)), Refusal::KEY);
}

#[test]
fn tokens_of_other_kinds_are_refused() {
    for kind in ["at+jwt", "logout+jwt", "dpop+jwt"] {
        let token = Token::new().header("typ", kind);
        assert_eq!(refused(check(&token)), Refusal::MALFORMED, "{kind}");
    }
    accepted(check(&Token::new().without("typ")));
    let critical = Token::new().header("crit", json!(["b64"])).header("b64", false);
    assert_eq!(refused(check(&critical)), Refusal::MALFORMED);
    let nested = Token::new().header("cty", "JWT");
    assert_eq!(refused(check(&nested)), Refusal::MALFORMED);
}

#[test]
fn a_changed_signature_is_refused() {
    let key = Key::rsa("one", 0);
    let signed = Token::new().signed(&key);
    let (text, signature) = signed.rsplit_once('.').unwrap();
    let mut bytes = data_encoding::BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
    bytes[100] ^= 1;
    let token = format!("{text}.{}", encode(&bytes));
    let verdict = crate::oidc::check(&asked(key.set(), token));
    assert_eq!(refused(verdict), Refusal::SIGNATURE);
    bytes[100] ^= 1;
    bytes.pop();
    let token = format!("{text}.{}", encode(&bytes));
    let verdict = crate::oidc::check(&asked(key.set(), token));
    assert_eq!(refused(verdict), Refusal::SIGNATURE);
}

#[test]
fn tokens_in_unusual_clothes_are_refused() {
    let key = Key::rsa("one", 0);
    let good = Token::new().signed(&key);
    let large = Token::new().claim("groups", "g".repeat(12 * 1024)).signed(&key);
    assert!(large.len() > 16 * 1024);
    for token in [
        large,
        format!("{good}="),
        format!("{good}."),
        format!(" {good}"),
        format!("{good}\n"),
        good.replacen('.', "..", 1),
    ] {
        let verdict = crate::oidc::check(&asked(key.set(), token));
        assert_eq!(refused(verdict), Refusal::MALFORMED);
    }
}
