use super::*;
use overturn_core::base::id::{ClaimId, NoteId, PracticeId, SignatureId, WebhookId};
use uuid::Uuid;

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
    let blob = key(1).seal(place, b"Jane", [5; 24]).unwrap();
    assert_eq!(key(1).open(place, &blob).as_deref(), Ok(b"Jane".as_slice()));
    let (practice, claim) = (PracticeId(id(1)), ClaimId(id(2)));
    let signature = SignatureId(id(3));
    for elsewhere in [
        note(4, 2, 3),
        note(1, 4, 3),
        note(1, 2, 4),
        SealedPlace::Signature { practice, claim, id: signature },
        SealedPlace::Claim { practice, id: ClaimId(id(3)) },
    ] {
        assert_eq!(key(1).open(elsewhere, &blob), Err(OpenError), "{elsewhere:?}");
    }
    let secret = [false, true].map(|old| {
        let id = WebhookId(id(3));
        if old { SealedPlace::OldWebhookSecret { practice, id } } else { SealedPlace::WebhookSecret { practice, id } }
    });
    let current = key(1).seal(secret[0], b"secret", [5; 24]).unwrap();
    assert_eq!(key(1).open(secret[1], &current), Err(OpenError), "another column of the row");

    assert_eq!(key(2).open(place, &blob), Err(OpenError));
    assert_eq!(key(1).open(place, blob.strip_prefix("1.").unwrap()), Err(OpenError), "another form");
    let changed = blob.replace(blob.chars().last().unwrap(), "A");
    assert_eq!(key(1).open(place, &changed), Err(OpenError));
    for short in ["", "AAAA", "not base64!", "1.", "1.AAAA", "1.1."] {
        assert_eq!(key(1).open(place, short), Err(OpenError));
    }
}

#[test]
fn the_stored_format_is_pinned() {
    let blob = key(1).seal(note(1, 2, 3), b"Jane", [5; 24]).unwrap();
    assert_eq!(blob, "1.BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9V/1evJGuhrls8m/lspUsBE");
    let blob = key(1).seal(CLAIM, b"Jane", [5; 24]).unwrap();
    assert_eq!(blob, "1.BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFjqca9barM1xdfOjFHJDdVo6XOBY");
    let mut expected = Vec::new();
    for part in [
        b"overturn sealed 1 XChaCha20-Poly1305".as_slice(),
        b"claim_notes",
        b"sealed",
        id(1).as_bytes(),
        id(2).as_bytes(),
        id(3).as_bytes(),
        &[0, 0, 0, 0, 0, 0, 0, 1],
    ] {
        expected.extend([0, 0, 0, u8::try_from(part.len()).unwrap()]);
        expected.extend(part);
    }
    assert_eq!(key(1).bound(note(1, 2, 3)), expected);
}

#[test]
fn a_key_is_not_printed() {
    assert_eq!(format!("{:?}", key(1)), "SealingKey(1)");
}
