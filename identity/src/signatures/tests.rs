use super::*;
use p256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer as _;
use p256::pkcs8::{EncodePublicKey as _, LineEnding};
use sha2::{Digest as _, Sha256};

/// What GitHub sends about one token.
const BODY: &[u8] =
    br#"[{"source":"commit","token":"ovt_live_3Ueu","type":"overturn_api_key","url":"https://example.com/x"}]"#;

fn key(n: u8) -> SigningKey {
    SigningKey::from_bytes(&[n; 32].into()).unwrap()
}

fn pem(key: &SigningKey) -> String {
    key.verifying_key().to_public_key_pem(LineEnding::LF).unwrap()
}

fn der(key: &SigningKey, body: &[u8]) -> Vec<u8> {
    let signature: Signature = key.sign(body);
    signature.to_der().as_bytes().into()
}

fn asked(key: String, body: &[u8], der: &[u8]) -> CheckSignature {
    CheckSignature { key, digest: HEXLOWER.encode(&Sha256::digest(body)), signature: BASE64.encode(der) }
}

/// A message as the service has it checked.
fn signed() -> CheckSignature {
    asked(pem(&key(7)), BODY, &der(&key(7), BODY))
}

fn reason(asked: &CheckSignature) -> String {
    match check(asked) {
        Verdict::Accepted(()) => panic!("accepted {asked:?}"),
        Verdict::Refused(refusal) => refusal.reason,
    }
}

/// A body with another byte at a place.
fn changed(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

#[test]
fn a_message_that_its_key_signed_is_accepted() {
    assert_eq!(check(&signed()), Verdict::Accepted(()));
    let with_windows_lines = key(7).verifying_key().to_public_key_pem(LineEnding::CRLF).unwrap();
    assert_eq!(check(&CheckSignature { key: with_windows_lines, ..signed() }), Verdict::Accepted(()));
}

#[test]
fn no_altered_message_is_accepted() {
    let (own, good) = (pem(&key(7)), der(&key(7), BODY));
    let numbers = Signature::from_der(&good).unwrap();
    let spaced = String::from_utf8(BODY.into()).unwrap().replace(',', ", ");
    let with = |der: &[u8]| asked(own.clone(), BODY, der);
    let of_key = |key: String| CheckSignature { key, ..signed() };
    let altered = [
        // The body.
        asked(own.clone(), &changed(BODY, 2), &good),
        asked(own.clone(), &changed(BODY, BODY.len() - 1), &good),
        asked(own.clone(), &BODY[..BODY.len() - 1], &good),
        asked(own.clone(), &[BODY, b"\n"].concat(), &good),
        asked(own.clone(), spaced.as_bytes(), &good),
        asked(own.clone(), b"", &good),
        CheckSignature { digest: String::new(), ..signed() },
        CheckSignature { digest: "00".into(), ..signed() },
        // The signature.
        with(&changed(&good, good.len() - 1)),
        with(&changed(&good, 8)),
        with(&good[..good.len() - 1]),
        with(&[&good[..], &[0]].concat()),
        with(&[]),
        with(&numbers.to_bytes()),
        with(&[0x30, 6, 2, 1, 0, 2, 1, 0]),
        with(&der(&key(7), b"[]")),
        CheckSignature { signature: "not base64!".into(), ..signed() },
        CheckSignature { signature: BASE64.encode(&good).trim_end_matches('=').to_owned() + "=====", ..signed() },
        // The key.
        of_key(pem(&key(8))),
        of_key(String::new()),
        of_key(own.replace("BEGIN PUBLIC", "BEGIN PRIVATE")),
        of_key(own.replacen("MFkw", "MFow", 1)),
        of_key(include_str!("../saml/tests/fixtures/curve.cert.pem").into()),
        of_key(p384()),
    ];
    assert!(altered.len() >= 20);
    for (n, altered) in altered.iter().enumerate() {
        let reason = reason(altered);
        assert!([Refusal::KEY, Refusal::MALFORMED, Refusal::SIGNATURE].contains(&&*reason), "{n} {reason}");
    }
}

#[test]
fn of_two_keys_only_the_one_that_signed_accepts() {
    for (signs, other) in [(7, 8), (8, 7)] {
        let signature = der(&key(signs), BODY);
        assert_eq!(check(&asked(pem(&key(signs)), BODY, &signature)), Verdict::Accepted(()));
        assert_eq!(reason(&asked(pem(&key(other)), BODY, &signature)), Refusal::SIGNATURE);
    }
    let both = pem(&key(7)) + &pem(&key(8));
    assert_eq!(reason(&CheckSignature { key: both, ..signed() }), Refusal::KEY);
}

/// A key of another curve, which signs what it is given as well.
fn p384() -> String {
    let key = p384::ecdsa::SigningKey::from_bytes(&[7; 48].into()).unwrap();
    let point = key.verifying_key().to_sec1_bytes();
    // SubjectPublicKeyInfo: id-ecPublicKey and secp384r1, then the point.
    let head = HEXLOWER.decode(b"3076301006072a8648ce3d020106052b81040022036200").unwrap();
    let text = BASE64.encode(&[&head[..], &point].concat());
    let lines: Vec<_> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"))
}
