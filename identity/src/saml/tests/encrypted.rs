//! Encrypted assertions.

use super::kit::{
    ASSERTION, ATTACKER, How, LATER, NAME_ID, Pair, SERVICE, accepted, body, changed, claims, question, reason,
    response, signed, why,
};
use crate::saml::check;
use bergshamra::keys::loader::load_x509_cert_pem;
use bergshamra::{EncContext, KeysManager, encrypt};
use data_encoding::BASE64;
use overturn_core::identity::Verdict;
use proptest::prelude::*;

const GCM: &str = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
const CBC: &str = "http://www.w3.org/2001/04/xmlenc#aes256-cbc";
const OAEP: &str = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

/// How an assertion is encrypted.
struct Seal {
    to: Pair,
    cipher: &'static str,
    transport: &'static str,
    /// Elements inside the method of the key.
    parameters: &'static str,
}

const USUAL: Seal = Seal { to: SERVICE, cipher: GCM, transport: OAEP, parameters: "" };

impl Seal {
    fn encrypt(&self, assertion: &str) -> String {
        let template = format!(
            concat!(
                r#"<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#""#,
                r#" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="{}"/><ds:KeyInfo>"#,
                r#"<xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="{}">{}</xenc:EncryptionMethod>"#,
                r#"<xenc:CipherData><xenc:CipherValue></xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>"#,
                r#"<xenc:CipherData><xenc:CipherValue></xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>"#,
            ),
            self.cipher, self.transport, self.parameters,
        );
        let mut manager = KeysManager::new();
        manager.add_key(load_x509_cert_pem(self.to.1.as_bytes()).unwrap());
        let data = encrypt(&EncContext::new(manager), &template, assertion.as_bytes()).unwrap();
        format!("<saml:EncryptedAssertion>{data}</saml:EncryptedAssertion>")
    }
}

/// A response with an encrypted assertion, not signed yet.
fn sealed() -> String {
    response(&USUAL.encrypt(&signed()))
}

/// Signs the response.
fn whole(document: &str) -> String {
    How::usual("_r1").sign(document)
}

#[test]
fn an_encrypted_assertion_in_a_signed_response_is_accepted() {
    assert_eq!(accepted(&whole(&sealed())).subject, NAME_ID);
}

#[test]
fn an_encrypted_assertion_needs_a_signed_response() {
    for cipher in [GCM, CBC] {
        let seal = Seal { cipher, ..USUAL };
        let document = response(&seal.encrypt(&signed()));
        assert_eq!(reason(&document), "encrypted_not_signed");
        assert_eq!(accepted(&whole(&document)).subject, NAME_ID);
    }
}

#[test]
fn any_key_of_the_service_decrypts() {
    let seal = Seal { to: LATER, ..USUAL };
    let mut asked = question(&whole(&response(&seal.encrypt(&signed()))));
    assert_eq!(claims(&asked).subject, NAME_ID);
    asked.sp.keys.truncate(1);
    assert_eq!(why(&check(&asked)), "decryption");
    asked.sp.keys[0].key = "no key".into();
    assert_eq!(why(&check(&asked)), "service_key");
}

#[test]
fn oaep_with_other_digests_is_accepted() {
    let seal = Seal {
        transport: "http://www.w3.org/2009/xmlenc11#rsa-oaep",
        parameters: concat!(
            r#"<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>"#,
            r#"<e:MGF xmlns:e="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/>"#,
        ),
        ..USUAL
    };
    assert_eq!(accepted(&whole(&response(&seal.encrypt(&signed())))).subject, NAME_ID);
}

