use super::*;
use crate::signing::proof::Shown;
use overturn_core::testing::item;
use uuid::Uuid;

const NOW: Instant = Instant(1_772_625_600_000);

fn stored() -> StoredSigning {
    let row = json!({
        "practice_id": Uuid::from_u128(1), "practice": "Lakeside", "time_zone": null, "practice_state": "active", "agreement_in_force": true,
        "link_id": Uuid::from_u128(2), "expires_at": NOW.0 + 1, "revoked_at": null, "used_at": null, "tries": 0,
        "claim_id": Uuid::from_u128(3), "version": 5, "status": "in_report", "signing_status": "needed",
        "claim_number": "PCN-1001", "payer_name": "Acme Health", "date_of_service": "2026-01-02", "billed_cents": 12_345, "denied_cents": null,
        "key_version": 1, "sealed": "blob",
    });
    serde_json::from_value(row).unwrap()
}

#[test]
fn a_link_opens_while_a_signature_is_needed() {
    assert!(open(Some(&stored()), false, NOW).is_ok());
    let shut: [fn(&mut StoredSigning); 10] = [
        |stored| stored.revoked_at = Some(NOW),
        |stored| stored.used_at = Some(NOW),
        |stored| stored.expires_at = NOW,
        |stored| stored.tries = 5,
        |stored| stored.practice_state = "inactive".into(),
        |stored| stored.agreement_in_force = false,
        |stored| stored.signing_status = SigningStatus::NotNeeded,
        |stored| stored.signing_status = SigningStatus::Signed,
        |stored| stored.status = ClaimStatus::Recovered,
        |stored| stored.status = ClaimStatus::Closed,
    ];
    for (n, shut) in shut.into_iter().enumerate() {
        let mut stored = stored();
        shut(&mut stored);
        let refused = open(Some(&stored), false, NOW).map(drop);
        assert_eq!(refused, Err(NO_LINK), "{n}");
    }
    assert_eq!(open(None, false, NOW).map(drop), Err(NO_LINK));
}

#[test]
fn the_fifth_try_is_the_last() {
    let tried = |tries| StoredSigning { tries, ..stored() };
    assert!(open(Some(&tried(5)), true, NOW).is_ok());
    assert!(open(Some(&tried(6)), true, NOW).is_err());
    assert!(open(Some(&tried(4)), false, NOW).is_ok());
}

#[test]
fn a_proof_is_of_the_text_as_it_was_shown() {
    let (stored, patient) = (stored(), item().patient);
    let digest = stored.document(&patient, NOW, Language::English).digest();
    let shown = Shown { at: NOW, digest };
    assert!(shown.is_of(&stored.document(&patient, NOW, Language::English)));
    let corrected = StoredSigning { billed_cents: Cents::new(1), ..stored.clone() };
    assert!(!shown.is_of(&corrected.document(&patient, NOW, Language::English)));
    let spanish = stored.document(&patient, NOW, Language::Spanish);
    assert!(!shown.is_of(&spanish));
    let next_day = NOW.plus(86_400_000);
    assert!(!shown.is_of(&stored.document(&patient, next_day, Language::English)));
    // The practice set its time zone between the two steps: the patient sees the new text before it is signed.
    let zoned = StoredSigning { time_zone: Some(UsZone::Central), ..stored };
    let text = zoned.document(&patient, NOW, Language::English);
    assert!(!shown.is_of(&text));
    let shown = Shown { digest: text.digest(), ..shown };
    assert!(shown.is_of(&zoned.document(&patient, NOW, Language::English)));
}
