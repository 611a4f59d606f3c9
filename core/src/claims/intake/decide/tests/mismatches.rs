//! Resends that do not match are counted, and are no longer compared after too many.

use super::*;
use crate::base::date::Date;
use crate::claims::intake::Bound;
use crate::claims::intake::mismatches::{STOPPED, stopped_items, stopped_message};
use crate::claims::intake::recent_sends::RecentSends;
use crate::claims::intake::{CommitResult, marks};
use alloc::string::String;

const BOUNDS: Bounds = Bounds { claim: 3, practice: 10 };

fn wrong(number: &str) -> Item<'static> {
    let mut item = numbered(number);
    item.patient.date_of_birth = Date::parse("1980-03-01").unwrap();
    item
}

fn send(items: impl Into<Vec<Item<'static>>>) -> ValidSend<'static> {
    ValidSend { items: items.into() }
}

/// Claims a, b and c, with today's counts of claim a and of the practice.
fn counted(claim: u32, practice: u32, told: u8) -> Snapshot {
    let rows = ["a", "b", "c"].into_iter().zip(70..);
    let rows = rows.map(|(number, id)| row(&numbered(number), &key(1), id));
    let a = ClaimId(Uuid::from_u128(70));
    let of_claim = (claim > 0).then_some((Some(a), claim, 0));
    let counts = of_claim.into_iter().chain([(None, practice, told)]);
    snapshot(rows).counting(counts.collect())
}

fn over<'a>(send: &'a ValidSend<'a>, snapshot: &Snapshot) -> Decision<'a> {
    super::super::decide(send, practice(), snapshot, (&key(1), BOUNDS), &ctx(1)).unwrap()
}

fn stopped(decision: Decision<'_>) -> Stopped {
    match decision {
        Decision::Stopped(stopped) => stopped,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mismatch_is_counted_before_it_is_answered() {
    let sent = send([wrong("a"), numbered("new"), numbered("b")]);
    let mut before = counted(2, 9, 0);
    before.confirmed.insert(2);
    let Decision::Write(plan) = over(&sent, &before) else {
        panic!("answered without counting");
    };
    let compared = plan.compared.as_ref().unwrap();
    assert_eq!(compared.found, [(0, ClaimId(Uuid::from_u128(70)), Mismatch::DifferentPatient)]);
    assert!(!compared.closes && compared.matches.is_empty());
    assert_eq!((compared.bounds, compared.counted, plan.new.len()), (BOUNDS, 0, 1));
    let outcome = CommitResult { created: 1, others: vec![] };
    before.learn(&plan, outcome).unwrap();
    let answer = answer(over(&sent, &before));
    assert_eq!(answer["claims"][0]["error"], PATIENT);
    assert_eq!(answer["claims"][1]["created"], true);
    assert_eq!(answer["claims"][2]["id"], id(71));
}

#[test]
fn past_the_bound_of_a_claim_it_is_not_compared_and_all_others_are() {
    let full = counted(3, 3, 0);
    let message = |places: &[usize]| intake_message(places);
    for sent in [numbered("a"), wrong("a")] {
        let one = stopped(over(&send([sent.clone()]), &full));
        assert!(one.items.is_empty() && one.untold == Some(Bound::Claim));
        // It is noon.
        assert_eq!(one.retry_after, 12 * 3600);
        let batch = send([numbered("b"), sent, numbered("new")]);
        assert_eq!(stopped(over(&batch, &full)).items, [1]);
    }
    let others = send([numbered("b"), numbered("c"), numbered("new")]);
    assert!(matches!(over(&others, &full), Decision::Write(_)));
    assert!(message(&[]).starts_with("claim.claim_number cannot"));
    assert!(message(&[1, 4]).starts_with("claims[1], claims[4]: claim.claim_number cannot"));
}

fn intake_message(places: &[usize]) -> String {
    let message = stopped_message(places);
    let items = if places.is_empty() { &[0] } else { places };
    assert_eq!(stopped_items(&message).as_deref(), Some(items));
    message
}

#[test]
fn a_message_of_another_kind_names_no_items() {
    for other in ["", "too many requests", "claims[0]: is wrong"] {
        assert_eq!(stopped_items(other), None, "{other}");
    }
    for odd in ["claims[x]: ", "claims[1] ", "claim[1]: ", "claims[1],claims[2]: "] {
        assert_eq!(stopped_items(&alloc::format!("{odd}{STOPPED}")), None, "{odd}");
    }
}

#[test]
fn past_the_bound_of_the_practice_no_number_that_exists_is_compared_and_new_ones_are_taken() {
    let full = counted(0, 10, 0);
    let batch = send([numbered("b"), numbered("new"), wrong("c")]);
    assert_eq!(stopped(over(&batch, &full)).items, [0, 2]);
    let new = send([numbered("new"), numbered("newer")]);
    assert!(matches!(over(&new, &full), Decision::Write(_)));
}

#[test]
fn mismatches_beyond_the_practices_limit_use_it_up_and_save_nothing_else() {
    let sent = send([wrong("a"), wrong("b"), numbered("new")]);
    let mut left_one = counted(0, 9, 0);
    let Decision::Write(plan) = over(&sent, &left_one) else {
        panic!("answered without counting");
    };
    assert!(plan.compared.as_ref().unwrap().closes);
    assert_eq!(plan.claim_numbers().count(), 0);
    left_one.learn(&plan, CommitResult::default()).unwrap();
    assert_eq!(stopped(over(&sent, &left_one)).items, [0, 1]);
}

#[test]
fn only_a_suspicious_match_is_confirmed_before_the_answer() {
    let right = |number| send([numbered(number)]);
    let contested = |mut snapshot: Snapshot, place| {
        snapshot.contest([place]);
        snapshot
    };
    for (mut snapshot, number, must_confirm) in [
        (counted(0, 0, 0), "a", false),
        (counted(1, 1, 0), "a", true),
        (counted(1, 1, 0), "b", false),
        (counted(0, 4, 0), "b", false),
        (counted(0, 5, 0), "b", true),
        (contested(counted(0, 0, 0), 0), "a", true),
        (contested(counted(0, 0, 0), 1), "a", false),
    ] {
        let sent = right(number);
        let plan = match over(&sent, &snapshot) {
            Decision::Write(plan) => plan,
            Decision::Answer(_) if !must_confirm => continue,
            other => panic!("{other:?} {number} {snapshot:?}"),
        };
        assert!(must_confirm, "{number} {snapshot:?}");
        let compared = plan.compared.as_ref().unwrap();
        assert!(plan.claim_numbers().next().is_none() && compared.found.is_empty());
        assert_eq!(compared.matches.len(), 1);
        // The limit was reached when the batch ran: its changes do not count, and the next load sees the limit.
        let late = snapshot.clone().again(counted(3, 10, 0));
        stopped(over(&sent, &late));
        // A second load contests as well as the first one.
        let mut second = counted(1, 1, 0);
        second.contest([0]);
        assert!(counted(1, 1, 0).again(second).contested.contains(&0));
        // It was not reached: the answer goes out, whatever others do next.
        snapshot.learn(&plan, CommitResult::default()).unwrap();
        assert!(matches!(over(&sent, &snapshot), Decision::Answer(_)));
        let since = snapshot.again(counted(3, 10, 0));
        assert!(matches!(over(&sent, &since), Decision::Answer(_)));
    }
}

#[test]
fn a_match_that_corrects_is_confirmed_by_the_batch_that_corrects() {
    let mut corrected = numbered("a");
    corrected.claim.payer_claim_number = "Q".into();
    let sent = send([corrected, wrong("b")]);
    let Decision::Write(plan) = over(&sent, &counted(1, 1, 0)) else {
        panic!("answered without counting");
    };
    let compared = plan.compared.as_ref().unwrap();
    assert_eq!((compared.found.len(), compared.matches.len()), (1, 1));
    assert_eq!(plan.corrections.len(), 1);
}

/// FNV-1a, which is enough for a test.
struct Fnv(u64);

impl core::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[test]
fn a_number_that_comes_for_something_else_within_a_minute_is_contested() {
    let mut recent_sends = RecentSends::default();
    let mut sends = |items: Vec<Item<'static>>, at| {
        let marks = marks(&send(items), || Fnv(0xcbf2_9ce4_8422_2325));
        recent_sends.contested(&marks, Instant(at))
    };
    let none: [usize; 0] = [];
    let mut spelled = numbered("a");
    spelled.patient.first_name = " JANE ".into();
    let mut coded = numbered("b");
    coded.claim.procedure_code = Some("99999".into());
    assert_eq!(sends(vec![numbered("a"), numbered("b")], 0), none);
    // The same again, and the same patient in another spelling.
    assert_eq!(sends(vec![spelled, numbered("b")], 1), none);
    assert_eq!(sends(vec![numbered("c"), coded, wrong("a")], 2), [1, 2]);
    // The first one does not get its earlier answer, either: it may come together with guesses.
    assert_eq!(sends(vec![numbered("a")], 3), [0]);
    assert_eq!(sends(vec![wrong("a")], 60_001), [0], "a minute after the last");
    assert_eq!(sends(vec![wrong("a")], 120_001), none);
    assert_eq!(sends(vec![numbered("a")], 120_002), [0]);
    // Numbers beyond the limit count as contested, and known ones are still distinguished.
    for n in 0..200 {
        let many = (0..100).map(|m| numbered(alloc::format!("{n}-{m}").leak()));
        sends(many.collect(), 120_003);
    }
    let known = numbered("0-0");
    assert_eq!(sends(vec![numbered("one more"), known], 120_004), [0]);
    assert_eq!(sends(vec![numbered("one more")], 200_000), none);
}

#[test]
fn the_owners_get_one_notice_for_each_limit_of_a_day() {
    let a = send([numbered("a")]);
    for (told, practice, untold) in [
        (0, 3, Some(Bound::Claim)),
        (1, 3, None),
        (2, 3, Some(Bound::Claim)),
        (1, 10, Some(Bound::Practice)),
        (3, 10, None),
    ] {
        assert_eq!(stopped(over(&a, &counted(3, practice, told))).untold, untold, "{told} {practice}");
    }
}

#[test]
fn this_requests_own_results_are_answered_whatever_came_since() {
    let sent = send([wrong("a"), numbered("mine")]);
    let mut mine = row(&numbered("mine"), &key(1), 0);
    mine.id = ClaimId(ctx(1).id(Purpose::Claim, 1));
    let mut before = counted(1, 1, 0);
    let Decision::Write(plan) = over(&sent, &before) else {
        panic!("answered without counting");
    };
    let outcome = CommitResult { created: 1, others: vec![] };
    before.learn(&plan, outcome).unwrap();
    let rows = [row(&numbered("a"), &key(1), 70), mine];
    let full = [(None, 10, 0)].into_iter().collect();
    let since = before.again(snapshot(rows).counting(full));
    let answer = answer(over(&sent, &since));
    assert_eq!(answer["claims"][0]["error"], PATIENT);
    assert_eq!(answer["claims"][1]["created"], true);
}

#[test]
fn the_wait_ends_with_the_day() {
    let at = |ms| Ctx::new(Instant(ms), [1; 32]);
    let midnight = 1_772_668_800_000;
    let full = counted(3, 3, 0);
    let sent = send([numbered("a")]);
    for (now, seconds) in [(midnight - 1, 1), (midnight - 1_001, 2), (midnight, 86_400), (midnight + 1, 86_400)] {
        let key = key(1);
        let rules = (&key, BOUNDS);
        let decision = super::super::decide(&sent, practice(), &full, rules, &at(now)).unwrap();
        assert_eq!(stopped(decision).retry_after, seconds, "{now}");
    }
}
