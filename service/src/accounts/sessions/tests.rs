use super::*;
use crate::accounts::tests::{Accounts, ELSEWHERE, NOW, SESSION, owner};
use crate::store::error::{DatabaseError, FailedGuard};

/// A page of the owner's sessions, each with whether it is the calling one.
fn seen(a: &mut Accounts, now: Instant, cursor: Option<SessionId>) -> Vec<(SessionId, bool)> {
    let of = Page { limit: 25, cursor: cursor.map(|id| id.0) };
    let sessions = a.read(&page("session", of, now)).unwrap();
    sessions.iter().map(|session| (session.id, session.current)).collect()
}

#[test]
fn the_calling_session_is_listed_whatever_its_row_says() {
    let mut a = Accounts::new();
    assert_eq!(seen(&mut a, NOW, None), [(ELSEWHERE, false), (SESSION, true)]);
    assert_eq!(seen(&mut a, NOW, Some(ELSEWHERE)), [(SESSION, true)], "the next page");
    assert_eq!(seen(&mut a, NOW, Some(SESSION)), []);
    assert_eq!(seen(&mut a, NOW.plus(IDLE_MS), None), [(SESSION, true)], "an idle one has ended");
    a.f.db.execute("UPDATE sessions SET ends_at = ?1 + 1", [NOW.0]).unwrap();
    assert_eq!(seen(&mut a, NOW, None).len(), 2);
    assert_eq!(seen(&mut a, NOW.plus(1), None), [(SESSION, true)], "one at its end, too");
}

#[test]
fn of_two_parallel_revocations_one_is_in_the_trail() {
    let mut a = Accounts::new();
    let me = owner(a.practice);
    let stored = a.read(&own("session", ELSEWHERE));
    let both = [a.f.ctx(), a.f.ctx()].map(|ctx| {
        let change = revoked(stored, "session", &me, &ctx).unwrap();
        a.f.commit(&ctx, (change.guards, change.writes)).map(drop)
    });
    assert_eq!(both, [Ok(()), Err(DatabaseError::Conflict(FailedGuard::Secret))]);
}
