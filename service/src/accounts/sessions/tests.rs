use super::*;
use crate::accounts::tests::{Accounts, ELSEWHERE, OF_MEMBER, SESSION};

/// What becomes of an owner's request to end a session.
fn ends(a: &mut Accounts, id: SessionId) -> Result<(Ctx, Change), RequestError> {
    let ctx = a.f.ctx();
    let stored = a.read(&own("session", id));
    let change = revoked(stored, "session", &a.owner(), &ctx)?;
    Ok((ctx, change))
}

#[test]
fn only_the_session_that_ends_itself_is_signed_out() {
    for (id, left, signs_out) in [(SESSION, "elsewhere member", true), (ELSEWHERE, "session member", false)] {
        let mut a = Accounts::new();
        let (ctx, change) = ends(&mut a, id).unwrap();
        assert_eq!(a.commit(&ctx, &change), Ok(()));
        assert_eq!(a.sessions(), left);
        let cleared = matches!(&change.after[..], [After::ClearSession(hash)] if hash == "session");
        assert_eq!(cleared, signs_out);
        let (_, again) = ends(&mut a, id).unwrap();
        assert!(again.writes.is_empty(), "what has ended");
    }
}

#[test]
fn another_persons_session_is_not_found() {
    let mut a = Accounts::new();
    let refused = ends(&mut a, OF_MEMBER).map(drop);
    assert_eq!(refused, Err(RequestError::NotFound("no such session")));
}

#[test]
fn the_session_that_ends_the_others_stays() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let change = others_revoked(&a.owner(), &ctx).unwrap();
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    assert_eq!(a.sessions(), "session member");
    assert!(change.after.is_empty());
}

#[test]
fn a_person_sees_their_own_active_sessions() {
    let mut a = Accounts::new();
    let of = Page { limit: 25, after: None };
    let mut seen = |now: Instant| -> Vec<_> {
        let sessions = a.read(&page("session", of, now)).unwrap();
        sessions.iter().map(|session| (session.id, session.current)).collect()
    };
    let now = crate::accounts::tests::NOW;
    assert_eq!(seen(now), [(ELSEWHERE, false), (SESSION, true)]);
    assert_eq!(seen(now.plus(IDLE_MS)), [(SESSION, true)], "an idle one has ended");
}
