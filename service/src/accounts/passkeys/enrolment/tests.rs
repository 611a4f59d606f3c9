use super::*;
use crate::accounts::tests::{Accounts, FIRST, MEMBER, NOW, OWNER, SESSION, assert_guarded, mailed, passkey, with};
use crate::request::secret::SessionToken;
use crate::store::error::FailedGuard;
use crate::testing::decisions::{parse, said};

const BODY: &[u8] = br#"{"name":"Laptop","credential":{"id":"Y3JlZA"}}"#;

fn rp() -> RelyingParty {
    RelyingParty { id: "overturn.example".into(), origins: Vec::new() }
}

fn spent() -> SpentProof {
    SpentProof { hash: "proof".into(), expires_at: NOW.plus(1) }
}

fn credential() -> NewCredential {
    NewCredential { id: "Y3JlZA".into(), ..passkey(FIRST, OWNER).credential }
}

/// The enrollment of another passkey by the owner.
fn enrol_one(
    a: &mut Accounts,
    person: &Person,
    is_spent: bool,
    credential: Option<NewCredential>,
) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let account = a.account();
    let passkeys = a.read(&of_caller("session"));
    let codes = [RecoveryCode::mint([1; 15])];
    let of = Enrolling { account: &account, passkeys: &passkeys, is_spent, codes: &codes };
    let checked = CheckedRegistration { credential, spent: spent() };
    let change = with(&ctx, |setting| enrolled(parse(BODY).unwrap(), checked, of, person, setting))?;
    Ok((ctx, change))
}

fn enrol_right(a: &mut Accounts, is_enrolled: bool) -> (Ctx, Change) {
    let person = Person { enrolled: is_enrolled, ..a.owner() };
    enrol_one(a, &person, false, Some(credential())).unwrap()
}

fn assert_enrolled(a: &mut Accounts, ctx: &Ctx, change: &Change) {
    assert_eq!(change.answer.status, 201);
    assert_eq!(a.commit(ctx, change), Ok(()));
    let stored = a.rows("SELECT user_id, name, public_key FROM passkeys WHERE credential_id = 'Y3JlZA'");
    assert_eq!(stored, format!("{OWNER} Laptop a2V5"));
    assert_eq!(a.rows("SELECT hash FROM spent_proofs"), "proof");
    let letters = mailed(change);
    assert!(matches!(&letters[..], [LetterKind::PasskeyChanged { name, added: true }] if name == "Laptop"));
}

#[test]
fn the_first_second_factor_makes_the_session_full_and_shows_recovery_codes() {
    let mut a = Accounts::new();
    a.f.db.execute_batch("UPDATE sessions SET kind = 'enrolment', verified_at = NULL").unwrap();
    let (ctx, change) = enrol_right(&mut a, false);
    let first = change.answer.first();
    assert_eq!((&first["name"], &first["synced"]), (&json!("Laptop"), &json!(true)));
    assert_eq!(first["recovery_codes"].as_array().unwrap().len(), 1);
    assert!(change.answer.kept()["recovery_codes"].is_null());
    assert_enrolled(&mut a, &ctx, &change);
    assert_eq!(a.sessions(), format!("{} member", SessionToken::mint([6; 32]).hash()));
    let session = a.rows(&format!("SELECT kind, epoch, verified_at FROM sessions WHERE id = '{SESSION}'"));
    assert_eq!(session, format!("full 2 {}", NOW.0));
    assert_eq!(a.f.count("SELECT count(*) FROM recovery_codes"), 1);
}

#[test]
fn another_passkey_changes_no_session_and_no_recovery_code() {
    let mut a = Accounts::new();
    let (ctx, change) = enrol_right(&mut a, true);
    assert!(change.answer.first().get("recovery_codes").is_none());
    assert_enrolled(&mut a, &ctx, &change);
    assert_eq!(a.sessions(), "session elsewhere member");
    assert_eq!(a.f.count("SELECT count(*) FROM recovery_codes"), 2);
    assert_eq!(a.rows(&format!("SELECT epoch FROM users WHERE id = '{OWNER}'")), "1");
}

#[test]
fn a_registration_is_used_once_and_a_credential_belongs_to_one_passkey() {
    let taken = format!("UPDATE passkeys SET credential_id = 'Y3JlZA' WHERE user_id = '{MEMBER}'");
    let many = format!(
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 18)
         INSERT INTO passkeys SELECT user_id, 'p' || n, 'c' || n, public_key, sign_count, backup_eligible, backed_up,
           transports, name, created_at, NULL FROM n, passkeys WHERE id = '{FIRST}'"
    );
    let broken = [
        ("INSERT INTO spent_proofs VALUES ('proof', 1900000000000)", FailedGuard::Secret),
        (&taken, FailedGuard::Record),
        (&many, FailedGuard::Record),
    ];
    assert_guarded(|a| enrol_right(a, true), &broken);
}

#[test]
fn what_cannot_be_enrolled_says_why() {
    let mut a = Accounts::new();
    let person = a.owner();
    let refused = enrol_one(&mut a, &person, false, None).map(drop).unwrap_err();
    assert_eq!(said(refused), ["credential is not right"]);
    let used = enrol_one(&mut a, &person, true, Some(credential()));
    assert!(matches!(used, Err(RequestError::Conflict(..))));
    let account = a.account();
    let many = |count| vec![passkey(FIRST, OWNER); count];
    assert!(matches!(options(&account, &many(20), rp()), Err(RequestError::Conflict(..))));
    let begun = options(&account, &many(19), rp()).unwrap();
    assert_eq!((begun.exclude.len(), begun.user_id), (19, OWNER));
}

#[test]
fn a_registration_belongs_to_the_account_that_began_it() {
    let person = Accounts::new().owner();
    let registration = |user_id| {
        let content = Registration { user_id, state: "state".into() };
        OpenedCeremony { content, spent: spent() }
    };
    let asked = parse::<RequestedPasskey>(BODY).unwrap();
    let ask = |ceremony: Option<&OpenedCeremony<Registration>>| question(ceremony, &asked, &person, rp());
    let (question, mark) = ask(Some(&registration(OWNER))).unwrap();
    assert_eq!((&*question.state, mark), ("state", spent()));
    for ceremony in [None, Some(registration(MEMBER))] {
        let refused = ask(ceremony.as_ref()).unwrap_err();
        assert!(matches!(refused, RequestError::Conflict(..)));
    }
}
