use super::*;
use crate::testing::item;
use alloc::string::ToString;
use uuid::Uuid;

fn key() -> IdentityKey {
    IdentityKey::new(KeyVersion(1), &[3; 32])
}
const PRACTICE: PracticeId = PracticeId(Uuid::nil());

fn tags_of(first: &str, last: &str) -> Tags {
    let mut item = item();
    item.patient.first_name = first.to_string().into();
    item.patient.last_name = last.to_string().into();
    key().tags(PRACTICE, &item)
}

#[test]
fn spellings_of_one_name_are_one_patient() {
    for (a, b) in [
        ("Jane", "JANE"),
        ("Jane", "  jane "),
        ("Mary Ann", "mary\u{a0}\t ann"),
        ("José", "Jose\u{301}"),
        ("ﬁona", "Fiona"),
        ("STRAẞE", "strasse"),
        ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
        ("Ａｎｎ", "ann"),
        ("Å", "Å"),
    ] {
        assert_eq!(tags_of(a, "Doe"), tags_of(b, "doe"), "{a} {b}");
    }
}

#[test]
fn different_names_are_different_patients() {
    let jane = tags_of("Jane", "Doe");
    for (first, last) in
        [("Janet", "Doe"), ("Doe", "Jane"), ("JaneD", "oe"), ("Jane Doe", ""), ("Jané", "Doe"), ("Ja ne", "Doe")]
    {
        assert_ne!(jane.patient, tags_of(first, last).patient, "{first} {last}");
    }
}

#[test]
fn which_mismatch_is_found() {
    let day = |text| Date::parse(text).unwrap();
    let (one, other) = (day("2026-01-02"), day("2026-01-03"));
    let tags = |patient: &str, procedure: Option<&str>| Tags {
        key_version: KeyVersion(1),
        patient: patient.to_string(),
        procedure: procedure.map(ToString::to_string),
    };
    let stored = tags("p", Some("x"));
    use Mismatch::{DifferentClaim, DifferentPatient};
    for (sent, on, found) in [
        (tags("p", Some("x")), one, None),
        (tags("p", None), one, None),
        (tags("p", Some("y")), one, Some(DifferentClaim)),
        (tags("p", Some("x")), other, Some(DifferentClaim)),
        (tags("p", None), other, Some(DifferentClaim)),
        (tags("q", Some("x")), one, Some(DifferentPatient)),
        (tags("q", Some("y")), other, Some(DifferentPatient)),
    ] {
        assert_eq!(mismatch(&sent, on, &stored, one), found);
    }
    assert_eq!(mismatch(&tags("p", Some("y")), one, &tags("p", None), one), None);
}

#[test]
fn tags_are_pinned_and_depend_on_key_practice_and_number() {
    let item = item();
    let tags = key().tags(PRACTICE, &item);
    assert_eq!(tags.patient, "ba5a72a209ed2874bdf4ff8e89c447a3");
    assert_eq!(tags.procedure.as_deref(), Some("8c09cdb397396bf2a2512887485b182a"));
    let elsewhere = key().tags(PracticeId(Uuid::max()), &item);
    assert_ne!(tags.patient, elsewhere.patient);
    assert_ne!(IdentityKey::new(KeyVersion(1), &[4; 32]).tags(PRACTICE, &item).patient, tags.patient);
    let mut renumbered = item.clone();
    renumbered.claim.claim_number = "other".into();
    let renumbered = key().tags(PRACTICE, &renumbered);
    assert_eq!(renumbered.patient, tags.patient);
    assert_ne!(renumbered.procedure, tags.procedure);
}

#[test]
fn a_key_is_not_printed() {
    assert_eq!(alloc::format!("{:?}", key()), "IdentityKey(1)");
}
