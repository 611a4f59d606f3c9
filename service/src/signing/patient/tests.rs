use super::*;
use crate::claim_changes::{testing, unchanged};
use crate::signing::proof::Shown;
use crate::signing::signature::Relation;
use overturn_core::base::sql::WriteParam;
use overturn_core::testing::item;
use uuid::Uuid;

const NOW: Instant = Instant(1_772_625_600_000);

fn ctx() -> Ctx {
    Ctx::new(NOW, [1; 32])
}

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

fn typed(name: &str) -> SignatureInput {
    SignatureInput { relation: Relation::Parent, name: Some(name.into()), drawing: None }
}

fn place() -> ClientOrigin {
    ClientOrigin { ip: "192.0.2.1".into(), agent: "Browser".into() }
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
fn a_date_of_birth_is_the_patients_or_not() {
    let patient = item().patient;
    assert!(stored().is_born(&patient, patient.date_of_birth));
    let other = Date::parse("1980-02-28").unwrap();
    assert!(!stored().is_born(&patient, other));
}

/// The signature that a change seals.
fn signature(change: &Change) -> SealedSignature {
    let params = change.writes.iter().filter_map(|write| match write {
        Write::Sql(statement) => Some(&statement.params),
        _ => None,
    });
    let mut sealed = params.flatten().filter_map(|param| match param {
        WriteParam::Sealed(seal) => Some(&seal.value),
        _ => None,
    });
    serde_json::from_slice(sealed.next().unwrap()).unwrap()
}

#[test]
fn a_signature_holds_the_exact_text_and_its_claim_is_signed_for() {
    let (stored, patient) = (stored(), item().patient);
    let document = stored.document(&patient, NOW, Language::English);
    let given = typed("Zoë O'Neil");
    let change = stored.sign(given, &document, &place(), &ctx());
    let secret = signature(&change);
    assert_eq!(secret.text, document.text());
    assert!(secret.text.contains("Patient: Jane Doe\n"));
    assert_eq!(secret.relation, Relation::Parent);
    assert_eq!(secret.name.as_deref(), Some("Zoë O'Neil"));
    assert_eq!((secret.signed_at, &*secret.ip), (NOW, "192.0.2.1"));
    let changed = change.writes.iter().find_map(testing::changed).unwrap();
    assert_eq!(changed[0]["signing"], "signed");
    assert_eq!((&changed[0]["status"], &changed[0]["version"]), (&json!("in_report"), &json!(5)));
    let [readable, Guard::Sql(_), claim] = &change.guards[..] else { panic!("{:?}", change.guards) };
    assert_eq!(*readable, Guard::Readable(stored.practice_id));
    let seen = (stored.practice_id, stored.claim_id, 5);
    assert_eq!(*claim, unchanged(&[seen]));
    let printed = format!("{change:?} {secret:?} {stored:?}");
    for secret in ["Zoë", "Jane", "blob", "Browser"] {
        assert!(!printed.contains(secret), "{secret}");
    }
}

#[test]
fn the_trail_names_no_patient() {
    let stored = stored();
    let shown = stored.show(&ctx());
    let refused = stored.refusal(&place(), &ctx());
    let signed =
        stored.sign(typed("Jane Doe"), &stored.document(&item().patient, NOW, Language::English), &place(), &ctx());
    let entries = [&shown, &signed].map(|change| match change.writes.first() {
        Some(Write::Audit(entry)) => entry.clone(),
        other => panic!("{other:?}"),
    });
    for entry in entries.iter().chain([&refused]) {
        assert_eq!(entry.practice_id, Some(stored.practice_id));
        assert_eq!(entry.record, stored.claim_id.to_string());
        let detail = entry.detail.as_ref().unwrap();
        // The person who entered the correct date is the patient.
        let is_refused = entry.event == refused.event;
        assert_eq!(detail["ip"] == "192.0.2.1", is_refused, "{detail}");
        assert!(!detail.to_string().contains("Jane") && !detail.to_string().contains("1980"));
    }
}

#[test]
fn a_signature_keeps_the_language_of_its_text() {
    let (stored, patient) = (stored(), item().patient);
    let document = stored.document(&patient, NOW, Language::Spanish);
    let given = typed("Zoë");
    let change = stored.sign(given, &document, &place(), &ctx());
    let secret = signature(&change);
    assert!(secret.text.contains("Paciente: Jane Doe\n"));
    assert_eq!((&*secret.version, secret.language), ("2026-11-22", Language::Spanish));
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
