use super::*;
use std::cell::RefCell;
use std::collections::VecDeque;

/// A service that gives scripted answers, and a clock that records the waits.
#[derive(Default)]
struct Fake {
    answers: RefCell<VecDeque<Result<Answer, CallError>>>,
    waits: RefCell<Vec<u64>>,
}

impl Wire for Fake {
    fn exchange(&self, _: &Call) -> Result<Answer, CallError> {
        self.answers.borrow_mut().pop_front().expect("no further call")
    }
}

impl Clock for Fake {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn wait(&self, wait: Duration) -> Result<(), Error> {
        let ms = u64::try_from(wait.as_millis()).unwrap();
        self.waits.borrow_mut().push(ms);
        Ok(())
    }
}

fn answer(status: u16, retry_after: Option<u64>) -> Result<Answer, CallError> {
    Ok(Answer { status, retry_after, body: Vec::new() })
}

fn lost() -> Result<Answer, CallError> {
    Err(CallError::Lost("the connection was lost".into()))
}

/// The result of a call, and the waits before it in milliseconds. The test fails if an answer was not used.
fn run(answers: impl IntoIterator<Item = Result<Answer, CallError>>) -> (Result<u16, Error>, Vec<u64>) {
    let fake = Fake { answers: RefCell::new(answers.into_iter().collect()), ..Fake::default() };
    let found = deliver(&Call::Status("A".into()), &fake, &fake, &|_, _| ());
    assert!(fake.answers.borrow().is_empty());
    (found.map(|answer| answer.status), fake.waits.into_inner())
}

fn failure(found: Result<u16, Error>) -> String {
    match found {
        Err(Error::Service(message)) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_waits_double_from_half_a_second_to_thirty_seconds() {
    let waits: Vec<u128> = (1..=9).map(|failures| back_off(failures).as_millis()).collect();
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    assert_eq!(back_off(u32::MAX).as_millis(), 30_000);
}

#[test]
fn jitter_adds_a_tenth_at_most_and_takes_nothing_away() {
    let wait = Duration::from_secs(10);
    let waits: Vec<Duration> = (0..100).map(|_| with_jitter(wait)).collect();
    assert!(waits.iter().all(|found| (wait..=wait * 11 / 10).contains(found)));
    assert!(waits.iter().any(|found| *found != waits[0]));
}

#[test]
fn a_call_is_made_seven_times_and_then_given_up() {
    let (found, waits) = run([
        lost(),
        answer(500, None),
        answer(502, None),
        answer(503, None),
        answer(504, None),
        answer(408, None),
        lost(),
    ]);
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000]);
    assert!(failure(found).contains("7 attempts failed, the last one with: the connection was lost"));
}

#[test]
fn the_seventh_answer_still_counts() {
    let answers = std::iter::repeat_with(lost).take(6).chain([answer(201, None)]);
    let (found, waits) = run(answers);
    assert_eq!((found, waits.len()), (Ok(201), 6));
}

#[test]
fn every_other_answer_is_handed_over_at_once() {
    for status in [200, 201, 302, 400, 401, 403, 404, 413, 422] {
        assert_eq!(run([answer(status, Some(9))]), (Ok(status), vec![]));
    }
}

#[test]
fn the_service_says_how_long_to_wait_and_that_costs_no_attempt() {
    let told = (0..20).map(|_| answer(429, Some(7)));
    let (found, waits) = run(told.chain([answer(200, None)]));
    assert_eq!((found, waits), (Ok(200), vec![7_000; 20]));
}

#[test]
fn the_wait_is_read_from_the_body_where_the_header_is_missing() {
    let told =
        Answer { status: 429, retry_after: None, body: br#"{"error":"too many requests","retry_after":12}"#.to_vec() };
    assert_eq!(run([Ok(told), answer(200, None)]), (Ok(200), vec![12_000]));
    let told = run([answer(429, Some(0)), answer(200, None)]);
    assert_eq!(told, (Ok(200), vec![1_000]));
}

#[test]
fn without_a_retry_after_the_wait_is_not_short_and_the_note_does_not_claim_one() {
    let fake = Fake::default();
    let without_time = (0..6).map(|_| answer(429, None));
    fake.answers.borrow_mut().extend(without_time.chain([answer(200, None)]));
    let notes = RefCell::new(Vec::new());
    let note = |text: &str, _| notes.borrow_mut().push(text.to_owned());
    deliver(&Call::Status("A".into()), &fake, &fake, &note).unwrap();
    assert_eq!(fake.waits.into_inner(), [5_000, 5_000, 5_000, 5_000, 8_000, 16_000]);
    assert_eq!(notes.borrow()[0], "too many requests: waiting 5 s");
}

#[test]
fn a_wait_too_long_to_write_down_is_longer_than_anybody_waits() {
    let (found, waits) = run([answer(429, Some(u64::MAX))]);
    assert_eq!(waits, [0_u64; 0]);
    assert!(failure(found).contains("asks to wait more than a day"));
    let body = br#"{"error":"too many requests","retry_after":18446744073709551616}"#;
    let told = Answer { status: 429, retry_after: None, body: body.to_vec() };
    assert!(failure(run([Ok(told)]).0).contains("asks to wait more than a day"));
}

#[test]
fn a_failing_service_that_asks_for_more_time_gets_it_and_never_less_than_the_back_off() {
    let (found, waits) = run([answer(503, Some(5)), answer(503, Some(0)), answer(200, None)]);
    assert_eq!((found, waits), (Ok(200), vec![5_000, 1_000]));
}

#[test]
fn no_wait_is_endless() {
    let (found, waits) = run((0..21).map(|_| answer(429, Some(1))));
    assert_eq!(waits.len(), 20);
    assert!(failure(found).contains("20 times in a row"));
    for status in [429, 503] {
        let (found, waits) = run([answer(status, Some(901))]);
        assert_eq!(waits, [0_u64; 0]);
        assert!(failure(found).contains("asks to wait 901 s"));
        let (found, waits) = run([answer(status, Some(900)), answer(200, None)]);
        assert_eq!((found, waits), (Ok(200), vec![900_000]));
    }
}

#[test]
fn a_lasting_failure_is_not_retried() {
    let (found, _) = run([Err(CallError::Lasting("invalid peer certificate".into()))]);
    assert!(failure(found).contains("invalid peer certificate"));
    assert_eq!(run([lost(), Err(CallError::Interrupted)]), (Err(Error::Interrupted), vec![500]));
}

#[test]
fn a_wait_ends_when_the_user_stops_the_program() {
    let interrupt = Stop::default();
    interrupt.set();
    assert_eq!(Clock::wait(&interrupt, Duration::from_secs(3_600)), Err(Error::Interrupted));
}

#[test]
fn no_call_begins_after_an_interruption() {
    let interrupt = Stop::default();
    interrupt.set();
    // It panics if it is called.
    let nobody = Fake::default();
    let found = deliver(&Call::Send("{}".into()), &nobody, &interrupt, &|_, _| ());
    assert_eq!(found.map(|answer| answer.status), Err(Error::Interrupted));
}

#[test]
fn a_429_that_names_claims_is_an_answer_and_not_waited_for() {
    let error = overturn_core::claims::intake::stopped_message(&[1]);
    let body = serde_json::json!({ "error": error, "retry_after": 40_000 });
    let stopped = Answer { status: 429, retry_after: Some(40_000), body: body.to_string().into_bytes() };
    let (found, waits) = run([Ok(stopped)]);
    assert_eq!((found.ok(), waits), (Some(429), Vec::new()));
}
