use super::*;

const NOW: Instant = Instant(1_772_625_600_000);
const HOUR: i64 = 3_600_000;

fn turn(attempt: usize) -> AttemptFacts {
    AttemptFacts {
        attempt,
        endpoint_active: true,
        practice: PracticeState::Active,
        agreement_in_force: true,
        failing_since: None,
    }
}

fn answered(status: u16) -> Outcome {
    Outcome::Answered(EndpointAnswer { status, retry_after: None })
}

fn judged(turn: AttemptFacts, outcome: Outcome) -> AttemptResult {
    judge(turn, outcome, &Schedule::default(), NOW)
}

#[test]
fn the_attempts_go_on_for_three_days() {
    let schedule = Schedule::default();
    let waits: Vec<_> = (1..).map_while(|n| schedule.wait_ms(n)).collect();
    assert_eq!(waits.len(), 9);
    assert!(waits.is_sorted());
    assert_eq!(waits.iter().sum::<i64>(), schedule.total_ms());
    assert!((72 * HOUR..80 * HOUR).contains(&schedule.total_ms()));
    assert_eq!(schedule.wait_ms(0), None);
}

#[test]
fn only_a_status_of_success_is_success() {
    for status in [200, 201, 202, 204, 299] {
        let verdict = judged(turn(1), answered(status));
        assert_eq!(verdict.next, Next::Delivered);
        assert_eq!((verdict.status, verdict.failure), (Some(status), None));
    }
    for (status, failure) in [
        (199, Failure::Refused),
        (300, Failure::Redirected),
        (301, Failure::Redirected),
        (304, Failure::Redirected),
        (400, Failure::Refused),
        (404, Failure::Refused),
        (500, Failure::Refused),
    ] {
        let verdict = judged(turn(1), answered(status));
        assert_eq!(verdict.next, Next::Again(NOW.plus(5000)), "{status}");
        assert_eq!(verdict.failure, Some(failure), "{status}");
        assert!(!verdict.disable, "{status}");
    }
}

#[test]
fn a_failed_delivery_is_retried_until_the_schedule_ends() {
    for failure in [Failure::TimedOut, Failure::NotConnected] {
        let outcome = Outcome::Failed(failure);
        assert_eq!(judged(turn(2), outcome).next, Next::Again(NOW.plus(300_000)));
        let last = judged(turn(10), outcome);
        assert_eq!(last.next, Next::Failed);
        assert_eq!(last.failure, Some(failure));
    }
}

#[test]
fn an_endpoint_may_ask_for_a_longer_wait_and_no_shorter_one() {
    let asked = |status, seconds| {
        let retry_after = Some(seconds);
        judged(turn(2), Outcome::Answered(EndpointAnswer { status, retry_after })).next
    };
    assert_eq!(asked(429, 600), Next::Again(NOW.plus(600_000)));
    assert_eq!(asked(503, 600), Next::Again(NOW.plus(600_000)));
    assert_eq!(asked(429, 1), Next::Again(NOW.plus(300_000)));
    assert_eq!(asked(429, -600), Next::Again(NOW.plus(300_000)));
    assert_eq!(asked(429, i64::MAX), Next::Again(NOW.plus(24 * HOUR)));
    assert_eq!(asked(500, 600), Next::Again(NOW.plus(300_000)));
}

#[test]
fn an_endpoint_that_is_gone_is_disabled_at_once() {
    let verdict = judged(turn(1), answered(410));
    assert_eq!(verdict.next, Next::Failed);
    assert!(verdict.disable);
}

#[test]
fn an_endpoint_is_disabled_when_it_took_nothing_for_the_whole_schedule() {
    let total = Schedule::default().total_ms();
    let last = |since: Option<i64>| {
        let failing_since = since.map(|ms| NOW.plus(-ms));
        let turn = AttemptFacts { failing_since, ..turn(10) };
        judged(turn, answered(500))
    };
    assert!(last(Some(total)).disable);
    assert!(!last(Some(total - 1)).disable);
    assert!(!last(None).disable);
    let early = AttemptFacts { failing_since: Some(NOW.plus(-total)), ..turn(9) };
    assert!(!judged(early, answered(500)).disable);
    let no_secret = AttemptFacts { attempt: 10, ..early };
    assert!(!judged(no_secret, Outcome::Failed(Failure::NoSecret)).disable);
}

#[test]
fn an_inactive_endpoint_or_practice_gets_no_messages() {
    let schedule = Schedule::default();
    assert_eq!(stop(turn(10), &schedule), None);
    for (turn, failure) in [
        (AttemptFacts { endpoint_active: false, ..turn(1) }, Failure::EndpointInactive),
        (AttemptFacts { practice: PracticeState::Inactive, ..turn(1) }, Failure::PracticeInactive),
        (AttemptFacts { agreement_in_force: false, ..turn(1) }, Failure::AgreementEnded),
        (turn(11), Failure::Interrupted),
    ] {
        let verdict = stop(turn, &schedule).unwrap();
        assert_eq!(verdict.next, Next::Failed);
        assert_eq!(verdict.failure, Some(failure));
        assert!(!verdict.disable && !verdict.of_endpoint);
    }
}

#[test]
fn a_schedule_is_read_from_seconds_and_nothing_else_is_one() {
    let read = Schedule::parse("0, 1,86400").unwrap();
    assert_eq!([1, 2, 3, 4].map(|n| read.wait_ms(n)), [Some(0), Some(1_000), Some(86_400_000), None]);
    for text in ["", "x", "1,", "-1", "1.5"] {
        assert_eq!(Schedule::parse(text), None, "{text}");
    }
}
