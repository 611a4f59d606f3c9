//! Tests of joining.

use super::*;
use crate::accounts::link;
use crate::accounts::link::tests::{stored, token, with_setting};
use crate::base::instant::Instant;
use crate::plan::AccountsGuard;
use crate::plan::AccountsWrite;
use crate::plan::accounts::LinkKind;
use crate::request::error::RequestError;
use crate::testing::parse as parsed;
use crate::testing::said;
use crate::testing::test;
use alloc::format;
use alloc::string::ToString as _;

const NOW: Instant = Instant(1_800_000_000_000);

fn joined(stored: &link::StoredLink) -> Result<Change, RequestError> {
    let opened = link::open(&token(), Some(stored), LinkKind::Invitation, NOW)?;
    Ok(with_setting(|setting| join(&opened, "Ann".into(), "hash".into(), setting)))
}

#[test]
fn joining_uses_up_every_invitation_of_the_account() {
    let stored = stored(LinkKind::Invitation);
    let user = stored.account.user_id;
    let change = joined(&stored).unwrap();
    let practice = stored.account.practice_id;
    assert!(practice.is_some());
    assert_eq!(
        change.guards,
        [
            Guard::Accounts(AccountsGuard::Unchanged { practice, user, epoch: 3 }),
            Guard::Accounts(AccountsGuard::Link(token().hash()))
        ]
    );
    let has = |wanted: &dyn Fn(&Write<'_>) -> bool| change.writes.iter().any(wanted);
    assert!(has(
        &|w| matches!(w, Write::Accounts(AccountsWrite::UserJoined { user: id, name, password_hash: hash }) if *id == user && name == "Ann" && hash == "hash")
    ));
    assert!(has(&|w| matches!(w, Write::Accounts(AccountsWrite::Epoch { user: _, epoch: 4 }))));
    assert!(has(&|w| matches!(w, Write::Accounts(AccountsWrite::LinkUsed(_)))));
    assert!(change.after.is_empty());
}

#[test]
fn a_person_invited_by_the_operator_joins_the_staff() {
    let mut stored = stored(LinkKind::Invitation);
    stored.account.practice_id = None;
    let change = joined(&stored).unwrap();
    let user = stored.account.user_id;
    assert_eq!(change.guards[0], Guard::Accounts(AccountsGuard::Unchanged { practice: None, user, epoch: 3 }));
    let audit = change.writes.iter().find_map(|write| match write {
        Write::Audit(entry) => Some(entry.practice_id),
        _ => None,
    });
    assert_eq!(audit, Some(None));
}

#[test]
fn every_problem_is_listed_and_a_name_is_kept_without_space_around_it() {
    let parse = |name: &str, password: &str| {
        let token = token();
        let body = json!({ "token": token.expose(), "name": name, "password": password });
        parsed::<AcceptedInvitation>(body.to_string())
    };
    let long = "x".repeat(201);
    let problems = ["name must be at most 200 characters", "password is too common"];
    let found = parse(&long, "passwordpassword").unwrap_err();
    assert_eq!(said(found), problems);
    let hidden = parse("Ann\u{202e}", "correct horse battery").unwrap_err();
    assert_eq!(said(hidden), ["name must have printable characters only"]);
    let joining = parse("  Zoë Ann ", "correct horse battery").unwrap();
    assert_eq!(joining.name, "Zoë Ann");
    assert!(!format!("{joining:?}").contains("Ann"));
}

#[test]
fn an_invitation_shows_its_address_and_practice_and_stays_usable() {
    let mut stored = stored(LinkKind::Invitation);
    let shown = |stored: &link::StoredLink| {
        let opened = link::open(&token(), Some(stored), LinkKind::Invitation, NOW).unwrap();
        view(&opened)
    };
    let seen = shown(&stored);
    assert_eq!(seen.email, stored.account.email);
    assert_eq!(seen.practice_name, stored.account.practice_name);
    assert!(seen.practice_name.is_some());
    stored.account.practice_name = None;
    assert_eq!(shown(&stored).practice_name, None);
    assert!(joined(&stored).is_ok());
}
