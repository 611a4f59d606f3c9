use super::*;
use crate::accounts::tests::{Accounts, INVITED, NOW, assert_guarded, link as token, with};
use crate::store::error::FailedGuard;
use crate::testing::decisions::{parse, said};

const KIND: LinkKind = LinkKind::Invitation;

fn join(a: &mut Accounts) -> (Ctx, Change) {
    let ctx = a.f.ctx();
    let stored = a.read(&link::stored(&token(KIND)));
    let opened = link::open(&token(KIND), stored.as_ref(), KIND, NOW).unwrap();
    let change = with(&ctx, |setting| accepted(&opened, "Ann".into(), "new hash".into(), setting));
    (ctx, change)
}

/// What is stored of the invited person.
fn joined(a: &Accounts) -> String {
    a.rows(&format!("SELECT state, name, password_hash, epoch FROM users WHERE id = '{INVITED}'"))
}

#[test]
fn joining_uses_up_every_invitation_of_the_account() {
    let mut a = Accounts::new();
    let (ctx, change) = join(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    // The epoch ends the other invitations.
    assert_eq!(joined(&a), "active Ann new hash 2");
    assert_eq!(a.rows("SELECT kind FROM links WHERE used_at IS NOT NULL"), "invitation");
    assert!(change.after.is_empty());
    let other_practice = format!("UPDATE users SET practice_id = NULL, role = 'staff' WHERE id = '{INVITED}'");
    let broken = [
        ("UPDATE links SET used_at = 1", FailedGuard::Secret),
        ("UPDATE links SET expires_at = 1", FailedGuard::Secret),
        ("UPDATE users SET epoch = 2", FailedGuard::Record),
        ("UPDATE users SET state = 'removed'", FailedGuard::Record),
        (&other_practice, FailedGuard::Record),
    ];
    assert_guarded(join, &broken);
}

#[test]
fn a_person_invited_by_the_operator_joins_the_staff() {
    let mut a = Accounts::new();
    let staff = format!("UPDATE users SET practice_id = NULL, role = 'staff' WHERE id = '{INVITED}'");
    a.f.db.execute_batch(&staff).unwrap();
    let (ctx, change) = join(&mut a);
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(joined(&a), "active Ann new hash 2");
    let Some(Write::Audit(entry)) = change.writes.first() else {
        panic!("no audit row");
    };
    assert_eq!(entry.practice_id, None);
}

#[test]
fn every_problem_is_listed_and_a_name_is_kept_without_space_around_it() {
    let parse = |name: &str, password: &str| {
        let body = json!({ "token": token(KIND).expose(), "name": name, "password": password });
        parse::<AcceptedInvitation>(body.to_string())
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
fn an_invitation_shows_its_address_and_practice() {
    let mut a = Accounts::new();
    let mut stored = a.read(&link::stored(&token(KIND))).unwrap();
    let practice = stored.account.practice_name.clone();
    assert!(practice.is_some());
    for practice_name in [practice, None] {
        stored.account.practice_name = practice_name.clone();
        let opened = link::open(&token(KIND), Some(&stored), KIND, NOW).unwrap();
        assert_eq!(view(&opened), InvitationPreview { email: "invited@a.example".into(), practice_name });
    }
}
