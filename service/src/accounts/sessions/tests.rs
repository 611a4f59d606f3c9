use super::*;
use crate::accounts::tests::{Accounts, ELSEWHERE, NOW, SESSION};

#[test]
fn the_calling_session_is_listed_whatever_its_row_says() {
    let mut a = Accounts::new();
    let of = Page { limit: 25, cursor: None };
    let mut seen = |now: Instant| -> Vec<_> {
        let sessions = a.read(&page("session", of, now)).unwrap();
        sessions.iter().map(|session| (session.id, session.current)).collect()
    };
    assert_eq!(seen(NOW), [(ELSEWHERE, false), (SESSION, true)]);
    assert_eq!(seen(NOW.plus(IDLE_MS)), [(SESSION, true)], "an idle one has ended");
}
