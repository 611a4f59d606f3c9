use super::*;
use crate::accounts::account::{Account, PracticeFacts};
use crate::accounts::continuation::StoredFactor;
use crate::accounts::password::Check;
use crate::accounts::recovery::RecoveryCode;
use crate::accounts::sign_in::{FirstFactor, by_password, passed};
use crate::auth::disclosure::AgreementState;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::base::id::{FactorId, PracticeId};
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::base::secret::ContinuationToken;
use crate::base::totp::TotpSecret;
use crate::plan::accounts::{CONTINUATION_MS, ClientOrigin, NewContinuation};
use crate::plan::{AccountsGuard, AccountsWrite};
use crate::testing::{parse, test};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const SESSION: SessionId = SessionId(Uuid::from_u128(7));

fn secret() -> TotpSecret {
    TotpSecret::new([9; 20])
}

fn account(enrolled: bool) -> Account {
    Account {
        user_id: UserId(Uuid::from_u128(1)),
        practice_id: Some(PracticeId(Uuid::from_u128(2))),
        practice_name: Some("Cedar Hill".into()),
        role: Role::Owner,
        epoch: 3,
        name: "Ann".into(),
        email: "ann@a.example".into(),
        password_hash: None,
        enrolled,
        practice: Some(PracticeFacts {
            state: "active".into(),
            agreement: AgreementState::InForce,
            appeal_button: false,
            sso_required: false,
            last_owner: false,
        }),
    }
}

fn stored(session_id: Option<SessionId>) -> StoredContinuation {
    let account = account(true);
    let recovery = RecoveryCode::mint([3; 15]).hash(account.user_id);
    StoredContinuation {
        account,
        epoch: 3,
        session_id,
        sso: false,
        expires_at: NOW.plus(1),
        used: false,
        attempts: 1,
        factor: Some(StoredFactor {
            id: FactorId(Uuid::from_u128(5)),
            key_version: KeyVersion(1),
            sealed: String::new(),
            last_step: None,
        }),
        recovery: [recovery].into(),
    }
}

fn shown(code: &str) -> PresentedFactor {
    let token = ContinuationToken::mint([4; 32]);
    let body = json!({ "continuation_token": token.expose(), "code": code }).to_string();
    parse(body.as_bytes()).unwrap()
}

fn with<T>(then: impl FnOnce(SignInContext<'_>) -> T) -> T {
    let ctx = Ctx::new(NOW, [1; 32]);
    let place = ClientOrigin::default();
    then(SignInContext {
        browser: crate::accounts::new_session::Browser::default(),
        place: &place,
        random: [6; 32],
        ctx: &ctx,
    })
}

fn try_code(
    code: &str,
    stored: &StoredContinuation,
    session: Option<ConfirmingSession>,
) -> Result<Change, RequestError> {
    let opened = OpenedFactors { secret: Some(secret()), passkey: None };
    with(|setting| show(&shown(code), stored, opened, session, setting))
}

#[test]
fn a_right_code_begins_a_session_and_is_spent_with_it() {
    let change = try_code(&secret().code_at(NOW), &stored(None), None).unwrap();
    let user = account(true).user_id;
    let factor = FactorId(Uuid::from_u128(5));
    let step = NOW.0 / 30_000;
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::Step { user, factor, step })));
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::InUse { user, epoch: 3 })));
    let hash = ContinuationToken::mint([4; 32]).hash();
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::Continuation(hash))));
    let spent = change.writes.iter().any(|write| matches!(write, Write::Accounts(AccountsWrite::FactorStep { .. })));
    let used = change.writes.iter().any(|write| matches!(write, Write::Accounts(AccountsWrite::ContinuationUsed(_))));
    let began = change.writes.iter().any(|write| matches!(write, Write::Accounts(AccountsWrite::NewSession(_))));
    assert!(spent && used && began);
    assert_eq!(change.answer.body["session"]["kind"], "full");
    assert_eq!(change.answer.body["practice"]["name"], "Cedar Hill");
}

