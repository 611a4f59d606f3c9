use super::*;
use crate::auth::rights::Action;
use crate::claim_changes::testing;
use crate::plan::Write;
use crate::testing::decisions::{parse, person, said, work_claim};
use crate::work::levels::LevelRequest;
use overturn_core::base::date::Date;
use overturn_core::base::id::CaseId;
use overturn_core::base::instant::Instant;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::claims::appeal::{self, Appeal, AtLevel};
use overturn_core::claims::deadline::DeadlineFrom;
use overturn_core::testing::ctx;
use serde_json::Value;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));

fn deadline(day: &str, from: DeadlineFrom) -> Option<Deadline> {
    Date::parse(day).map(|date| from.on(date))
}

/// A claim whose rule gives June 30.
fn ruled() -> Appeal {
    Appeal {
        deadline: deadline("2026-06-30", DeadlineFrom::Rule),
        plan_type: Some("erisa".into()),
        denial_date: Date::parse("2026-01-01"),
        ..Appeal::default()
    }
}

fn stored(status: ClaimStatus, appeal: Appeal, due_on: Option<&str>) -> ClaimOfLetter {
    let is_appealed = status == ClaimStatus::InAppeal;
    let case = is_appealed.then_some(appeal::Case { version: 5, level: 1 });
    let claim = StoredWorkClaim {
        status,
        case_id: is_appealed.then_some(CASE),
        appeal: Appeal { case, ..appeal },
        ..work_claim()
    };
    let level = |due_on| LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse(due_on) }.level(1);
    ClaimOfLetter { practice_id: PRACTICE, claim, levels: due_on.map(level).into_iter().collect() }
}

fn asked(claim: ClaimOfLetter, role: Role, body: &str) -> Result<Change, RequestError> {
    let edit = parse::<LetterEdit>(body.as_bytes())?;
    let person = person(role, Action::SetLetter);
    read((Some(claim), Seen::Version(3)), edit, &person, &ctx())
}

/// The deadline in the answer, as `day from`.
fn due(claim: ClaimOfLetter, body: &str) -> Value {
    let change = asked(claim, Role::Staff, body).unwrap();
    let due = &change.answer.body["deadline"];
    match due["date"].as_str().zip(due["from"].as_str()) {
        Some((date, from)) => format!("{date} {from}").into(),
        None => Value::Null,
    }
}

fn letter(facts: LetterFacts) -> Option<Letter> {
    Some(Letter { facts, read_by: LetterReader::Practice, read_at: Time(Instant(1)) })
}

