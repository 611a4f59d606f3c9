//! Tests of links.

use super::*;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::base::id::{PracticeId, UserId};
use crate::plan::accounts::ClientOrigin;
use crate::plan::{AccountsGuard, AccountsWrite};
use crate::testing::test;
use alloc::vec::Vec;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

/// Shared by the tests of mailed links.
pub(crate) fn stored(kind: LinkKind) -> StoredLink {
    StoredLink {
        account: Account {
            user_id: UserId(Uuid::from_u128(1)),
            practice_id: Some(PracticeId(Uuid::from_u128(2))),
            practice_name: Some("Lakeside".into()),
            role: Role::Member,
            epoch: 3,
            name: String::new(),
            email: "ann@lakeside.example".into(),
            password_hash: None,
            enrolled: true,
            practice: None,
        },
        state: match kind {
            LinkKind::Invitation => UserState::Invited,
            LinkKind::SignIn | LinkKind::PasswordReset => UserState::Active,
        },
        kind,
        epoch: 3,
        expires_at: NOW.plus(1),
        used: false,
    }
}

pub(crate) fn token() -> LinkToken {
    LinkToken::mint([7; 32])
}

pub(crate) fn with_setting<T>(act: impl FnOnce(SignInContext<'_>) -> T) -> T {
    let place = ClientOrigin { ip: "192.0.2.1".into(), agent: "tests".into() };
    act(SignInContext {
        browser: crate::accounts::new_session::Browser::default(),
        place: &place,
        random: [9; 32],
        ctx: &Ctx::new(NOW, [1; 32]),
    })
}

fn opens(stored: &StoredLink, kind: LinkKind) -> bool {
    open(&token(), Some(stored), kind, NOW).is_ok()
}

const KINDS: [LinkKind; 3] = [LinkKind::SignIn, LinkKind::PasswordReset, LinkKind::Invitation];

#[test]
fn a_link_opens_what_it_was_made_for_and_nothing_else() {
    for of in KINDS {
        for asked in KINDS {
            assert_eq!(opens(&stored(of), asked), of == asked);
        }
    }
}

#[test]
fn a_link_that_is_used_expired_or_of_an_account_that_changed_opens_nothing() {
    for kind in KINDS {
        let good = stored(kind);
        let mut older = good.clone();
        older.account.epoch = 4;
        let joined = match good.state {
            UserState::Invited => UserState::Active,
            UserState::Active => UserState::Invited,
        };
        for bad in [
            StoredLink { used: true, ..good.clone() },
            StoredLink { expires_at: NOW, ..good.clone() },
            StoredLink { state: joined, ..good.clone() },
            older,
        ] {
            assert!(!opens(&bad, kind), "{bad:?}");
        }
        let unknown = open(&token(), None, kind, NOW);
        assert_eq!(unknown.map(drop), Err(RequestError::SignInFailed));
    }
}

#[test]
fn a_link_that_is_sent_lives_ten_minutes_under_the_rights_of_its_account() {
    let account = stored(LinkKind::SignIn).account;
    let sign_in = with_setting(|setting| send_sign_in(&account, setting)).unwrap();
    let reset = with_setting(|setting| send_password_reset(&account, setting)).unwrap();
    for (change, kind, event) in
        [(sign_in, LinkKind::SignIn, "magic_link.sent"), (reset, LinkKind::PasswordReset, "password.reset_sent")]
    {
        let links: Vec<&NewLink> = change
            .writes
            .iter()
            .filter_map(|write| match write {
                Write::Accounts(AccountsWrite::NewLink(link)) => Some(link),
                _ => None,
            })
            .collect();
        let [link] = *links else {
            panic!("{links:?}");
        };
        assert_eq!((link.kind, link.epoch), (kind, 3));
        assert_eq!(link.expires_at, NOW.plus(600_000));
        let Write::Audit(entry) = &change.writes[0] else {
            panic!("no audit");
        };
        assert_eq!(entry.event.name(), event);
        let [After::Mail(letter)] = &*change.after else {
            panic!("no letter");
        };
        assert_eq!(letter.to.as_str(), "ann@lakeside.example");
        let (LetterKind::SignIn(token) | LetterKind::PasswordReset(token)) = &letter.says else {
            panic!("no link");
        };
        assert_eq!(token.hash(), link.hash);
    }
}

#[test]
fn a_sign_in_by_link_uses_the_link_up_in_the_same_batch() {
    for enrolled in [true, false] {
        let mut stored = stored(LinkKind::SignIn);
        stored.account.enrolled = enrolled;
        let opened = open(&token(), Some(&stored), LinkKind::SignIn, NOW).unwrap();
        let passed = with_setting(|setting| sign_in(&opened, setting));
        assert_eq!(passed.ask.is_some(), enrolled);
        assert!(passed.change.guards.contains(&Guard::Accounts(AccountsGuard::Link(token().hash()))));
        let used = |write: &Write<'_>| matches!(write, Write::Accounts(AccountsWrite::LinkUsed(hash)) if *hash == token().hash());
        assert!(passed.change.writes.iter().any(used));
    }
}