#[test]
fn every_failed_sign_in_gets_the_same_answer() {
    let good = secret().code_at(NOW);
    let broken: [fn(&mut StoredContinuation); 6] = [
        |stored| stored.used = true,
        |stored| stored.expires_at = NOW,
        |stored| stored.attempts = 6,
        |stored| stored.epoch = 2,
        |stored| stored.session_id = Some(SESSION),
        |stored| stored.factor.as_mut().unwrap().last_step = Some(NOW.0 / 30_000),
    ];
    for (nth, breaks) in broken.into_iter().enumerate() {
        let mut stored = stored(None);
        breaks(&mut stored);
        let failed = try_code(&good, &stored, None).unwrap_err();
        assert_eq!(failed, RequestError::SignInFailed, "{nth}");
    }
    for wrong in ["000000", "12", "not a code", "0303-0303-0303-0303"] {
        let failed = try_code(wrong, &stored(None), None).unwrap_err();
        assert_eq!(failed, RequestError::SignInFailed, "{wrong}");
    }
}

#[test]
fn the_fifth_attempt_still_counts() {
    let mut stored = stored(None);
    stored.attempts = 5;
    assert!(try_code(&secret().code_at(NOW), &stored, None).is_ok());
}

#[test]
fn a_recovery_code_of_this_account_works_once() {
    let code = RecoveryCode::mint([3; 15]);
    let change = try_code(code.expose(), &stored(None), None).unwrap();
    let user = account(true).user_id;
    let hash = code.hash(user);
    assert!(change.guards.contains(&Guard::Accounts(AccountsGuard::RecoveryCode { user, hash })));
    let mut other = stored(None);
    other.account.user_id = UserId(Uuid::from_u128(99));
    let failed = try_code(code.expose(), &other, None).unwrap_err();
    assert_eq!(failed, RequestError::SignInFailed);
}

#[test]
fn a_session_shows_its_own_second_factor_from_its_own_page() {
    let code = secret().code_at(NOW);
    let ask = |session| try_code(&code, &stored(Some(SESSION)), session);
    let again = |id, proven| Some(ConfirmingSession { id, proven });
    assert_eq!(ask(None).unwrap_err(), RequestError::SignInFailed);
    let other = SessionId(Uuid::from_u128(8));
    assert_eq!(ask(again(other, true)).unwrap_err(), RequestError::SignInFailed);
    let unproven = ask(again(SESSION, false)).unwrap_err();
    assert!(matches!(unproven, RequestError::NotAuthorized(..)));
    let change = ask(again(SESSION, true)).unwrap();
    assert_eq!(change.answer.status, 204);
    let turned = change.writes.iter().find_map(|write| match write {
        Write::Accounts(AccountsWrite::SessionTurned(turn)) => Some(turn.clone()),
        _ => None,
    });
    let turned = turned.unwrap();
    assert_eq!((turned.id, turned.verified_at), (SESSION, Some(NOW)));
    assert_eq!(turned.hash, SessionToken::mint([6; 32]).hash());
}

#[test]
fn a_password_leads_to_a_code_and_without_a_factor_to_its_enrolment_only() {
    let right = Check::Right { outdated: false };
    with(|setting| {
        for (account, check) in [(None, right), (Some(&account(true)), Check::Wrong)] {
            let failed = by_password(account, true, check, None, setting).unwrap_err();
            assert_eq!(failed, RequestError::SignInFailed);
        }
        let asked = by_password(Some(&account(true)), true, right, None, setting).unwrap();
        assert!(asked.ask.is_some() && asked.change.after.is_empty());
        let hash = asked.ask.unwrap().hash();
        let stored = asked.change.writes.iter().find_map(|write| match write {
            Write::Accounts(AccountsWrite::NewContinuation(new)) => Some(new.clone()),
            _ => None,
        });
        let NewContinuation { hash: kept, expires_at, .. } = stored.unwrap();
        assert_eq!((kept, expires_at), (hash, NOW.plus(CONTINUATION_MS)));

        let begun = passed(&account(false), FirstFactor::MagicLink, setting);
        assert!(begun.ask.is_none());
        let kind = begun.change.writes.iter().find_map(|write| match write {
            Write::Accounts(AccountsWrite::NewSession(new)) => Some((new.kind, new.verified_at)),
            _ => None,
        });
        assert_eq!(kind, Some((SessionKind::Enrolment, None)));
    });
}

#[test]
fn nothing_of_a_code_or_a_secret_is_printed() {
    let code = secret().code_at(NOW);
    let stored = stored(None);
    let change = try_code(&code, &stored, None).unwrap();
    let printed = format!("{:?} {:?} {change:?}", shown(&code), stored);
    let token = ContinuationToken::mint([4; 32]);
    let session = SessionToken::mint([6; 32]);
    for hidden in [&*code, token.expose(), session.expose(), "ann@a.example"] {
        assert!(!printed.contains(hidden), "{hidden}");
    }
}
