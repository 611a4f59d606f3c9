use super::*;
use crate::accounts::tests::{Accounts, ELSEWHERE, NOW, SESSION, owner};
use crate::store::error::{DatabaseError, FailedGuard};

#[test]
fn the_calling_session_is_listed_whatever_its_row_says() {
    let mut a = Accounts::new();
    let mut seen = |now: Instant, cursor: Option<SessionId>| -> Vec<_> {
        let of = Page { limit: 25, cursor: cursor.map(|id| id.0) };
        let sessions = a.read(&page("session", of, now)).unwrap();
        sessions.iter().map(|session| (session.id, session.current)).collect()
    };
    assert_eq!(seen(NOW, None), [(ELSEWHERE, false), (SESSION, true)]);
    assert_eq!(seen(NOW, Some(ELSEWHERE)), [(SESSION, true)], "the next page");
    assert_eq!(seen(NOW, Some(SESSION)), []);
    assert_eq!(seen(NOW.plus(IDLE_MS), None), [(SESSION, true)], "an idle one has ended");
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
