//! What a script says is what happens, on the day that it says.

use super::{balance, cents, config, date, found, read, without_reported};
use crate::{
    Act, Answer, Claim, Codes, Expected, HABITS, Kind, Numbers, Outcome, Patient, Played, Reply, Script, appeal,
    claims, decide, era, expected, play, remittances, submission,
};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use overturn_core::base::date::Date;
use proptest::prelude::*;

fn claim(lines: &[i64]) -> Claim {
    let mut claim = claims(&HABITS[0], &mut Numbers::new(1), "A", 1).remove(0);
    let line = claim.lines[0].clone();
    let lines = lines.iter().map(|charge| crate::Line { charge: *charge, day: date("2026-01-05"), ..line.clone() });
    claim.lines = lines.collect();
    claim
}

fn script(act: Act, replies: Vec<Reply>) -> Script {
    let codes = Codes::parse("CO-197", Some("N130")).unwrap();
    Script { act, codes, after: 14, later: 30, replies }
}

/// Each answer: its day, and what is paid and denied.
fn told(answers: &[Answer<'_>]) -> Vec<(String, i64, i64)> {
    let told = answers.iter().map(|one| (alloc::format!("{}", one.day), one.paid(), one.sum(Kind::Denied)));
    told.collect()
}

#[test]
fn each_act_answers_on_its_days() {
    let claim = claim(&[10_000, 1_001]);
    let (first, later) = ("2026-01-19", "2026-02-18");
    // A fifth is contractual, and a tenth is the patient's share.
    let paid = 7_000 + 701;
    for (act, answers) in [
        (Act::Pay, vec![(first, paid, 0)]),
        (Act::Deny, vec![(first, 0, 11_001)]),
        (Act::Part, vec![(first, 701, 8_000)]),
        (Act::Reverse, vec![(first, 0, 11_001), (later, 0, -11_001), (later, paid, 0)]),
        (Act::TakeBack, vec![(first, paid, 0), (later, -paid, 0), (later, 0, 11_001)]),
    ] {
        let script = script(act, vec![]);
        let answers: Vec<_> = answers.into_iter().map(|(day, paid, denied)| (day.into(), paid, denied)).collect();
        assert_eq!(told(&decide(&claim, &script, &[])), answers, "{act:?}");
    }
    let one = super::scripts::claim(&[10_001]);
    assert_eq!(told(&decide(&one, &script(Act::Part, vec![]), &[])), [(first.into(), 4_000, 4_001)]);
}

#[test]
fn an_appeal_is_answered_on_its_day_and_only_some_answers_pay() {
    let claim = claim(&[10_000]);
    let filed = date("2026-03-01");
    for (outcome, day, recovered) in [
        (Outcome::Overturned, Some("2026-03-31"), 7_000),
        (Outcome::Part, Some("2026-03-31"), 5_000),
        (Outcome::Upheld, Some("2026-03-31"), 0),
        (Outcome::Dismissed, Some("2026-03-31"), 0),
        (Outcome::Records, Some("2026-03-31"), 0),
        (Outcome::Silence, None, 0),
    ] {
        let script = script(Act::Deny, vec![Reply { outcome, after: 30 }]);
        let decision = appeal(&claim, &script, &[filed]).unwrap();
        assert_eq!((decision.day, decision.recovered), (day.map(date), recovered), "{outcome:?}");
        assert_eq!(decision.outcome, outcome);
        assert!(appeal(&claim, &script, &[]).is_none());
        assert!(appeal(&claim, &script, &[filed, filed]).is_none(), "the script has one answer");
        let answers = decide(&claim, &script, &[filed]);
        let left = expected(&answers, &HABITS[0]).map(|one| one.denied_amount.0);
        let denied = match outcome {
            Outcome::Overturned => None,
            Outcome::Part => Some(5_000),
            _ => Some(10_000),
        };
        assert_eq!(left, denied, "{outcome:?}");
    }
}

#[test]
fn records_first_and_then_an_overturned_denial() {
    let claim = claim(&[10_000]);
    let replies = [(Outcome::Records, 10), (Outcome::Overturned, 20)];
    let script = script(Act::Deny, replies.map(|(outcome, after)| Reply { outcome, after }).into());
    let filed = ["2026-03-01", "2026-04-01"].map(date);
    let second = appeal(&claim, &script, &filed).unwrap();
    assert_eq!((second.outcome, second.day, second.recovered), (Outcome::Overturned, Some(date("2026-04-21")), 7_000));
    assert!(expected(&decide(&claim, &script, &filed), &HABITS[0]).is_none());
}

#[test]
fn money_that_is_taken_back_is_kept_from_a_later_payment() {
    let claim = claim(&[10_000]);
    let other = Claim { number: "B-1".into(), ..super::scripts::claim(&[20_000]) };
    let (back, pay) = (script(Act::TakeBack, vec![]), Script { after: 90, ..script(Act::Pay, vec![]) });
    let answers = [decide(&claim, &back, &[]), decide(&other, &pay, &[])].concat();
    let days = remittances(answers);
    let payments: Vec<_> = days.iter().map(|one| (alloc::format!("{}", one.day), one.payment())).collect();
    // It is paid, left with the practice, owed, and kept back.
    let told = [("2026-01-19", 7_000), ("2026-02-18", 0), ("2026-03-21", 0), ("2026-04-05", 14_000 - 7_000)];
    assert_eq!(payments, told.map(|(day, payment)| (day.into(), payment)));
    let text = String::from_utf8(era(&HABITS[0], &days, 1)).unwrap();
    let moved = ["*WO:ICNAP0000000*-70.00", "*WO:ICNAP0000000*70.00*FB:20260321*-70.00", "*FB:20260321*70.00"];
    assert!(moved.iter().all(|piece| text.contains(piece)), "{text}");
    balance::check(&text);
}

#[test]
fn a_script_is_read_from_json_and_wrong_ones_are_named() {
    let json = r#"{"act":"take_back","codes":{"group":"PR","carc":"96"},"replies":[{"outcome":"silence","after":9}]}"#;
    let script = Script::read(json).unwrap();
    assert_eq!((script.act, script.codes.remark, script.after), (Act::TakeBack, None, 14));
    assert_eq!(script.replies, [Reply { outcome: Outcome::Silence, after: 9 }]);
    for (json, part) in [
        (r#"{"act":"eat"}"#, "take_back"),
        (r#"{"acts":"pay"}"#, "acts"),
        (r#"{"codes":{"group":"XX","carc":"1"}}"#, "group"),
        (r#"{"codes":{"group":"CO","carc":"1*1"}}"#, "carc"),
        (r#"{"codes":{"group":"CO"}}"#, "carc"),
    ] {
        let error = Script::read(json).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(Codes::parse("CO50", None), None);
}

#[test]
fn no_answer_comes_after_the_last_year() {
    let mut claim = claim(&[10_000]);
    claim.lines[0].day = date("9999-12-31");
    assert!(decide(&claim, &script(Act::Pay, vec![]), &[]).is_empty());
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn any_amounts_and_any_script_balance_and_are_read(
        charges in prop::collection::vec(1_i64..2_000_000, 1..6),
        seed in any::<u64>(),
        payer in 0_usize..7,
        waits in prop::collection::vec(1_i32..200, 0..3),
    ) {
        let habits = &HABITS[payer];
        let claim = Claim { payer: habits.name.into(), ..claim(&charges) };
        let mut numbers = Numbers::new(seed);
        let script = Script::any(&mut numbers);
        let filed: Vec<Date> = waits.iter().map(|wait| date("2026-03-01").plus_days(*wait).unwrap()).collect();
        let answers = decide(&claim, &script, &filed);
        let denied: Vec<Expected> = expected(&answers, habits).into_iter().collect();
        let paid: i64 = answers.iter().map(Answer::paid).sum();
        let days = remittances(answers);
        let files: Vec<String> = days
            .iter()
            .zip(1..)
            .map(|(one, control)| String::from_utf8(era(habits, core::slice::from_ref(one), control)).unwrap())
            .collect();
        if habits.is_standard() {
            files.iter().for_each(|file| balance::check(file));
        }
        // What is left with the practice in the end is what the answers say, as far as it was not owed at the end.
        let payments: i64 = days.iter().map(crate::Remittance::payment).sum();
        prop_assert!(payments >= paid);
        let sent = String::from_utf8(submission(habits, core::slice::from_ref(&claim), 1)).unwrap();
        let outcome = read(files.iter().chain([&sent]).map(String::as_str));
        prop_assert_eq!(found(&outcome), without_reported(&denied));
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn no_text_of_a_claim_becomes_a_segment_or_an_element(texts in prop::collection::vec("[*~:|>^!\\PC\n]{0,9}", 6)) {
        let mut claim = claim(&[10_000]);
        let [payer, last_name, first_name, member_id, filing, control] = &texts[..] else { panic!() };
        (claim.payer, claim.filing, claim.lines[0].control) = (payer.clone(), filing.clone(), control.clone());
        claim.lines[0].procedure.clone_from(last_name);
        let birth = claim.patient.date_of_birth;
        claim.patient = Patient {
            first_name: first_name.clone(),
            last_name: last_name.clone(),
            member_id: member_id.clone(),
            date_of_birth: birth,
        };
        let script = script(Act::Deny, vec![]);
        for habits in HABITS.iter().filter(|habits| habits.is_standard()) {
            let Played { remittances, .. } = play(core::slice::from_ref(&claim), core::slice::from_ref(&script), habits);
            let text = String::from_utf8(era(habits, &remittances, 1)).unwrap();
            balance::check(&text);
            let outcome = read([&*text]);
            let payments: u64 = outcome.files.iter().map(|file| file.counts.claim_payments).sum();
            prop_assert_eq!((payments, outcome.files[0].counts.adjustments.0), (1, 10_000), "{}", text);
        }
    }
}

#[test]
fn amounts_of_the_expected_denials_are_text() {
    let claim = claim(&[12_345]);
    let denial = expected(&decide(&claim, &script(Act::Deny, vec![]), &[]), &HABITS[0]).unwrap();
    let json = serde_json::to_value(&denial).unwrap();
    assert_eq!(cents(json["denied_amount"].as_str().unwrap()), 12_345);
    assert_eq!(json["denial_codes"], serde_json::json!(["CO-197", "N130"]));
    assert_eq!(json["denial_date"], "2026-01-19");
}