#[test]
fn the_key_may_stand_beside_the_data() {
    let document = sealed();
    let (before, rest) = document.split_once("<xenc:EncryptedKey>").unwrap();
    let (key, after) = rest.split_once("</xenc:EncryptedKey>").unwrap();
    let key = format!(r#"<xenc:EncryptedKey xmlns:xenc="http://www.w3.org/2001/04/xmlenc#">{key}</xenc:EncryptedKey>"#);
    let beside = format!("{before}{after}").replace("</xenc:EncryptedData>", &format!("</xenc:EncryptedData>{key}"));
    assert_eq!(accepted(&whole(&beside)).subject, NAME_ID);
}

#[test]
fn an_encrypted_assertion_without_a_signature_is_refused() {
    let document = response(&USUAL.encrypt(ASSERTION));
    // The signature of the response does not make up for it.
    assert_eq!(reason(&whole(&document)), "not_signed");
}

#[test]
fn an_encrypted_assertion_of_an_attacker_is_refused() {
    let attacker = How { pair: ATTACKER, ..How::usual("_a1") };
    let document = response(&USUAL.encrypt(&attacker.sign(ASSERTION)));
    assert_eq!(reason(&whole(&document)), "unknown_certificate");
}

#[test]
fn the_decrypted_text_is_guarded_too() {
    for (text, expected) in [
        (signed().replace("u-4711", "u-47<!---->11"), "comment"),
        (format!("<!DOCTYPE a [<!ENTITY b 'c'>]>{}", signed()), "doctype"),
        (format!("{}{}", signed(), signed()), "xml"),
        ("<a/>".into(), "structure"),
        ("text".into(), "xml"),
        (signed().replace("saml:Subject>", "saml:Advice>"), "structure"),
        (changed(&signed(), "</saml:Issuer>", &format!("</saml:Issuer>{ASSERTION}")), "duplicate_id"),
    ] {
        assert_eq!(reason(&whole(&response(&USUAL.encrypt(&text)))), expected, "{text}");
    }
}

#[test]
fn a_ciphertext_that_the_provider_did_not_sign_is_not_decrypted() {
    let document = whole(&sealed());
    let (before, after) = document.rsplit_once("<xenc:CipherValue>").unwrap();
    let other = format!("{before}<xenc:CipherValue>AAAA{after}");
    assert_eq!(reason(&other), "signature");
}

#[test]
fn a_changed_ciphertext_is_refused() {
    for at in [1, 2] {
        let document = sealed();
        let mut parts: Vec<&str> = document.split("<xenc:CipherValue>").collect();
        let changed = format!("AAAA{}", parts[at].get(4..).unwrap());
        parts[at] = &changed;
        assert_eq!(reason(&whole(&parts.join("<xenc:CipherValue>"))), "decryption");
    }
    for value in ["", "AAAA", "not base64"] {
        let document = sealed();
        let (before, rest) = document.rsplit_once("<xenc:CipherValue>").unwrap();
        let (_, after) = rest.split_once("</xenc:CipherValue>").unwrap();
        let document = format!("{before}<xenc:CipherValue>{value}</xenc:CipherValue>{after}");
        assert_eq!(reason(&whole(&document)), "decryption", "{value}");
    }
}

#[test]
fn weak_encryption_is_refused() {
    let document = sealed();
    for other in ["http://www.w3.org/2001/04/xmlenc#rsa-1_5", "http://www.w3.org/2001/04/xmlenc#kw-aes256", GCM, ""] {
        assert_eq!(reason(&whole(&changed(&document, OAEP, other))), "encryption_algorithm", "{other}");
    }
    for other in ["http://www.w3.org/2001/04/xmlenc#tripledes-cbc", "none", ""] {
        assert_eq!(reason(&whole(&changed(&document, GCM, other))), "encryption_algorithm", "{other}");
    }
    let method = format!(r#"<xenc:EncryptionMethod Algorithm="{OAEP}">"#);
    let md5 = format!(r#"{method}<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#md5"/>"#);
    assert_eq!(reason(&whole(&changed(&document, &method, &md5))), "encryption_algorithm");
    let label = format!("{method}<xenc:OAEPparams>AAAA</xenc:OAEPparams>");
    assert_eq!(reason(&whole(&changed(&document, &method, &label))), "encryption_form");
}

#[test]
fn keys_and_ciphertexts_elsewhere_are_not_looked_up() {
    let document = sealed();
    let (before, rest) = document.split_once("<ds:KeyInfo>").unwrap();
    let (inside, after) = rest.split_once("</ds:KeyInfo>").unwrap();
    for other in [
        String::new(),
        "<ds:KeyName>service</ds:KeyName>".into(),
        "<ds:RetrievalMethod URI='file:///etc/passwd' Type='http://www.w3.org/2001/04/xmlenc#EncryptedKey'/>".into(),
        inside.repeat(5),
    ] {
        let other = format!("{before}<ds:KeyInfo>{other}</ds:KeyInfo>{after}");
        assert_eq!(reason(&whole(&other)), "encryption_form", "{other}");
    }
    let (before, rest) = document.rsplit_once("<xenc:CipherValue>").unwrap();
    let (_, after) = rest.split_once("</xenc:CipherValue>").unwrap();
    let reference = format!("{before}<xenc:CipherReference URI='https://evil.example/'/>{after}");
    assert_eq!(reason(&whole(&reference)), "encryption_form");
    assert_ne!(body(SERVICE.1), body(LATER.1));
}

#[test]
fn a_second_assertion_beside_an_encrypted_one_is_refused() {
    let seal = USUAL.encrypt(&signed());
    assert_eq!(reason(&response(&format!("{seal}{ASSERTION}"))), "several_assertions");
    assert_eq!(reason(&response(&format!("{ASSERTION}{seal}"))), "several_assertions");
    assert_eq!(reason(&response(&format!("{seal}{seal}"))), "several_assertions");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_ciphertext_is_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        which in 1_usize..3,
        cipher in prop::sample::select(vec![GCM, CBC]),
    ) {
        let seal = Seal { cipher, ..USUAL };
        let document = response(&seal.encrypt(&signed()));
        let mut parts: Vec<&str> = document.split("<xenc:CipherValue>").collect();
        let (_, after) = parts[which].split_once("</xenc:CipherValue>").unwrap();
        let other = format!("{}</xenc:CipherValue>{after}", BASE64.encode(&bytes));
        parts[which] = &other;
        let document = whole(&parts.join("<xenc:CipherValue>"));
        prop_assert!(matches!(check(&question(&document)), Verdict::Refused(_)));
    }

    #[test]
    fn any_decrypted_text_is_refused(text in "[<>/a-z&;!\\[\\]'=\" \\PC]{0,60}") {
        let document = whole(&response(&USUAL.encrypt(&text)));
        prop_assert!(matches!(check(&question(&document)), Verdict::Refused(_)));
    }
}
