use super::*;
use crate::accounts::tests::{Accounts, FACTOR, NOW, OWNER, SESSION, assert_guarded, mailed, with};
use crate::request::secret::SessionToken;
use crate::store::error::FailedGuard;

fn new_secret() -> TotpSecret {
    TotpSecret::new([8; 20])
}

/// Begins another app, and confirms it with a code.
fn confirm_with(a: &mut Accounts, code: &str) -> Result<(Ctx, Change), RequestError> {
    let (person, account) = (a.owner(), a.account());
    let ctx = a.f.ctx();
    let begun = begun(&person, &account.email, new_secret(), &ctx);
    assert_eq!(a.commit(&ctx, &begun), Ok(()));
    let id = FactorId(ctx.id(Purpose::Record, 0));
    let ctx = a.f.ctx();
    let waiting = a.read(&waiting_factor("session", id));
    let keys = std::rc::Rc::clone(&a.f.keys);
    let opened = waiting.map(|factor| factor.secret(OWNER, &keys).map(|secret| (factor, secret))).transpose()?;
    let code = crate::testing::decisions::parse(json!({ "factor_id": id, "code": code }).to_string())?;
    let codes = [RecoveryCode::mint([1; 15])];
    let change = with(&ctx, |setting| confirmed_by(&code, opened, (&account, &codes), &person, setting))?;
    Ok((ctx, change))
}

fn confirm(a: &mut Accounts) -> (Ctx, Change) {
    confirm_with(a, &new_secret().code_at(NOW)).unwrap()
}

#[test]
fn a_confirmed_app_replaces_the_earlier_one_and_its_codes_and_ends_the_other_sessions() {
    let mut a = Accounts::new();
    let (ctx, change) = confirm(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.f.count("SELECT count(*) FROM factors WHERE confirmed_at IS NOT NULL AND last_step IS NOT NULL"), 1);
    assert_eq!(a.f.count(&format!("SELECT count(*) FROM factors WHERE id = '{FACTOR}'")), 0);
    assert_eq!(a.read(&codes_left(&SessionToken::mint([6; 32]).hash())).left, 1);
    assert_eq!(a.sessions(), format!("{} member", SessionToken::mint([6; 32]).hash()));
    let session = a.rows(&format!("SELECT kind, epoch, verified_at FROM sessions WHERE id = '{SESSION}'"));
    assert_eq!(session, format!("full 2 {}", NOW.0));
    assert!(matches!(mailed(&change)[..], [LetterKind::FactorChanged]));
    assert!(change.answer.kept()["recovery_codes"].is_null());
    assert_guarded(confirm, &[("UPDATE factors SET last_step = 99999999999", FailedGuard::Secret)]);
}

#[test]
fn only_a_code_of_the_waiting_app_confirms_it() {
    let mut a = Accounts::new();
    let refused = confirm_with(&mut a, &crate::accounts::tests::secret().code_at(NOW));
    assert!(matches!(refused, Err(RequestError::Invalid(_))));
    assert!(a.read(&waiting_factor("session", FACTOR)).is_none(), "it is confirmed");
    let body = json!({ "factor_id": "x", "code": "1" }).to_string();
    let confirmed = crate::testing::decisions::parse::<Confirmed>(body).unwrap();
    assert_eq!(confirmed.factor_id, None, "it is the id of no factor");
    let (person, account, ctx) = (a.owner(), a.account(), a.f.ctx());
    let unknown = with(&ctx, |setting| confirmed_by(&confirmed, None, (&account, &[]), &person, setting));
    assert_eq!(unknown.map(drop), Err(NO_FACTOR));
}

#[test]
fn a_secret_opens_at_its_own_place_only() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let change = begun(&a.owner(), "owner@a.example", new_secret(), &ctx);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let factor = a.read(&waiting_factor("session", FactorId(ctx.id(Purpose::Record, 0)))).unwrap();
    assert!(factor.secret(OWNER, &a.f.keys).is_ok());
    let moved = factor.secret(crate::accounts::tests::MEMBER, &a.f.keys).map(drop);
    assert!(matches!(moved, Err(RequestError::Tampered(_))));
    let unknown = StoredFactor { key_version: KeyVersion(9), ..factor };
    assert_eq!(unknown.secret(OWNER, &a.f.keys).map(drop), Err(RequestError::KeyUnavailable));
}

#[test]
fn new_recovery_codes_replace_the_earlier_ones() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let account = a.account();
    assert_eq!(a.read(&codes_left("session")).left, 2);
    let change = codes_renewed(&a.owner(), &account, &[RecoveryCode::mint([1; 15])], &ctx);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.read(&codes_left("session")).left, 1);
    assert_eq!(a.sessions(), "session elsewhere member");
}
