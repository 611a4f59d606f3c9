//! The chain of an audit trail: numbers and digests, and how they are assigned.

use crate::plan::Write;
use crate::plan::audit::{Entry, Event};
use crate::settings::trail::{behind, links, old_heads, renew_head};
use crate::store::trail as store;
use crate::testing::{BOTH_KEYS, Fixture, batch};
use crate::trail::{Broken, ChainPlace, Checked, Linked, Trail, Why, finish, link, renew, verify};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::KeyVersion;

pub(super) fn practice(f: &Fixture) -> Trail {
    let id: String = f.db.query_row("SELECT id FROM practices ORDER BY name LIMIT 1", [], |row| row.get(0)).unwrap();
    Trail(Some(PracticeId(id.parse().unwrap())))
}

/// Links one page, and returns where it stops.
fn link_page(f: &mut Fixture, trail: Trail) -> Option<Broken> {
    let (head, rows) = f.read(&(store::head(trail), store::unlinked(trail)));
    let linked = link(trail, head.as_ref(), &rows, &f.keys.trails);
    commit_links(f, trail, linked.clone());
    linked.broken
}

/// Commits what linking writes.
fn commit_links(f: &mut Fixture, trail: Trail, linked: Linked) {
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), links(trail, linked))).unwrap();
}

fn check(f: &mut Fixture, trail: Trail) -> (usize, Option<Broken>) {
    let mut checked = Checked::behind(ChainPlace::start());
    loop {
        let page = store::rows(trail, checked.place.sequence, 3);
        let (rows, head) = f.read(&(page, store::head(trail)));
        verify(trail, &mut checked, &rows, Some(&f.keys.trails));
        if let Some(broken) = checked.broken {
            return (checked.rows, Some(broken));
        }
        if rows.is_empty() || checked.is_end {
            let broken = finish(trail, &checked, head.as_ref(), Some(&f.keys.trails));
            return (checked.rows, broken);
        }
    }
}

fn why(found: (usize, Option<Broken>)) -> (i64, Why) {
    let broken = found.1.unwrap();
    (broken.sequence, broken.reason)
}

fn short_of(f: &mut Fixture, trail: Trail, count: usize) -> Linked {
    let rows = f.read(&store::unlinked(trail));
    link(trail, None, &rows[..count], &f.keys.trails)
}

#[test]
fn a_change_without_triggers_is_found() {
    for (change, found) in [
        ("UPDATE audit SET record = 'y' WHERE seq = 2", (2, Why::Forged)),
        ("UPDATE audit SET record = 'y', mac = NULL WHERE seq = 2", (3, Why::Changed)),
        ("UPDATE audit SET address = '198.51.100.9' WHERE seq = 1", (1, Why::Forged)),
        ("DELETE FROM audit WHERE seq = 2", (2, Why::Missing)),
        ("DELETE FROM audit WHERE seq = 4", (4, Why::Missing)),
        ("DELETE FROM audit WHERE seq = 4; UPDATE trail_heads SET seq = 3", (3, Why::HeadChanged)),
        ("DELETE FROM trail_heads", (4, Why::HeadChanged)),
        ("UPDATE audit SET previous = NULL WHERE seq = 3", (3, Why::Changed)),
    ] {
        let mut f = Fixture::new();
        for n in 0..4 {
            f.send(&batch(n..n + 1), |_| {});
        }
        let trail = practice(&f);
        assert_eq!(link_page(&mut f, trail), None);
        assert_eq!(check(&mut f, trail), (4, None), "{change}");
        f.drop_triggers();
        f.db.execute_batch(change).unwrap();
        assert_eq!(why(check(&mut f, trail)), found, "{change}");
    }
}

#[test]
fn a_chain_without_its_head_gets_no_new_one() {
    let mut f = Fixture::new();
    for n in 0..4 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    assert_eq!(link_page(&mut f, trail), None);
    f.drop_triggers();
    f.db.execute_batch("DELETE FROM trail_heads; DELETE FROM audit WHERE seq = 4").unwrap();
    let broken = link_page(&mut f, trail).unwrap();
    assert_eq!((broken.sequence, broken.reason), (1, Why::HeadChanged));
    assert_eq!(f.count("SELECT count(*) FROM trail_heads"), 0);
    assert_eq!(why(check(&mut f, trail)), (3, Why::HeadChanged));
}

#[test]
fn interrupted_linking_continues_and_two_parallel_runs_agree() {
    let mut f = Fixture::new();
    for n in 0..5 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    let rows = f.read(&store::unlinked(trail));
    let short = link(trail, None, &rows[..2], &f.keys.trails);
    let long = link(trail, None, &rows, &f.keys.trails);
    // The one that saw more commits first. The other changes nothing, and moves no head back.
    commit_links(&mut f, trail, long.clone());
    commit_links(&mut f, trail, short.clone());
    assert_eq!(f.count("SELECT seq FROM trail_heads"), 5);
    assert_eq!(check(&mut f, trail), (5, None));

    let mut f = Fixture::new();
    for n in 0..5 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    let short = short_of(&mut f, trail, 2);
    commit_links(&mut f, trail, short.clone());
    assert_eq!(check(&mut f, trail), (2, None));
    assert_eq!(link_page(&mut f, trail), None);
    assert_eq!(check(&mut f, trail), (5, None));
}

#[test]
fn unlinked_trails_are_found_and_heads_get_a_new_key() {
    let mut f = Fixture::new();
    f.send(&batch(0..1), |_| {});
    let trail = practice(&f);
    let ctx = f.ctx();
    let noted = Entry::new(&ctx, 0, None, Event::ClaimRead, "x");
    f.commit(&ctx, (Vec::new(), [Write::Audit(noted)].into())).unwrap();
    let behind = |f: &mut Fixture, after: &str| -> Vec<String> { f.read(&behind(after)) };
    assert_eq!(behind(&mut f, ""), [trail.to_string(), "staff".into()]);
    assert_eq!(behind(&mut f, &trail.to_string()), ["staff"]);
    for trail in [trail, Trail(None)] {
        assert_eq!(link_page(&mut f, trail), None);
    }
    assert!(behind(&mut f, "").is_empty());

    f.rekey(BOTH_KEYS);
    let current = f.keys.trails.current().unwrap();
    assert_eq!(current, KeyVersion(2));
    let heads = f.read(&old_heads(current));
    let renewed = renew(&heads, &f.keys.trails);
    let renewed: Vec<_> = renewed.iter().map(|(trail, was, head)| renew_head(*trail, was, head)).collect();
    let late = renewed.clone();
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), renewed)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM trail_heads WHERE key_version = 2"), 2);
    assert_eq!(check(&mut f, trail), (1, None));
    // A batch that runs late does not put a head back that has another key by now.
    f.db.execute_batch("UPDATE trail_heads SET key_version = 3, mac = 'of 3'").unwrap();
    f.commit(&ctx, (Vec::new(), late)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM trail_heads WHERE key_version = 3"), 2);
    // A head with a wrong MAC under the old key does not get a correct one under the new key.
    f.drop_triggers();
    f.db.execute_batch("UPDATE trail_heads SET digest = 'x', key_version = 1").unwrap();
    let heads = f.read(&old_heads(current));
    assert!(renew(&heads, &f.keys.trails).is_empty());
}
