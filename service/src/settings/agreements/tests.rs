use super::*;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::testing::person;
use uuid::Uuid;

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
