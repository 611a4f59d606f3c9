use super::*;
use overturn_core::base::id::{ClaimId, FactorId, NoteId, PracticeId, SignatureId, UserId, WebhookId};
use uuid::Uuid;

/// A value in the old form, for tests.
pub(crate) fn old_blob(key: &SealingKey, place: SealedPlace, text: &[u8], nonce: Nonce) -> String {
    let aad = key.bound_as_before(place).unwrap();
    let payload = Payload { msg: text, aad: &aad };
    let sealed = key.cipher.encrypt(&XNonce::from(nonce), payload).unwrap();
    BASE64_NOPAD.encode(&[&nonce[..], &sealed].concat())
}

fn key(version: i64) -> SealingKey {
    SealingKey::new(KeyVersion(version), &[9; 32])
}

const fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

const CLAIM: SealedPlace = SealedPlace::Claim { practice: PracticeId(id(1)), id: ClaimId(id(2)) };

fn note(practice: u128, claim: u128, note: u128) -> SealedPlace {
    SealedPlace::Note { practice: PracticeId(id(practice)), claim: ClaimId(id(claim)), id: NoteId(id(note)) }
}

#[test]
fn a_sealed_value_opens_only_in_its_place() {
    let place = note(1, 2, 3);
    let blob = key(-1).seal(place, b"Jane", [5; 24]).unwrap();
    assert_eq!(key(-1).open(place, &blob).as_deref(), Ok(b"Jane".as_slice()));
    let (practice, claim) = (PracticeId(id(1)), ClaimId(id(2)));
    let signature = SignatureId(id(3));
    for elsewhere in [
        note(4, 2, 3),
        note(1, 4, 3),
        note(1, 2, 4),
        SealedPlace::Signature { practice, claim, id: signature },
        SealedPlace::Claim { practice, id: ClaimId(id(3)) },
    ] {
        assert_eq!(key(-1).open(elsewhere, &blob), Err(OpenError), "{elsewhere:?}");
    }
    let secret = [false, true].map(|old| {
        let id = WebhookId(id(3));
        if old { SealedPlace::OldWebhookSecret { practice, id } } else { SealedPlace::WebhookSecret { practice, id } }
    });
    let current = key(-1).seal(secret[0], b"secret", [5; 24]).unwrap();
    assert_eq!(key(-1).open(secret[1], &current), Err(OpenError), "another column of the row");

    assert_eq!(key(-2).open(place, &blob), Err(OpenError));
    let changed = blob.replace(blob.chars().last().unwrap(), "A");
    assert_eq!(key(-1).open(place, &changed), Err(OpenError));
    for short in ["", "AAAA", "not base64!", "2.", "2.AAAA", "2.2."] {
        assert_eq!(key(-1).open(place, short), Err(OpenError));
        assert_eq!(key(1).open(place, short), Err(OpenError));
    }
}

#[test]
fn the_stored_format_is_pinned() {
    let blob = key(-1).seal(note(1, 2, 3), b"Jane", [5; 24]).unwrap();
    assert_eq!(blob, "2.BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9VPMrPDBDeLH5L3v9uutTbs");
    let blob = key(-1).seal(CLAIM, b"Jane", [5; 24]).unwrap();
    assert_eq!(blob, "2.BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9U7JQCzH7weNm1wPOdBBxxU");
    let mut expected = Vec::new();
    for part in [
        b"overturn sealed 2 XChaCha20-Poly1305".as_slice(),
        b"claim_notes",
        b"sealed",
        id(1).as_bytes(),
        id(2).as_bytes(),
        id(3).as_bytes(),
        &[255, 255, 255, 255, 255, 255, 255, 255],
    ] {
        expected.extend([0, 0, 0, u8::try_from(part.len()).unwrap()]);
        expected.extend(part);
    }
    assert_eq!(key(-1).bound(note(1, 2, 3)), expected);
}

#[test]
fn the_old_form_is_read_under_a_key_of_the_service_and_under_no_data_key() {
    let pinned = "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9d7LDp6gr+VeHaN1OIzDL4k";
    assert_eq!(old_blob(&key(1), CLAIM, b"Jane", [5; 24]), pinned);
    assert!(is_old(pinned));
    assert_eq!(key(1).open(CLAIM, pinned).as_deref(), Ok(b"Jane".as_slice()));
    assert_eq!(key(2).open(CLAIM, pinned), Err(OpenError));
    assert_eq!(key(-1).open(CLAIM, pinned), Err(OpenError));
    // New values have the new form, and neither form is accepted as the other.
    let factor = SealedPlace::Factor { user: UserId(id(1)), id: FactorId(id(2)) };
    let blob = key(1).seal(factor, b"Jane", [5; 24]).unwrap();
    assert!(!is_old(&blob));
    assert_eq!(key(1).open(factor, blob.strip_prefix("2.").unwrap()), Err(OpenError));
    assert_eq!(key(1).open(CLAIM, &format!("2.{pinned}")), Err(OpenError));
}

#[test]
fn a_key_is_not_printed() {
    assert_eq!(format!("{:?}", key(1)), "SealingKey(1)");
}