#[test]
fn the_earlier_date_counts_unless_a_person_says_that_the_letter_does() {
    for (appeal, body, expected) in [
        // No rule is known.
        (Appeal::default(), r#"{"appeal_due":"2026-08-01"}"#, "2026-08-01 letter"),
        (Appeal::default(), r#"{"appeal_due":"2026-02-01"}"#, "2026-02-01 letter"),
        (Appeal::default(), r#"{"denial_date":"2026-01-01","plan_type":"tricare"}"#, "2026-04-01 rule"),
        // The rule gives June 30.
        (ruled(), r#"{"appeal_due":"2026-08-01"}"#, "2026-06-30 rule"),
        (ruled(), r#"{"appeal_due":"2026-08-01","counts":"letter"}"#, "2026-08-01 letter"),
        (ruled(), r#"{"appeal_due":"2026-06-30"}"#, "2026-06-30 letter"),
        (ruled(), r#"{"appeal_due":"2026-05-01"}"#, "2026-05-01 letter"),
        (ruled(), r#"{"appeal_due":"2026-05-01","counts":"letter"}"#, "2026-05-01 letter"),
        // What a person read takes the place of what was sent.
        (ruled(), r#"{"plan_type":"tricare"}"#, "2026-04-01 rule"),
        (ruled(), r#"{"denial_date":"2026-02-01"}"#, "2026-07-31 rule"),
        (ruled(), r#"{"plan_type":"other","appeal_due":"2026-08-01"}"#, "2026-08-01 letter"),
    ] {
        for status in [ClaimStatus::Received, ClaimStatus::Reviewing, ClaimStatus::InReport] {
            let due = due(stored(status, appeal.clone(), None), body);
            assert_eq!(due, expected, "{body}");
        }
    }
}

#[test]
fn a_person_takes_back_what_a_person_set_and_what_was_sent_counts_again() {
    let set = LetterFacts {
        denial_date: None,
        plan_type: Some(PlanType::Tricare),
        appeal_due: Date::parse("2026-08-01"),
        counts: LetterCounts::Letter,
    };
    let appeal = Appeal { letter: letter(set), deadline: deadline("2026-08-01", DeadlineFrom::Letter), ..ruled() };
    for (body, expected) in [
        (r#"{"counts":"earliest"}"#, "2026-04-01 rule"),
        (r#"{"appeal_due":null}"#, "2026-04-01 rule"),
        (r#"{"appeal_due":null,"plan_type":null}"#, "2026-06-30 rule"),
        (r#"{"plan_type":null}"#, "2026-08-01 letter"),
        (r#"{"plan_type":"","appeal_due":" "}"#, "2026-06-30 rule"),
    ] {
        let claim = stored(ClaimStatus::Reviewing, appeal.clone(), None);
        assert_eq!(due(claim, body), expected, "{body}");
    }
    let only = Appeal {
        letter: letter(LetterFacts { plan_type: None, ..set }),
        deadline: deadline("2026-08-01", DeadlineFrom::Letter),
        ..Appeal::default()
    };
    let none = due(stored(ClaimStatus::Reviewing, only, None), r#"{"appeal_due":null}"#);
    assert_eq!(none, Value::Null, "a person took the only date away");
}

/// Today is March 4.
#[test]
fn in_a_case_the_letter_counts_beside_the_date_of_the_case_until_something_is_filed() {
    let body = r#"{"appeal_due":"2026-05-01"}"#;
    let in_case = |appeal, due_on| due(stored(ClaimStatus::InAppeal, appeal, due_on), body);
    assert_eq!(in_case(ruled(), Some("2026-07-07")), "2026-05-01 letter");
    assert_eq!(in_case(ruled(), Some("2026-05-01")), "2026-05-01 case");
    assert_eq!(in_case(ruled(), Some("2026-04-04")), "2026-04-04 case");
    let filed = Appeal {
        deadline: deadline("2026-07-07", DeadlineFrom::Case),
        levels: vec![AtLevel { case_id: CASE, level: 1, filed: true, paid: None }],
        ..ruled()
    };
    assert_eq!(in_case(filed, Some("2026-07-07")), "2026-07-07 case");
    // A person decided for the case's date after the rule's had passed. Reading the letter brings the own dates back.
    let decided = Appeal {
        deadline: deadline("2026-07-07", DeadlineFrom::Case),
        plan_type: Some("medi_cal_managed".into()),
        ..ruled()
    };
    assert_eq!(in_case(decided, Some("2026-07-07")), "2026-03-02 rule");
}

/// Of the own dates, only the one that has passed gives way to the date of the case.
#[test]
fn a_decision_about_the_case_puts_aside_only_what_has_passed() {
    let levels = stored(ClaimStatus::InAppeal, ruled(), Some("2026-12-01")).levels;
    let read = LetterFacts { appeal_due: Date::parse("2026-03-01"), ..LetterFacts::NONE };
    let appeal = Appeal { letter: letter(read), deadline: deadline("2026-03-01", DeadlineFrom::Letter), ..ruled() };
    let at = |appeal: &Appeal, today: Option<&str>| {
        let today = today.and_then(Date::parse);
        appeal.due(ClaimStatus::InAppeal, levels.last(), false, today)
    };
    assert_eq!(at(&appeal, None), appeal.deadline);
    let of_rule = deadline("2026-06-30", DeadlineFrom::Rule);
    assert_eq!(at(&appeal, Some("2026-03-04")), of_rule);
    let decided = Appeal { deadline: of_rule, ..appeal.clone() };
    assert_eq!(at(&decided, None), of_rule, "the decision stays");
    let late = at(&appeal, Some("2026-07-01"));
    assert_eq!(late, deadline("2026-12-01", DeadlineFrom::Case));
}

#[test]
fn a_resend_adds_the_date_of_the_rule_and_changes_nothing_that_a_person_read() {
    let read = |plan_type, appeal_due: Option<&str>, counts| LetterFacts {
        denial_date: None,
        plan_type,
        appeal_due: appeal_due.and_then(Date::parse),
        counts,
    };
    let (earliest, stands) = (LetterCounts::Earliest, LetterCounts::Letter);
    let erisa = Some(PlanType::Erisa);
    for (facts, expected) in [
        (read(None, Some("2026-08-01"), earliest), deadline("2026-06-30", DeadlineFrom::Rule)),
        (read(None, Some("2026-08-01"), stands), None),
        (read(None, Some("2026-06-30"), earliest), None),
        (read(Some(PlanType::Tricare), None, earliest), deadline("2026-04-01", DeadlineFrom::Rule)),
        (read(Some(PlanType::Other), Some("2026-08-01"), earliest), None),
    ] {
        let due = facts.appeal_due.map(|date| DeadlineFrom::Letter.on(date));
        let appeal = Appeal { letter: letter(facts), deadline: due, ..Appeal::default() };
        let sent = (erisa, Date::parse("2026-01-01"));
        for status in ClaimStatus::ALL {
            let is_open = ClaimStatus::OPEN.contains(&status);
            let filled = appeal.filled_in(sent, status);
            assert_eq!(filled, expected.filter(|_| is_open), "{facts:?}");
        }
    }
}

#[test]
fn a_letter_is_for_the_claim_its_filings_and_its_case_as_they_were_read() {
    let claim = stored(ClaimStatus::InAppeal, Appeal::default(), Some("2026-09-09"));
    let change = asked(claim.clone(), Role::Staff, r#"{"appeal_due":"2026-05-01"}"#).unwrap();
    let filed = filed_as_read(PRACTICE, [&claim.claim].into_iter());
    let of_case = unchanged(PRACTICE, claim.claim.case_id.unwrap(), 5);
    assert!(
        matches!(&change.guards[..], [claim, one, other] if testing::versions(claim).is_some() && *one == filed && *other == of_case)
    );
}

#[test]
fn endpoints_hear_of_a_letter_that_changes_the_deadline() {
    for (body, messages) in [(r#"{"appeal_due":"2026-05-01"}"#, 1), (r#"{"appeal_due":"2026-08-01"}"#, 0)] {
        let change = asked(stored(ClaimStatus::Received, ruled(), None), Role::Owner, body).unwrap();
        let told = change.writes.iter().filter_map(|write| match write {
            Write::Messages(told) => Some(told.len()),
            _ => None,
        });
        assert_eq!(told.sum::<usize>(), messages, "{body}");
    }
}

#[test]
fn what_is_known_already_is_not_written_again() {
    let facts = LetterFacts { appeal_due: Date::parse("2026-05-01"), ..LetterFacts::NONE };
    let appeal = Appeal { letter: letter(facts), deadline: deadline("2026-05-01", DeadlineFrom::Letter), ..ruled() };
    for (appeal, body) in [
        (appeal, r#"{"appeal_due":"2026-05-01","counts":"earliest"}"#),
        (ruled(), r#"{"appeal_due":null,"plan_type":null}"#),
    ] {
        let due = appeal.deadline;
        let change = asked(stored(ClaimStatus::Reviewing, appeal, None), Role::Staff, body).unwrap();
        assert!(change.writes.is_empty());
        assert_eq!(change.answer.body["version"], 3);
        assert_eq!(change.answer.body["deadline"], json!(due));
    }
}

#[test]
fn a_contradiction_is_refused() {
    let problems = |body| {
        let refused = asked(stored(ClaimStatus::Received, ruled(), None), Role::Staff, body);
        said(refused.map(drop).unwrap_err())
    };
    let before = ["appeal_due must not be before denial_date"];
    assert_eq!(problems(r#"{"appeal_due":"2025-12-31"}"#), before);
    let read = r#"{"appeal_due":"2026-02-01","denial_date":"2026-02-02"}"#;
    assert_eq!(problems(read), before);
    assert_eq!(problems(r#"{"counts":"letter"}"#), ["appeal_due is required if the letter's day counts"]);
}
