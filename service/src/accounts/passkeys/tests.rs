use super::assertion::PasskeySignIn;
use super::*;
use crate::accounts::tests::{
    Accounts, FACTOR, FIRST, MEMBER, NOW, OWNER, PASSKEY_OF_MEMBER, SECOND, SESSION, assert_guarded, at_sign_in,
    mailed, passkey, with,
};
use crate::request::secret::SessionToken;
use crate::store::error::FailedGuard;
use crate::testing::decisions::{parse, said};

fn remove_one(a: &mut Accounts, id: PasskeyId) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let (person, account) = (a.owner(), a.account());
    let stored = a.read(&own("session", id));
    let session = a.read(&sessions::state("session")).unwrap();
    let change = with(&ctx, |setting| removed(stored, (&account, session), &person, setting))?;
    Ok((ctx, change))
}

#[test]
fn a_passkey_is_read_back_as_it_was_written() {
    let mut a = Accounts::new();
    let listed = a.read(&of_caller("session"));
    assert_eq!(listed, [passkey(FIRST, OWNER), passkey(SECOND, OWNER)]);
    assert_eq!(a.read(&of_continuation(&at_sign_in().hash())), listed);
    assert!(a.read(&of_continuation("none")).is_empty());
    assert!(a.read(&of_caller("none")).is_empty());
}

#[test]
fn nothing_of_a_key_or_credential_is_shown() {
    let shown = serde_json::to_string(&listed(&[passkey(FIRST, OWNER)])).unwrap();
    for hidden in ["credential", "a2V5"] {
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

#[test]
fn the_same_name_changes_nothing() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let person = a.owner();
    let named = |a: &mut Accounts, id, name: &str| {
        let stored = a.read(&own("session", id));
        renamed(parse(json!({ "name": name }).to_string()).unwrap(), stored, &person, &ctx)
    };
    assert!(named(&mut a, FIRST, "Front desk").unwrap().writes.is_empty());
    let change = named(&mut a, FIRST, "Ünïcode").unwrap();
    assert_eq!(change.answer.body["name"], "Ünïcode");
    assert!(matches!(named(&mut a, PASSKEY_OF_MEMBER, "x"), Err(RequestError::NotFound(_))));
    assert_eq!(a.commit(&a.f.ctx(), &change), Ok(()));
    assert_eq!(a.rows("SELECT id FROM passkeys WHERE name = 'Ünïcode'"), FIRST.to_string());
}

#[test]
fn the_last_second_factor_stays() {
    let mut a = Accounts::new();
    assert!(matches!(remove_one(&mut a, PASSKEY_OF_MEMBER), Err(RequestError::NotFound(_))));
    a.f.db.execute_batch("UPDATE factors SET confirmed_at = NULL").unwrap();
    let (ctx, change) = remove_one(&mut a, SECOND).unwrap();
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    a.f.db.execute_batch(&format!("UPDATE sessions SET hash = 'session' WHERE id = '{SESSION}'")).unwrap();
    assert!(matches!(remove_one(&mut a, FIRST), Err(RequestError::Conflict(..))), "the app is not confirmed yet");
    let confirmed = format!("UPDATE factors SET confirmed_at = 1 WHERE id = '{FACTOR}'");
    a.f.db.execute_batch(&confirmed).unwrap();
    assert!(remove_one(&mut a, FIRST).is_ok());
    let others = format!("DELETE FROM factors; DELETE FROM passkeys WHERE id <> '{FIRST}'");
    assert_guarded(|a| remove_one(a, FIRST).unwrap(), &[(&others, FailedGuard::Record)]);
}

#[test]
fn a_removed_passkey_ends_the_other_sessions_and_this_one_is_as_fresh_as_before() {
    let mut a = Accounts::new();
    let (ctx, change) = remove_one(&mut a, FIRST).unwrap();
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.sessions(), format!("{} member", SessionToken::mint([6; 32]).hash()));
    let session = a.rows(&format!("SELECT kind, epoch, verified_at FROM sessions WHERE id = '{SESSION}'"));
    assert_eq!(session, format!("full 2 {}", NOW.plus(-5).0));
    assert_eq!(a.rows("SELECT id FROM passkeys ORDER BY id"), format!("{SECOND}\n{PASSKEY_OF_MEMBER}"));
    let letters = mailed(&change);
    assert!(matches!(&letters[..], [LetterKind::PasskeyChanged { name, added: false }] if name == "Front desk"));
}

#[test]
fn a_passkey_of_a_removed_account_signs_nobody_in() {
    let mut a = Accounts::new();
    let credential = passkey(PASSKEY_OF_MEMBER, MEMBER).credential.id;
    let found = |a: &mut Accounts| a.read(&assertion::passkey_of_credential(&credential));
    let known = found(&mut a).unwrap();
    assert_eq!((known.account.user_id, known.account.enrolled), (MEMBER, true));
    a.f.db.execute_batch("UPDATE users SET state = 'invited' WHERE role = 'member'").unwrap();
    assert!(found(&mut a).is_none());
    a.f.db.execute_batch("UPDATE users SET state = 'active'").unwrap();
    let ctx = a.f.ctx();
    a.f.commit(&ctx, (Vec::new(), crate::accounts::account::removed(MEMBER).into())).unwrap();
    assert!(found(&mut a).is_none());
    assert!(a.read(&of_caller("member")).is_empty());
}
