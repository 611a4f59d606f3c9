use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::testing::decisions::person;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Practices sign a version, so its text must never change: a new text is a new version.
#[test]
fn the_text_of_a_version_is_pinned() {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(TEXT));
    assert_eq!((VERSION, &*digest), ("2026-11-21", "fb4a73b791ae5c0dba376b7ce20cb42da960be61a762b4041e0e9db921a9b5fc"));
    assert!(TEXT.contains(VERSION));
}

fn signed(n: u128, version: &str, ended: bool) -> SignedView {
    SignedView {
        id: AgreementId(Uuid::from_u128(n)),
        version: version.into(),
        signer_name: "Ann".into(),
        signer_title: "Owner".into(),
        signed_at: Time(Instant(1)),
        ended_at: ended.then_some(Time(Instant(2))),
        signed_by: None,
        signed_from: Some("192.0.2.1".into()),
    }
}

fn sign_today(version: &str, history: &[SignedView]) -> Result<(), RequestError> {
    let signature = AgreementSignature {
        kind: (),
        version: version.into(),
        signer_name: "Ann".into(),
        signer_title: "Owner".into(),
    };
    let owner = person(Role::Owner, Action::SignAgreement);
    let ctx = Ctx::new(Instant(3), [3; 32]);
    signed_now(signature, (history, false), (&owner, "192.0.2.1"), &ctx).map(drop)
}

#[test]
fn todays_version_is_signed_where_it_is_not_in_force() {
    let taken = Err(RequestError::Conflict(Reason::AlreadySigned, "this version is signed already"));
    let other =
        Err(RequestError::Conflict(Reason::VersionConflict, "the agreement has another version, read it again"));
    assert_eq!(sign_today(VERSION, &[]), Ok(()));
    assert_eq!(sign_today(VERSION, &[signed(1, "2026-01", false)]), Ok(()));
    assert_eq!(sign_today(VERSION, &[signed(1, VERSION, true)]), Ok(()));
    assert_eq!(sign_today(VERSION, &[signed(1, VERSION, false)]), taken);
    assert_eq!(sign_today("2026-01", &[]), other);
}
