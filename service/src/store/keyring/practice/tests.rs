use super::*;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::Instant;
use uuid::Uuid;

const ONE: &str = "1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const BOTH: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI,1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
const TWO: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const PLACE: SealedPlace = SealedPlace::Claim { practice: PRACTICE, id: ClaimId(Uuid::from_u128(2)) };

fn keyring(secret: &str) -> Keyring {
    Keyring::parse(secret).ok().unwrap()
}

fn fresh() -> Fresh {
    let ctx = Ctx::new(Instant(1_800_000_000_000), [3; 32]);
    Fresh::new(&ctx, 0, [4; 32], [5; 24])
}

fn stored(new: &Wrapped) -> StoredDataKey {
    StoredDataKey { version: new.version, id: new.id, key_version: new.key_version, wrapped: Some(new.wrapped.clone()) }
}

/// A key wrapped under the first key of the service, and a value sealed with it.
fn made() -> (StoredDataKey, String) {
    let service = keyring(ONE);
    let keys = service.of_practice(PRACTICE, None).or_new(fresh()).unwrap();
    let data = keys.data().unwrap();
    let blob = data.seal(PLACE, b"Jane", [6; 24]).unwrap();
    (stored(data.new_row().unwrap()), blob)
}

fn opened(service: &str, stored: Option<&StoredDataKey>, blob: &str) -> Result<Vec<u8>, Unopened> {
    let service = keyring(service);
    let keys = service.of_practice(PRACTICE, stored);
    keys.open(PLACE, KeyVersion(1), blob)
}

#[test]
fn a_rotation_wraps_the_key_anew_and_moves_no_blob() {
    let (one, blob) = made();
    assert_eq!(opened(ONE, Some(&one), &blob), Ok(b"Jane".to_vec()));
    let service = keyring(BOTH);
    let (key_version, wrapped) = service.rewrap(PRACTICE, &one, [7; 24]).unwrap().unwrap();
    assert_eq!(key_version, KeyVersion(2));
    let two = StoredDataKey { key_version, wrapped: Some(wrapped), ..one.clone() };
    assert_eq!(opened(TWO, Some(&two), &blob), Ok(b"Jane".to_vec()));
    assert_eq!(opened(TWO, Some(&one), &blob), Err(Unopened::KeyUnavailable));
}

#[test]
fn a_destroyed_key_opens_nothing_and_a_new_one_is_another() {
    let (stored, blob) = made();
    let destroyed = StoredDataKey { wrapped: None, ..stored };
    let gone = Err(Unopened::KeyUnavailable);
    assert_eq!(opened(ONE, Some(&destroyed), &blob), gone);
    let service = keyring(ONE);
    let next = service.of_practice(PRACTICE, Some(&destroyed));
    let next = next.or_new(fresh()).unwrap();
    assert_eq!(next.data().unwrap().version(), KeyVersion(2));
    assert_eq!(next.open(PLACE, KeyVersion(1), &blob), gone);
    // Fingerprints do not compare, either.
    assert_eq!(next.identity().unwrap().unwrap().version(), KeyVersion(2));
}

#[test]
fn a_key_that_was_moved_to_another_practice_or_record_or_changed_is_tampered_with() {
    let (stored, blob) = made();
    let id = stored.id;
    let place = SealedPlace::DataKey { practice: PRACTICE, id };
    let changed = StoredDataKey { wrapped: Some(blob.clone()), ..stored.clone() };
    let refused = Err(Unopened::Tampered(place));
    assert_eq!(opened(ONE, Some(&changed), &blob), refused);
    let service = keyring(ONE);
    let other = PracticeId(Uuid::from_u128(9));
    let taken = service.of_practice(other, Some(&stored));
    let there = SealedPlace::Claim { practice: other, id: ClaimId(Uuid::from_u128(2)) };
    let found = taken.open(there, KeyVersion(1), &blob);
    assert!(matches!(found, Err(Unopened::Tampered(SealedPlace::DataKey { .. }))));
    // A key that cannot be opened is not replaced: everything sealed with it would be lost silently.
    assert!(taken.or_new(fresh()).is_err());
    // A practice's sealed value does not open for another practice, whatever the row says.
    let own = service.of_practice(PRACTICE, Some(&stored));
    let found = own.open(there, KeyVersion(1), &blob);
    assert_eq!(found, Err(Unopened::Tampered(there)));
}

#[test]
fn the_derived_keys_are_pinned() {
    let (stored, blob) = made();
    assert_eq!(
        stored.wrapped.as_deref(),
        Some("1.BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFmh9yZ5hvtoXfrbvu5ZsV4Gg5nu4cjoT9ixybcy9kWxF6LIXeTkCOhdeYkD3qvnt/")
    );
    assert_eq!(blob, "1.BgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGY7GDssLb/WfPxPNyNeU4vCXEp0A");
}
