use super::*;
use crate::auth::scope::TokenScope;
use crate::auth::session::{IDLE_MS, LONGEST_MS, VERIFIED_MS};
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

fn session() -> StoredSession {
    StoredSession {
        id: SessionId(Uuid::from_u128(3)),
        kind: SessionKind::Full,
        epoch: 4,
        ends_at: NOW.plus(1),
        seen_at: NOW,
        verified_at: Some(NOW),
        revoked: false,
        sso: false,
    }
}

fn token(scopes: &[TokenScope]) -> StoredToken {
    StoredToken {
        id: ApiTokenId(Uuid::from_u128(5)),
        scopes: TokenScopes::of(scopes),
        expires_at: NOW.plus(1),
        revoked: false,
        last_used_at: None,
    }
}

fn standing(role: Role, held: StoredCredential) -> StoredPerson {
    StoredPerson {
        user_id: UserId(Uuid::from_u128(1)),
        role,
        epoch: 4,
        active: true,
        enrolled: true,
        practice: (role != Role::Staff).then_some(StoredPractice {
            id: PracticeId(Uuid::from_u128(2)),
            state: PracticeState::Active,
            baa_signed: true,
            sso_required: false,
            clock_ms: None,
        }),
        held,
    }
}

fn ask(standing: &StoredPerson, action: Action) -> Result<Person, RequestError> {
    authorise(Some(standing), None, PageProof::Given, action, NOW)
}

fn refused() -> Verdict {
    Verdict { allowed: false, limit: 60, remaining: 0, reset: 1_800_000_060, retry_after: 60 }
}

/// The error code of each failing check, in order.
const CHECKS: [&str; 11] =
    ["unknown", "removed", "epoch", "revoked", "over", "idle", "limit", "proof", "role", "practice", "stale"];

#[test]
fn of_several_failures_the_first_in_order_is_the_answer() {
    for failing in 0..1_u16 << CHECKS.len() {
        let fails = |check: &str| {
            let at = CHECKS.iter().position(|known| *known == check).unwrap();
            failing & 1 << at != 0
        };
        let held = StoredSession {
            epoch: if fails("epoch") { 3 } else { 4 },
            revoked: fails("revoked"),
            ends_at: NOW.plus(i64::from(!fails("over"))),
            seen_at: NOW.plus(if fails("idle") { -IDLE_MS } else { 0 }),
            verified_at: (!fails("stale")).then_some(NOW),
            ..session()
        };
        let role = if fails("role") { Role::Member } else { Role::Owner };
        let mut standing = standing(role, StoredCredential::Session(held));
        standing.active = !fails("removed");
        if let Some(practice) = standing.practice.as_mut().filter(|_| fails("practice")) {
            practice.state = PracticeState::Inactive;
        }
        let verdict = Verdict { allowed: !fails("limit"), ..refused() };
        let proof = if fails("proof") { PageProof::Missing } else { PageProof::Given };
        let found =
            authorise((!fails("unknown")).then_some(&standing), Some(verdict), proof, Action::ManageApiKeys, NOW);
        let expected = match CHECKS.iter().find(|check| fails(check)) {
            None => Ok(()),
            Some(&"limit") => Err(RequestError::RateLimited(refused())),
            Some(&"proof") => {
                Err(RequestError::NotAuthorized(Reason::CsrfMismatch, "X-CSRF-Token is missing or wrong"))
            }
            Some(&"role") => Err(NOT_YOURS),
            Some(&"practice") => Err(RequestError::PracticeInactive),
            Some(&"stale") => Err(RequestError::TwoFactorRequired(None)),
            Some(_) => Err(RequestError::NotSignedIn),
        };
        assert_eq!(found.map(drop), expected, "{failing:011b}");
    }
}

#[test]
fn every_role_may_what_the_table_says_and_nothing_else() {
    for role in Role::ALL {
        for action in Action::ALL {
            let asked = ask(&standing(role, StoredCredential::Session(session())), action);
            let expected = action.right().roles.contains(&role);
            assert_eq!(asked.is_ok(), expected, "{role:?} {action:?}");
            if let Ok(person) = asked {
                assert_eq!(person.role, role);
                assert_eq!(person.practice_id.is_none(), role == Role::Staff);
            }
        }
    }
}

