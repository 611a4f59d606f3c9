//! `/api/v1/sandbox/clock`: what a sandbox's clock says, and how to advance it. With a key of the sandbox.

use super::{course, moves};
use crate::auth::key::Caller;
use crate::auth::scope::Scope;
use crate::call::Call;
use crate::claims::send::scripted::{emptying_since, is_not_emptied};
use crate::extract::{KeyRequest, PresentedKey, SendRequest};
use crate::jobs::Jobs;
use crate::pipeline::{self, key as authorize};
use crate::plan::Actor;
use crate::plan::sandbox::{Clock, SANDBOX_AHEAD_MS};
use crate::prelude::*;
use crate::request::declare::kinds::{Optional, form};
use crate::request::declare::query::kinds::Moment;
use crate::response;
use crate::store::error::{DatabaseError, FailedGuard};
use http::StatusCode;
use overturn_core::base::instant::DAY_MS;
use overturn_core::request::problem::Rule;
use std::rc::Rc;

/// How long a call that advances the clock takes what is due. What is left is taken by the job of each minute, at the
/// instants of the sandbox at which it was due.
const LONGEST_MS: i64 = 8_000;

body! {
    /// How far to advance.
    Advance {
        advance: Ahead,
        /// A time that the clock has said, from which to count. Then a repeated call advances no further.
        from: Optional<Moment>,
    }
}

form! {
    /// A duration of ISO 8601 without years and months, in milliseconds.
    Ahead: i64 = "a duration of weeks, days, hours, minutes and seconds, such as P30D or PT2H", duration,
        { "type": "string" }
}

/// What a clock says.
#[derive(Serialize)]
struct ClockAnswer {
    clock: ClockView,
}

#[derive(Serialize)]
struct ClockView {
    now: Time,
    /// How many scripted steps are due and were not taken yet.
    waiting: usize,
    /// When the key of the call ends by this clock.
    key_expires_at: Time,
}

/// `GET /api/v1/sandbox/clock`.
pub(crate) async fn show(KeyRequest { call, key }: KeyRequest) -> Result<Response, AppError> {
    authorize::by_clock(&call, &key, async |call| {
        let (caller, _) = caller(&call, &key, Scope::ClaimsRead).await?;
        let now = call.ctx.now;
        Ok(answer(&caller, now, call.db.read(&moves::waiting(caller.practice_id, now)).await?))
    })
    .await
}

/// `POST /api/v1/sandbox/clock`.
///
/// The clock moves first, in one batch. What is due then is taken one after the other, each at its own instant, so that one
/// long step of the clock gives the same events in the same order as many short ones. Once the clock has moved, no fault is
/// one of the call, which would move it again: the job of each minute takes what is left.
pub(crate) async fn advance(SendRequest { call, key, body }: SendRequest) -> Result<Response, AppError> {
    authorize::by_clock(&call, &key, async |call| {
        let (caller, clock) = caller(&call, &key, Scope::ClaimsWrite).await?;
        let body = body.as_ref().map_err(RequestError::clone)?;
        let until = Advance::checked(call.parse(body))?.until(call.ctx.now)?;
        let waiting = moves::waiting(clock.sandbox, until);
        let counted = moved_to(&call, (&caller, &key), (clock, until), &waiting).await?;
        let jobs = Jobs::new(Rc::clone(&call.app), call.ctx.cell);
        let ends = call.app.host.now().plus(LONGEST_MS);
        if let Err(fault) = course::take_due(&jobs, (clock.sandbox, until), (ends, jobs.at_once)).await {
            jobs.db.failed("sandbox_steps_left", fault);
        }
        Ok(answer(&caller, until, call.db.read(&waiting).await.unwrap_or(counted)))
    })
    .await
}

impl Advance {
    /// As in the claims interface, a body that is no JSON object is invalid like any other.
    fn checked(read: Result<Self, RequestError>) -> Result<Self, RequestError> {
        read.map_err(|why| match why {
            RequestError::Malformed(problem) => RequestError::Invalid(vec![problem]),
            other => other,
        })
    }

    /// What the clock is to say.
    fn until(&self, now: Instant) -> Result<Instant, RequestError> {
        if self.from.is_some_and(|from| from > now) {
            return Err(RequestError::invalid("from", Rule::MustBe("a time that the clock has said".into())));
        }
        Ok(self.from.unwrap_or(now).plus(self.advance).max(now))
    }
}

/// The caller, if the key is a sandbox's, and its clock.
async fn caller(call: &Rc<Call>, key: &PresentedKey, scope: Scope) -> Result<(Caller, Clock), AppError> {
    let caller = authorize::load_key(call, key, scope).await?;
    let clock = call.clock.ok_or(RequestError::NotFound("only the key of a sandbox has a clock"))?;
    Ok((caller, clock))
}

/// Moves the clock, and returns how many steps are due then.
async fn moved_to(
    call: &Call,
    (caller, key): (&Caller, &PresentedKey),
    (clock, until): (Clock, Instant),
    waiting: &Query<usize>,
) -> Result<usize, AppError> {
    let ahead_ms = until.since(call.ctx.real);
    if ahead_ms > SANDBOX_AHEAD_MS {
        let rule = Rule::MustBe("short enough that the clock is at most 1826 days ahead".into());
        return Err(RequestError::invalid("advance", rule).into());
    }
    let plan = pipeline::plan_of_call(
        call,
        Actor::ApiKey(caller.api_key_id),
        vec![Guard::Key(caller.clone()), still(clock)],
        moved(caller, (ahead_ms, until), &call.ctx),
    );
    let counted = pipeline::run_and_read(&call.db, &call.app, &plan, waiting).await;
    if let Err(DatabaseError::Conflict(FailedGuard::Record)) = counted {
        is_not_emptied(call.db.read(&emptying_since(clock.sandbox)).await?, call.app.host.now())?;
    }
    let counted = counted.map_err(|fault| match fault {
        // Another call advanced it first.
        DatabaseError::Conflict(FailedGuard::Record) => {
            RequestError::Conflict(Reason::VersionConflict, "the clock has moved, read it again").into()
        }
        // The key was revoked meanwhile.
        DatabaseError::Conflict(FailedGuard::Credential) => RequestError::NotAuthenticated.into(),
        other => AppError::from(other),
    })?;
    call.app.memory.keys.with(key.hash(), |known| known.clock = Some(Clock { ahead_ms, ..clock }));
    Ok(counted)
}

