use super::*;
use crate::accounts::passkeys::enrolment::{
    CheckedRegistration, Enrolling, Registration, RequestedPasskey, begin, enrol, question,
};
use crate::accounts::recovery::RecoveryCode;
use crate::auth::session::SessionKind;
use crate::plan::accounts::SessionsToEnd;
use crate::testing::{parse, test};

const BODY: &[u8] = br#"{"name":"Front desk","credential":{"id":"Y3JlZA"}}"#;

fn many(count: u32) -> Vec<StoredPasskey> {
    (0..count).map(|_| passkey()).collect()
}

fn enrolled(
    person: &Person,
    passkeys: &[StoredPasskey],
    is_spent: bool,
    credential: Option<NewCredential>,
) -> Result<Change, RequestError> {
    let of = Enrolling { account: &account(), passkeys, is_spent, codes: &[RecoveryCode::mint([3; 15])] };
    let checked = CheckedRegistration { credential, spent: spent() };
    with(|setting| enrol(parse::<RequestedPasskey>(BODY).unwrap(), checked, of, person, setting))
}

#[test]
fn the_first_second_factor_makes_the_session_full_and_shows_recovery_codes() {
    let change = enrolled(&person(false), &[], false, Some(credential())).unwrap();
    let first = change.answer.first();
    assert_eq!(change.answer.status, 201);
    assert_eq!((&first["name"], &first["synced"]), (&json!("Front desk"), &json!(true)));
    assert_eq!(first["recovery_codes"].as_array().unwrap().len(), 1);
    assert!(change.answer.kept()["recovery_codes"].is_null());
    assert!(writes(&change, |write| matches!(
        write,
        AccountsWrite::SessionTurned(turn)
            if turn.kind == SessionKind::Full && turn.epoch == 4 && turn.verified_at == Some(NOW)
    )));
    assert!(writes(&change, |write| matches!(
        write,
        AccountsWrite::SessionsEnded(SessionsToEnd::Others(USER, SESSION))
    )));
    assert!(writes(&change, |write| matches!(write, AccountsWrite::Epoch { epoch: 4, .. })));
    assert!(writes(&change, |write| matches!(write, AccountsWrite::RecoveryCodes(_))));
    assert_enrolled(&change);
}

#[test]
fn another_passkey_changes_no_session_and_no_recovery_code() {
    let change = enrolled(&person(true), &many(19), false, Some(credential())).unwrap();
    assert!(change.answer.first().get("recovery_codes").is_none());
    assert!(!writes(&change, |write| matches!(
        write,
        AccountsWrite::SessionTurned(_)
            | AccountsWrite::SessionsEnded(_)
            | AccountsWrite::Epoch { .. }
            | AccountsWrite::RecoveryCodes(_)
    )));
    assert_enrolled(&change);
}

fn assert_enrolled(change: &Change) {
    assert!(guards(change, AccountsGuard::ProofUnspent("hash".into())));
    assert!(guards(change, AccountsGuard::CredentialFree("Y3JlZA".into())));
    assert!(guards(change, AccountsGuard::PasskeysBelow { user: USER, bound: 20 }));
    assert!(writes(change, |write| matches!(write, AccountsWrite::ProofSpent(_))));
    assert!(writes(change, |write| matches!(
        write,
        AccountsWrite::NewPasskey(new) if new.user_id == USER && new.credential == credential()
    )));
    let letters = mailed(change);
    assert!(matches!(
        &letters[..],
        [LetterKind::PasskeyChanged { name, added: true }] if !name.is_empty()
    ));
}

#[test]
fn what_cannot_be_enrolled_says_why() {
    let refused = enrolled(&person(true), &[], false, None).unwrap_err();
    assert_eq!(said(refused), ["credential is not right"]);
    for (passkeys, is_spent) in [(many(20), false), (many(0), true)] {
        let refused = enrolled(&person(true), &passkeys, is_spent, Some(credential()));
        assert!(matches!(refused.unwrap_err(), RequestError::Conflict(..)));
    }
    assert!(matches!(begin(&account(), &many(20), rp()).unwrap_err(), RequestError::Conflict(..)));
    let begun = begin(&account(), &many(19), rp()).unwrap();
    assert_eq!((begun.exclude.len(), begun.user_id), (19, USER));
}

#[test]
fn a_registration_belongs_to_the_account_that_began_it() {
    let registration = |user_id| {
        let state = "state".into();
        opened(Registration { user_id, state })
    };
    let asked = parse::<RequestedPasskey>(BODY).unwrap();
    let ask = |ceremony: Option<&OpenedCeremony<Registration>>| question(ceremony, &asked, &person(true), rp());
    let (question, mark) = ask(Some(&registration(USER))).unwrap();
    assert_eq!((&*question.state, mark), ("state", spent()));
    for ceremony in [None, Some(registration(OTHER))] {
        let refused = ask(ceremony.as_ref()).unwrap_err();
        assert!(matches!(refused, RequestError::Conflict(..)));
    }
}
