use super::*;
use crate::plan::Actor;
use crate::trail::row::GENESIS;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::KeyVersion;
use uuid::Uuid;

const TRAIL: Trail = Trail(Some(PracticeId(Uuid::from_u128(7))));

fn keys(versions: &[u32]) -> TrailKeys {
    let mut keys = TrailKeys::default();
    for version in versions {
        let byte = u8::try_from(*version).unwrap();
        keys.push(KeyVersion((*version).into()), [byte; 32]);
    }
    keys
}

/// A row, as the store writes it.
fn row(sequence: i64, keys: &TrailKeys) -> TrailRow {
    let mut row = TrailRow {
        sequence,
        id: Uuid::from_u128(sequence.unsigned_abs().into()).to_string(),
        at: Instant(1_800_000_000_000 + sequence),
        actor: "user:7".into(),
        action: "claim.read".into(),
        record: "r".into(),
        request_id: "q".into(),
        detail: (sequence % 2 == 0).then(|| r#"{"by":"é"}"#.into()),
        address: Some("192.0.2.1".into()),
        session_id: None,
        mac: None,
        previous: None,
    };
    row.mac = keys.row_mac(TRAIL, &row.content());
    row
}

/// Linked rows and their head.
fn chain(count: i64, keys: &TrailKeys) -> (Vec<TrailRow>, ChainHead) {
    let mut rows: Vec<TrailRow> = (1..=count).map(|n| row(n, keys)).collect();
    let linked = link(TRAIL, None, &rows, keys);
    assert_eq!(linked.broken, None);
    take(&mut rows, &linked);
    (rows, linked.head.unwrap())
}

/// Applies the result of linking.
fn take(rows: &mut [TrailRow], linked: &Linked) {
    for (id, previous) in &linked.rows {
        let row = rows.iter_mut().find(|row| row.id == *id).unwrap();
        row.previous = Some(previous.clone());
    }
}

fn check(rows: &[TrailRow], head: Option<&ChainHead>, keys: Option<&TrailKeys>) -> Option<Broken> {
    let mut checked = Checked::behind(ChainPlace::start());
    verify(TRAIL, &mut checked, rows, keys);
    let broken = checked.broken.clone();
    broken.or_else(|| finish(TRAIL, &checked, head, keys))
}

fn why(broken: Option<Broken>) -> (i64, Why) {
    let broken = broken.unwrap();
    (broken.sequence, broken.reason)
}

#[test]
fn the_encoding_and_its_digest_are_pinned() {
    let row = TrailRow { session_id: Some("s".into()), mac: Some("1:m".into()), ..row(2, &keys(&[])) };
    let encoded = String::from_utf8(row.encode(TRAIL, GENESIS)).unwrap();
    assert_eq!(
        encoded,
        "16:overturn trail 136:00000000-0000-0000-0000-0000000000071:236:00000000-0000-0000-0000-00000000000224:\
         2027-01-15T08:00:00.002Z6:user:710:claim.read1:r1:q11:{\"by\":\"é\"}9:192.0.2.11:s3:1:m64:\
         0000000000000000000000000000000000000000000000000000000000000000"
    );
    let without = TrailRow { address: None, session_id: None, mac: None, ..row.clone() };
    let encoded = String::from_utf8(without.encode(TRAIL, GENESIS)).unwrap();
    assert!(encoded.contains("{\"by\":\"é\"}---64:"), "{encoded}");
    assert_eq!(row.digest(TRAIL, GENESIS), "21a34dc4f1afc68b8f5eba68370c4546d01704c19bfaa60ec047d2a3bd4690b0");
    assert_ne!(row.digest(Trail(None), GENESIS), row.digest(TRAIL, GENESIS));
}

#[test]
fn no_two_rows_have_one_encoding() {
    let of = |record: &str, detail: Option<&str>| {
        let row = TrailRow { record: record.into(), detail: detail.map(Into::into), ..row(1, &keys(&[])) };
        row.encode(TRAIL, GENESIS)
    };
    assert_ne!(of("a1:b", None), of("a", Some("b")));
    assert_ne!(of("a", None), of("a", Some("")));
    assert_ne!(of("a", None), of("a", Some("-")));
}

#[test]
fn a_chain_that_is_linked_in_pieces_or_twice_is_the_same_chain() {
    let keys = keys(&[1]);
    let (whole, head) = chain(7, &keys);
    let mut rows: Vec<TrailRow> = (1..=7).map(|n| row(n, &keys)).collect();
    let first = link(TRAIL, None, &rows[..3], &keys);
    take(&mut rows, &first);
    // An interruption here, and two parallel runs after it, one of which sees more rows.
    let second = link(TRAIL, first.head.as_ref(), &rows[3..5], &keys);
    let third = link(TRAIL, first.head.as_ref(), &rows[3..], &keys);
    assert_eq!(second.rows, third.rows[..2]);
    take(&mut rows, &third);
    assert_eq!((&rows, third.head), (&whole, Some(head.clone())));
    assert_eq!(check(&rows, Some(&head), Some(&keys)), None);
}

#[test]
fn every_changed_removed_or_added_row_is_found() {
    let keys = keys(&[1]);
    let (rows, head) = chain(6, &keys);
    let changed = |change: &dyn Fn(&mut Vec<TrailRow>)| {
        let mut rows = rows.clone();
        change(&mut rows);
        why(check(&rows, Some(&head), Some(&keys)))
    };
    let edits: [&dyn Fn(&mut TrailRow); 10] = [
        &|row| row.at = Instant(0),
        &|row| row.actor = "operator".into(),
        &|row| row.action = "x".into(),
        &|row| row.record = "x".into(),
        &|row| row.request_id = "x".into(),
        &|row| row.detail = None,
        &|row| row.address = None,
        &|row| row.session_id = Some("x".into()),
        &|row| row.id = "x".into(),
        &|row| row.mac = Some("1:AAAAAAAAAAAAAAAAAAAAAA".into()),
    ];
    for edit in edits {
        assert_eq!(changed(&|rows| edit(&mut rows[3])), (4, Why::Forged));
        // Without its MAC the row passes, but its digest no longer matches the next one.
        let bare = |rows: &mut Vec<TrailRow>| {
            edit(&mut rows[3]);
            rows[3].mac = None;
        };
        assert_eq!(changed(&bare), (5, Why::Changed));
    }
    assert_eq!(changed(&|rows| drop(rows.remove(2))), (3, Why::Missing));
    assert_eq!(changed(&|rows| drop(rows.pop())), (6, Why::Missing));
    assert_eq!(changed(&|rows| rows.clear()), (1, Why::Missing));
    assert_eq!(changed(&|rows| rows[5].mac = None), (6, Why::HeadChanged));
    assert_eq!(changed(&|rows| rows[5].previous = None), (6, Why::Changed));
    assert_eq!(changed(&|rows| rows.swap(1, 2)), (2, Why::Missing));
}

#[test]
fn a_chain_that_was_made_anew_does_not_fit_the_head() {
    let keys = keys(&[1]);
    let (_, head) = chain(6, &keys);
    let mut rows: Vec<TrailRow> = (1..=6).map(|n| row(n, &super::TrailKeys::default())).collect();
    rows[2].actor = "user:8".into();
    let mut place = ChainPlace::start();
    for row in &mut rows {
        row.previous = Some(place.digest.clone());
        place.digest = row.digest(TRAIL, &place.digest);
        place.sequence = row.sequence;
    }
    assert_eq!(why(check(&rows, Some(&head), Some(&keys))), (6, Why::HeadChanged));
    // With a matching head, only the MAC shows the change.
    let made = ChainHead { digest: place.digest.clone(), ..head.clone() };
    assert_eq!(why(check(&rows, Some(&made), Some(&keys))), (6, Why::HeadChanged));
    assert_eq!(check(&rows, Some(&made), None), None);
    // Neither does a head of another trail, or a missing one.
    let other = keys.head(Trail(None), &place);
    assert_eq!(why(check(&rows, other.as_ref(), Some(&keys))), (6, Why::HeadChanged));
    assert_eq!(why(check(&rows, None, Some(&keys))), (6, Why::HeadChanged));
    // Nothing is linked after such a head.
    let next = [row(7, &keys)];
    let linked = link(TRAIL, Some(&made), &next, &keys);
    assert_eq!((linked.rows.len(), linked.head), (0, None));
    assert_eq!(why(linked.broken), (6, Why::HeadChanged));
}

#[test]
fn a_row_that_the_service_did_not_write_is_not_linked() {
    let keys = keys(&[1]);
    let mut rows: Vec<TrailRow> = (1..=4).map(|n| row(n, &keys)).collect();
    rows[2].record = "another".into();
    let linked = link(TRAIL, None, &rows, &keys);
    assert_eq!((linked.rows.len(), linked.head.unwrap().sequence), (2, 2));
    assert_eq!(why(linked.broken), (3, Why::Forged));
    let gap = [row(1, &keys), row(3, &keys)];
    assert_eq!(why(link(TRAIL, None, &gap, &keys).broken), (2, Why::Missing));
    // The operator's rows have no MAC.
    rows[2].mac = None;
    rows[2].actor = Actor::Operator.to_string();
    assert_eq!(link(TRAIL, None, &rows, &keys).broken, None);
}

#[test]
fn a_key_is_rotated_under_a_chain() {
    let old = keys(&[1]);
    let (mut rows, head) = chain(3, &old);
    let both = keys(&[2, 1]);
    rows.push(row(4, &both));
    let linked = link(TRAIL, Some(&head), &rows[3..], &both);
    take(&mut rows, &linked);
    let head = linked.head.unwrap();
    assert_eq!(head.key_version, KeyVersion(2));
    assert_eq!(check(&rows, Some(&head), Some(&both)), None);
    // Without the old key, the chain vouches for its rows, and the head for the chain.
    let new = keys(&[2]);
    assert_eq!(check(&rows, Some(&head), Some(&new)), None);
    rows[1].record = "another".into();
    assert_eq!(why(check(&rows, Some(&head), Some(&new))), (3, Why::Changed));
    // An instance that does not have the new key yet links nothing after its head.
    let next = [row(5, &both)];
    let linked = link(TRAIL, Some(&head), &next, &old);
    assert_eq!(why(linked.broken), (4, Why::KeyUnknown));
}

#[test]
fn a_verification_continues_after_a_saved_place() {
    let keys = keys(&[1]);
    let (rows, head) = chain(6, &keys);
    let kept = ChainPlace { sequence: 4, digest: rows[4].previous.clone().unwrap() };
    let from = |place: &ChainPlace, rows: &[TrailRow], head: &ChainHead| {
        let mut checked = Checked::behind(place.clone());
        verify(TRAIL, &mut checked, rows, Some(&keys));
        let broken = checked.broken.clone();
        let broken = broken.or_else(|| finish(TRAIL, &checked, Some(head), Some(&keys)));
        (checked.rows, broken)
    };
    assert_eq!(from(&kept, &rows[4..], &head), (2, None));
    // The end was cut off and an older head restored. The head alone cannot show that.
    let (_, older) = chain(3, &keys);
    assert_eq!(check(&rows[..3], Some(&older), Some(&keys)), None);
    let (_, broken) = from(&kept, &[], &older);
    assert_eq!(why(broken), (3, Why::HeadChanged));
    let other = ChainPlace { digest: GENESIS.into(), ..kept };
    let (_, broken) = from(&other, &rows[4..], &head);
    assert_eq!(why(broken), (5, Why::Changed));
}