/// The clock is still where it was read, and the end of an emptying will not set it back.
fn still(Clock { sandbox, ahead_ms }: Clock) -> Guard {
    const EMPTIED: &str = destruction_open!("{sandbox}");
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM practices WHERE id = {sandbox} AND clock_ms = CAST({ahead_ms} AS INTEGER))
         OR {EMPTIED}" [EMPTIED];
        sandbox, ahead_ms
    )
}

/// The call is a use of the key at the new instant, so that the sandbox is not taken for an idle one.
fn moved(caller: &Caller, (next, until): (i64, Instant), ctx: &Ctx) -> Vec<Write> {
    let practice = caller.practice_id;
    let audit = Entry::new(ctx, 0, Some(practice), Event::SandboxAdvanced, practice).detail(json!({ "to": until }));
    vec![
        sql!(
            "UPDATE practices SET clock_ms = CAST({next} AS INTEGER) WHERE id = {practice} AND sandbox_of IS NOT NULL";
            practice, next
        ),
        sql!(
            "UPDATE api_keys SET last_used_at = {until} WHERE practice_id = {practice} AND id = {key}";
            practice, key = caller.api_key_id, until
        ),
        Write::Audit(audit),
    ]
}

fn answer(caller: &Caller, now: Instant, waiting: usize) -> Response {
    let clock = ClockView { now: Time(now), waiting, key_expires_at: Time(caller.expires_at) };
    response::json(StatusCode::OK, &ClockAnswer { clock })
}

/// The milliseconds of a duration of ISO 8601. Years and months have no fixed length.
fn duration(text: &str) -> Option<i64> {
    let rest = text.strip_prefix('P')?;
    let (days, times) = rest.split_once('T').map_or((rest, None), |(days, times)| (days, Some(times)));
    let days = sum(days, &[('W', 7 * DAY_MS), ('D', DAY_MS)])?;
    let times = times.map(|times| sum(times, &[('H', 3_600_000), ('M', 60_000), ('S', 1_000)]));
    match (days, times) {
        (None, None) | (_, Some(None | Some(None))) => None,
        (days, times) => Some(days.unwrap_or(0).saturating_add(times.flatten().flatten().unwrap_or(0))),
    }
}

/// The sum of numbers with units, each unit at most once and in this order. `Some(None)` without any.
fn sum(text: &str, units: &[(char, i64)]) -> Option<Option<i64>> {
    let (mut rest, mut units, mut total) = (text, units.iter(), None);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, unit) = rest.split_at_checked(end)?;
        let number: i64 = number.parse().ok().filter(|number| *number < 100_000)?;
        let unit_of = unit.chars().next()?;
        let (_, ms) = units.find(|(name, _)| *name == unit_of)?;
        total = Some(total.unwrap_or(0_i64).saturating_add(number.saturating_mul(*ms)));
        rest = unit.get(1..)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::{parse, said};

    /// The pattern of a field of the description that callers read.
    fn pattern(field: &str) -> regex::Regex {
        let described = include_str!("../../../docs/openapi.yaml");
        let (_, described) = described.split_once(&format!("\n        {field}:\n")).unwrap();
        let (_, pattern) = described.split_once("pattern: '").unwrap();
        regex::Regex::new(pattern.split_once('\'').unwrap().0).unwrap()
    }

    #[test]
    fn the_description_has_the_problems_of_a_call_that_advances() {
        for (body, problems) in [
            ("{}", 1),
            (r#"{"advance": "P1M", "from": "yesterday"}"#, 2),
            (r#"{"advance": "P1D", "advance": 5, "from": 5}"#, 3),
            ("[]", 1),
            ("{", 1),
        ] {
            let found = said(Advance::checked(parse(body)).unwrap_err());
            assert_eq!(found.len(), problems, "{found:?}");
            for problem in found {
                assert!(pattern("errors").is_match(&problem), "{problem}");
            }
        }
    }

    #[test]
    fn a_duration_has_weeks_to_seconds_and_no_years_or_months() {
        for (text, ms) in [
            ("P30D", 30 * DAY_MS),
            ("PT0S", 0),
            ("P1W", 7 * DAY_MS),
            ("P1DT2H3M4S", DAY_MS + 7_384_000),
            ("PT90M", 5_400_000),
            ("P1W2D", 9 * DAY_MS),
            ("P2DT5S", 2 * DAY_MS + 5_000),
            ("PT1H1S", 3_601_000),
        ] {
            assert_eq!(duration(text), Some(ms), "{text}");
            assert!(pattern("advance").is_match(text), "{text}");
        }
        for wrong in [
            "", "P", "PT", "P1DT", "30D", "P1Y", "P1M", "P-1D", "P1D2D", "PT1S1H", "P1H", "P100000D", "P1", "P1.5D",
            "p1D", "P٣D",
        ] {
            assert_eq!(duration(wrong), None, "{wrong}");
            assert!(!pattern("advance").is_match(wrong), "{wrong}");
        }
    }
}
