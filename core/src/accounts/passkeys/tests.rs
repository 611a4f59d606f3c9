//! Tests of the rules of passkeys.

mod assertion;
mod enrolment;
mod own;

use super::*;
use crate::accounts::account::Account;
use crate::accounts::ceremony::OpenedCeremony;
use crate::accounts::new_session::{Browser, SignInContext};
use crate::accounts::passkeys::assertion::PasskeySignIn;
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::base::id::{PracticeId, SessionId};
use crate::base::instant::Instant;
use crate::identity::passkeys::RelyingParty;
use crate::plan::accounts::{ClientOrigin, SpentProof};
use crate::plan::change::{After, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::error::RequestError;
use crate::testing::{parse, said, test};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use serde_json::json;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const USER: UserId = UserId(Uuid::from_u128(1));
const OTHER: UserId = UserId(Uuid::from_u128(2));
const SESSION: SessionId = SessionId(Uuid::from_u128(7));
const PASSKEY: PasskeyId = PasskeyId(Uuid::from_u128(8));

fn rp() -> RelyingParty {
    RelyingParty { id: "overturn.example".into(), origins: vec!["https://overturn.example".into()] }
}

fn account() -> Account {
    Account {
        user_id: USER,
        practice_id: Some(PracticeId(Uuid::from_u128(3))),
        practice_name: Some("Cedar Hill".into()),
        role: Role::Owner,
        epoch: 3,
        name: "Ann".into(),
        email: "ann@a.example".into(),
        password_hash: None,
        enrolled: true,
        practice: None,
    }
}

fn person(enrolled: bool) -> Person {
    Person {
        user_id: USER,
        practice_id: account().practice_id,
        role: Role::Owner,
        epoch: 3,
        via: Via::Session(SESSION),
        action: Action::EnrolPasskey,
        enrolled,
        touch: false,
        sso: false,
    }
}

fn credential() -> NewCredential {
    NewCredential {
        id: "Y3JlZA".into(),
        public_key: "a2V5".into(),
        sign_count: 5,
        backup_eligible: true,
        backed_up: true,
        transports: vec!["internal".into()],
    }
}

fn passkey() -> StoredPasskey {
    StoredPasskey {
        id: PASSKEY,
        user_id: USER,
        name: "Front desk".into(),
        created_at: Time(NOW),
        last_used_at: None,
        credential: credential(),
    }
}

fn spent() -> SpentProof {
    SpentProof { hash: "hash".into(), expires_at: NOW.plus(1) }
}

fn opened<T>(content: T) -> OpenedCeremony<T> {
    OpenedCeremony { content, spent: spent() }
}

fn with<T>(then: impl FnOnce(SignInContext<'_>) -> T) -> T {
    let ctx = Ctx::new(NOW, [1; 32]);
    let place = ClientOrigin::default();
    then(SignInContext { browser: Browser::default(), place: &place, random: [6; 32], ctx: &ctx })
}

fn guards(change: &Change, guard: AccountsGuard) -> bool {
    change.guards.contains(&Guard::Accounts(guard))
}

fn writes(change: &Change, is: impl Fn(&AccountsWrite) -> bool) -> bool {
    let accounts = |write: &Write<'_>| matches!(write, Write::Accounts(write) if is(write));
    change.writes.iter().any(accounts)
}

/// The emails of a change.
fn mailed(change: &Change) -> Vec<LetterKind> {
    let letters = change.after.iter().filter_map(|after| match after {
        After::Mail(letter) => Some(letter.says.clone()),
        _ => None,
    });
    letters.collect()
}

#[test]
fn nothing_of_a_key_or_credential_is_shown() {
    let shown = serde_json::to_string(&list(&[passkey()])).unwrap();
    for hidden in ["Y3JlZA", "a2V5"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
    assert!(shown.contains(r#""synced":true"#));
    let given = parse::<PasskeySignIn>(br#"{"credential":{"id":"Y3JlZA"}}"#).unwrap().credential;
    assert_eq!(given.id(), "Y3JlZA");
    assert_eq!(format!("{given:?}"), "Credential(…)");
}

#[test]
fn a_credential_is_an_object_of_limited_size() {
    let problems = |body: &str| said(parse::<PasskeySignIn>(body.as_bytes()).unwrap_err());
    assert_eq!(problems("{}"), ["credential is required"]);
    assert_eq!(problems(r#"{"credential":null}"#), ["credential is required"]);
    assert_eq!(problems(r#"{"credential":"x"}"#), ["credential must be an object"]);
    let long = format!(r#"{{"credential":{{"id":"{}"}}}}"#, "x".repeat(BODY_MAX));
    assert_eq!(problems(&long), ["credential is too long"]);
    let deep = format!(r#"{{"credential":{{"id":{}{}}}}}"#, "[".repeat(9000), "]".repeat(9000));
    assert!(matches!(parse::<PasskeySignIn>(deep.as_bytes()).unwrap_err(), RequestError::Malformed(_)));
    // A credential without an id is one of an unknown passkey.
    assert_eq!(parse::<PasskeySignIn>(br#"{"credential":{"id":7}}"#).unwrap().credential.id(), "");
}