#[test]
fn a_token_does_what_its_scopes_name_as_far_as_its_person_may() {
    for held in TokenScope::ALL {
        for role in Role::OF_PRACTICE {
            for action in Action::ALL {
                let right = action.right();
                let expected = right.scope == Some(held) && right.roles.contains(&role);
                let standing = standing(role, StoredCredential::Token(token(&[held])));
                assert_eq!(ask(&standing, action).is_ok(), expected, "{held} {role:?} {action:?}");
            }
        }
    }
}

#[test]
fn a_token_stops_with_its_practice_whatever_it_asks() {
    for action in Action::ALL {
        let Some(scope) = action.right().scope else {
            continue;
        };
        let mut standing = standing(Role::Owner, StoredCredential::Token(token(&[scope])));
        standing.practice.as_mut().unwrap().state = PracticeState::Inactive;
        assert_eq!(ask(&standing, action), Err(RequestError::PracticeInactive), "{action:?}");
    }
}

#[test]
fn an_ended_token_does_not_work() {
    for broken in [
        StoredToken { revoked: true, ..token(&TokenScope::ALL) },
        StoredToken { expires_at: NOW, ..token(&TokenScope::ALL) },
    ] {
        let standing = standing(Role::Owner, StoredCredential::Token(broken));
        assert_eq!(ask(&standing, Action::ReadPractice), Err(RequestError::NotSignedIn));
    }
}

#[test]
fn an_account_without_a_second_factor_enrols_one_asks_who_it_is_and_signs_out() {
    let held = StoredSession { kind: SessionKind::Enrolment, verified_at: None, ..session() };
    let mut standing = standing(Role::Owner, StoredCredential::Session(held));
    standing.enrolled = false;
    let open = [
        Action::ReadSelf,
        Action::SignOut,
        Action::EnrolFactor,
        Action::EnrolPasskey,
        Action::ListPasskeys,
        Action::ListIdentities,
    ];
    for action in Action::ALL {
        let asked = ask(&standing, action).map(drop);
        let expected = if open.contains(&action) { Ok(()) } else { Err(RequestError::EnrolmentRequired) };
        assert_eq!(asked, expected, "{action:?}");
    }
}

/// What concerns only the person.
const OWN: [Action; 8] = [
    Action::ReadSelf,
    Action::SignOut,
    Action::EnrolFactor,
    Action::EnrolPasskey,
    Action::ListPasskeys,
    Action::RemovePasskey,
    Action::ListIdentities,
    Action::ManageIdentities,
];

#[test]
fn a_full_session_without_a_factor_enrols_one_while_it_is_new() {
    // The provider stood for the second factor, at a time that it did not say.
    let begun = |ago: i64| {
        let held = StoredSession { ends_at: NOW.plus(LONGEST_MS - ago), verified_at: None, sso: true, ..session() };
        let mut standing = standing(Role::Member, StoredCredential::Session(held));
        standing.enrolled = false;
        standing
    };
    for action in [Action::EnrolFactor, Action::EnrolPasskey] {
        assert!(ask(&begun(VERIFIED_MS - 1), action).is_ok());
        assert_eq!(ask(&begun(VERIFIED_MS), action), Err(SIGN_IN_AGAIN));
    }
    for ago in [0, VERIFIED_MS] {
        let mut begun = begun(ago);
        let asked = ask(&begun, Action::ManageIdentities);
        assert_eq!(asked, Err(RequestError::EnrolmentRequired));
        // Also after the practice's trust in the provider has ended: there is no code to ask for.
        if let StoredCredential::Session(session) = &mut begun.held {
            session.sso = false;
        }
        assert_eq!(ask(&begun, Action::ManageIdentities), asked);
    }
    let mut enrolled = begun(0);
    enrolled.enrolled = true;
    assert_eq!(ask(&enrolled, Action::EnrolPasskey), Err(RequestError::TwoFactorRequired(None)));
}

