use super::*;
use crate::work::levels::LevelRequest;
use overturn_core::auth::rights::Action;
use overturn_core::base::date::Date;
use overturn_core::base::id::CaseId;
use overturn_core::base::instant::Instant;
use overturn_core::plan::WorkGuard;
use overturn_core::plan::claims::ClaimNumber;
use overturn_core::plan::claims::deadline::DeadlineFrom;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::appeal::{self, Appeal, AtLevel};
use overturn_core::plan::work::level_names::LevelKind;
use overturn_core::plan::{WorkWrite, Write};
use overturn_core::request::if_match::CHANGED;
use overturn_core::testing::{parse_at, person, said};
use serde_json::Value;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));

/// March 4, 2026.
fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

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
    ClaimOfLetter {
        practice_id: PRACTICE,
        claim: StoredWorkClaim {
            id: ClaimId(Uuid::from_u128(7)),
            claim_number: ClaimNumber("A-1".into()),
            version: 3,
            status,
            signing_status: SigningStatus::NotDecided,
            taken_by: None,
            case_id: (status == ClaimStatus::InAppeal).then_some(CASE),
            appeal: Appeal {
                case: (status == ClaimStatus::InAppeal).then_some(appeal::Case { version: 5, level: 1 }),
                ..appeal
            },
        },
        levels: Vec::from_iter(due_on.map(|due_on| {
            let new = LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse(due_on) };
            new.level(1)
        })),
    }
}

fn asked(claim: ClaimOfLetter, role: Role, body: &str) -> Result<Change, RequestError> {
    let edit = parse_at::<LetterEdit>(body.as_bytes(), &ctx())?;
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
fn a_change_has_its_history_its_message_and_its_audit_row() {
    let claim = stored(ClaimStatus::InAppeal, Appeal::default(), Some("2026-09-09"));
    let claim = ClaimOfLetter {
        claim: StoredWorkClaim {
            appeal: Appeal { deadline: deadline("2026-09-09", DeadlineFrom::Case), ..claim.claim.appeal },
            ..claim.claim
        },
        ..claim
    };
    for (role, reader) in [(Role::Staff, "staff"), (Role::Member, "practice")] {
        let body = r#"{"appeal_due":"2026-05-01","plan_type":"erisa"}"#;
        let change = asked(claim.clone(), role, body).unwrap();
        let facts =
            json!({ "denial_date": null, "plan_type": "erisa", "appeal_due": "2026-05-01", "counts": "earliest" });
        let answer = json!({ "id": claim.claim.id, "version": 4,
            "deadline": { "date": "2026-05-01", "from": "letter" } });
        assert_eq!(change.answer.body, answer);
        let Write::Audit(audit) = &change.writes[0] else {
            panic!("no audit row");
        };
        assert_eq!(audit.event, Event::ClaimLetter);
        let said = audit.detail.clone().unwrap();
        assert_eq!(said, json!({ "letter": facts, "deadline": answer["deadline"] }));
        let mut written = change.writes.iter().filter_map(|write| match write {
            Write::Work(WorkWrite::Claims(changes)) => changes.first(),
            _ => None,
        });
        let written = written.next().unwrap();
        let history = json!({ "letter": facts, "appeal_due": "2026-05-01" });
        assert_eq!(written.history(), Some(history));
        assert_eq!(json!(written.set)["letter_by"], reader);
        assert_eq!(json!(written.set)["letter_at"], 1_772_625_600_000_i64);
        let told = change.writes.iter().filter_map(|write| match write {
            Write::Messages(told) => Some(told.len()),
            _ => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), [1]);
        let filed = filed_as_read(PRACTICE, [&claim.claim].into_iter());
        let of_case = unchanged(PRACTICE, claim.claim.case_id.unwrap(), 5);
        let guards = change.guards.iter().map(|guard| match guard {
            Guard::Work(WorkGuard::Claims(_)) => "claim",
            guard if *guard == filed => "filed",
            guard if *guard == of_case => "case",
            _ => "other",
        });
        assert_eq!(guards.collect::<Vec<_>>(), ["claim", "filed", "case"]);
    }
}

#[test]
fn a_letter_that_changes_no_deadline_sends_no_message() {
    let claim = stored(ClaimStatus::Received, ruled(), None);
    let change = asked(claim, Role::Owner, r#"{"appeal_due":"2026-08-01"}"#).unwrap();
    let mut told = change.writes.iter().filter_map(|write| match write {
        Write::Messages(told) => Some(told.len()),
        _ => None,
    });
    assert_eq!(told.next(), Some(0));
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
fn an_ended_appeal_a_stale_version_and_a_contradiction_are_refused() {
    let body = r#"{"appeal_due":"2026-05-01"}"#;
    for status in [ClaimStatus::Recovered, ClaimStatus::Closed] {
        let refused = asked(stored(status, ruled(), None), Role::Staff, body);
        assert_eq!(refused.map(drop), Err(stuck(status)));
    }
    let edit = || parse_at::<LetterEdit>(body.as_bytes(), &ctx()).unwrap();
    let me = person(Role::Staff, Action::Work);
    for seen in [2, 4] {
        let claim = Some(stored(ClaimStatus::Closed, ruled(), None));
        let refused = read((claim, Seen::Version(seen)), edit(), &me, &ctx());
        assert_eq!(refused.map(drop), Err(CHANGED));
    }
    let none = read((None, Seen::Version(3)), edit(), &me, &ctx());
    assert_eq!(none.map(drop), Err(UNKNOWN));
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