#[test]
fn required_single_sign_on_leaves_only_what_is_ones_own() {
    let sessions = [false, true].map(|sso| StoredSession { sso, ..session() });
    for (role, held) in Role::OF_PRACTICE.into_iter().flat_map(|role| sessions.clone().map(|held| (role, held))) {
        let sso = held.sso;
        let mut standing = standing(role, StoredCredential::Session(held));
        for action in Action::ALL {
            standing.practice.iter_mut().for_each(|practice| practice.sso_required = false);
            let usual = ask(&standing, action).map(drop);
            standing.practice.iter_mut().for_each(|practice| practice.sso_required = true);
            let refused = role != Role::Owner && !sso;
            let expected = match usual {
                Ok(()) if refused && !OWN.contains(&action) => Err(SSO_ONLY),
                other => other,
            };
            assert_eq!(ask(&standing, action).map(drop), expected, "{role:?} {action:?}");
        }
    }
}

#[test]
fn required_single_sign_on_does_not_stop_api_tokens() {
    let held = StoredCredential::Token(token(&[TokenScope::DenialsRead]));
    let mut standing = standing(Role::Member, held);
    standing.practice.as_mut().unwrap().sso_required = true;
    assert!(ask(&standing, Action::ReadDenials).is_ok());
}

#[test]
fn claims_and_documents_are_read_and_sent_under_a_signed_agreement_only() {
    let mut standing = standing(Role::Member, StoredCredential::Session(session()));
    assert!(ask(&standing, Action::ReadDenials).is_ok());
    standing.practice.as_mut().unwrap().baa_signed = false;
    for action in Action::ALL {
        let refused = ask(&standing, action).err() == Some(RequestError::BaaRequired);
        let needs_agreement = matches!(
            action,
            Action::ReadDenials
                | Action::ReadSigningLink
                | Action::SendClaims
                | Action::SetLetter
                | Action::ReadDocuments
                | Action::UploadDocument
                | Action::DeleteDocument
        );
        assert_eq!(refused, needs_agreement, "{action:?}");
    }
    standing.practice.as_mut().unwrap().state = PracticeState::Inactive;
    let refused = ask(&standing, Action::ReadDenials).unwrap_err();
    assert_eq!(refused, RequestError::PracticeInactive, "first");
}

#[test]
fn a_second_factor_is_replaced_with_the_one_before() {
    let held = StoredSession { verified_at: Some(NOW.plus(-VERIFIED_MS)), ..session() };
    let mut standing = standing(Role::Member, StoredCredential::Session(held));
    let refused = Err(RequestError::TwoFactorRequired(None));
    assert_eq!(ask(&standing, Action::EnrolFactor), refused);
    standing.enrolled = false;
    assert_eq!(ask(&standing, Action::EnrolFactor), Err(SIGN_IN_AGAIN));
    if let StoredCredential::Session(session) = &mut standing.held {
        session.kind = SessionKind::Enrolment;
    }
    assert!(ask(&standing, Action::EnrolFactor).is_ok());
}

#[test]
fn the_last_use_is_noted_once_it_lags() {
    let touched = |held| ask(&standing(Role::Owner, held), Action::ReadPractice).unwrap().touch;
    let seen = |ms: i64| {
        StoredCredential::Session(StoredSession { seen_at: NOW.plus(-ms), ends_at: NOW.plus(LONGEST_MS), ..session() })
    };
    assert!(!touched(seen(59_999)) && touched(seen(60_000)));
    let used =
        |ms: i64| StoredCredential::Token(StoredToken { last_used_at: Some(NOW.plus(-ms)), ..token(&TokenScope::ALL) });
    assert!(!touched(used(299_999)) && touched(used(300_000)));
    assert!(touched(StoredCredential::Token(token(&TokenScope::ALL))));
    assert!(!format!("{:?}", standing(Role::Owner, seen(0))).contains("email"));
}
