//! The statements of deliveries.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::message::{Data, Message, MessageKind};
use crate::plan::signing::SigningStatus;
use crate::plan::{Plan, Write};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::stored_key;
use crate::webhooks::attempt::{AttemptResult, Failure, KEPT_MS, MISSED_MS, Next, Outcome};
use crate::webhooks::endpoints::NewWebhook;
use crate::webhooks::lease::{self, Delivery, Leased};
use crate::webhooks::post::Posted;
use crate::webhooks::sweep::{forget, in_time, old};
use crate::webhooks::{attempts, disable, endpoints};
use futures_util::{FutureExt as _, StreamExt as _};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{AttemptId, ClaimId, ReportId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::base::open::Open as _;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::claims::ClaimNumber;
use overturn_core::webhooks::schedule::EndpointAnswer;
use overturn_core::webhooks::signature::WebhookSecret;
use std::cell::Cell;
use uuid::Uuid;

/// A practice with an endpoint that subscribes to reports, and one message of each of two kinds. Returns the only delivery.
pub(super) fn told(f: &mut Fixture) -> (Ctx, Delivery) {
    let practice_id = f.practice();
    let (user_id, ..) = f.enrol(1);
    let ctx = f.ctx();
    let owner = Person { user_id, practice_id: Some(practice_id), ..person(Role::Owner, Action::ManageWebhooks) };
    let new = NewWebhook { url: "https://hooks.example.com/".into(), events: vec![MessageKind::ReportDelivered] };
    let made = endpoints::created(new, 0, &owner, &WebhookSecret::new([7; 32]), &ctx).unwrap();
    let webhook_id = WebhookId(ctx.id(Purpose::Record, 0));
    let report = Data::Report { id: ReportId(Uuid::nil()), claims: 2 };
    let signing = Data::Signing {
        id: ClaimId(Uuid::nil()),
        claim_number: ClaimNumber("A-1".into()),
        signing_status: SigningStatus::Needed,
    };
    let messages = [report, signing].into_iter().enumerate();
    let messages: Vec<_> = messages.map(|(n, data)| Message::new(&ctx, n, practice_id, data)).collect();
    let id = messages[0].id;
    let mut writes = made.writes;
    writes.push(Write::Messages(messages));
    let batch = f.lower(&Plan::of_operator(&ctx, writes));
    f.run(&batch.statements).unwrap();
    let delivery = Delivery { practice_id, webhook_id, id, at: None };
    (ctx, delivery)
}

/// Writes another message to the same endpoint.
pub(super) fn tell_again(f: &mut Fixture, of: Delivery) -> (Ctx, Delivery) {
    let ctx = f.ctx();
    let report = Data::Report { id: ReportId(Uuid::nil()), claims: 1 };
    let message = Message::new(&ctx, 0, of.practice_id, report);
    let id = message.id;
    let batch = f.lower(&Plan::of_operator(&ctx, vec![Write::Messages(vec![message])]));
    f.run(&batch.statements).unwrap();
    (ctx, Delivery { id, ..of })
}

/// Leases a delivery, as a dispatcher does. Reads what the attempt needs, unless another dispatcher has the lease.
fn lease(f: &mut Fixture, of: Delivery, now: Instant) -> Option<Leased> {
    let ctx = f.ctx();
    let (guard, write) = lease::lease(of, now);
    let plan = Plan { guards: vec![guard], at: now, ..Plan::of_operator(&ctx, vec![write]) };
    let leased = lease::leased(of, now);
    let batch = f.lower(&plan).read_back(&leased);
    match f.run(&batch.statements) {
        Err(fault) => {
            assert_eq!(fault, DatabaseError::Conflict(FailedGuard::Record));
            None
        }
        Ok(done) => batch.rows(&done).unwrap(),
    }
}

#[test]
fn one_dispatcher_has_a_delivery_and_one_that_lost_it_records_success_only() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let first = lease(&mut f, delivery, ctx.now).unwrap();
    assert_eq!(first.turn().attempt, 1);
    let secrets = first.secrets(delivery, &f.keys).unwrap();
    assert_eq!(secrets, [WebhookSecret::new([7; 32])]);
    assert!(lease(&mut f, delivery, ctx.now.plus(59_999)).is_none());
    let second = lease(&mut f, delivery, ctx.now.plus(60_000)).unwrap();
    assert_eq!(second.turn().attempt, 2);

    let mut settle = |next, failure| {
        let verdict = AttemptResult { next, status: None, failure, of_endpoint: false, disable: false };
        let writes = lease::settle(delivery, &first, verdict, ctx.now);
        f.commit(&ctx, (Vec::new(), writes)).unwrap()[0].changes
    };
    assert_eq!(settle(Next::Failed, Some(Failure::TimedOut)), 0);
    assert_eq!(settle(Next::Delivered, None), 1);
    assert_eq!(settle(Next::Delivered, None), 0);
}

#[test]
fn an_attempt_says_something_of_the_endpoint_only_if_it_was_called() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let again = Next::Again(ctx.now);
    for (failure, of_endpoint, after, failing) in [
        (Some(Failure::NoSecret), false, 0, None),
        (Some(Failure::Refused), true, 1, Some(ctx.now.0 + 1)),
        (Some(Failure::Refused), true, 2, Some(ctx.now.0 + 1)),
        (None, true, 3, None),
    ] {
        let leased = lease(&mut f, delivery, ctx.now).unwrap();
        let verdict = AttemptResult { next: again, status: None, failure, of_endpoint, disable: false };
        let settle = |now| lease::settle(delivery, &leased, verdict, now);
        f.commit(&ctx, (Vec::new(), settle(ctx.now.plus(after)))).unwrap();
        // A late run of the batch says nothing more of the endpoint.
        f.commit(&ctx, (Vec::new(), settle(ctx.now.plus(1000)))).unwrap();
        let since: Option<i64> = f.db.query_row("SELECT failing_since FROM webhooks", [], |row| row.get(0)).unwrap();
        assert_eq!(since, failing, "{failure:?} after {after}");
    }
}

#[test]
fn a_result_that_comes_late_says_nothing_of_a_message_that_is_sent_again_by_hand() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let old = lease(&mut f, delivery, ctx.now).unwrap();
    f.db.execute_batch("UPDATE deliveries SET attempts = 0, next_at = next_at + 7, lease_ends = NULL").unwrap();
    for next in [Next::Delivered, Next::Again(ctx.now), Next::Failed] {
        let verdict = AttemptResult { next, status: None, failure: None, of_endpoint: true, disable: false };
        f.commit(&ctx, (Vec::new(), lease::settle(delivery, &old, verdict, ctx.now))).unwrap();
    }
    assert_eq!(f.count("SELECT count(*) FROM deliveries WHERE state = 'pending' AND attempts = 0"), 1);
    assert_eq!(f.count(&format!("SELECT next_at > {} FROM deliveries", ctx.now.0)), 1);
}

#[test]
fn the_log_of_a_delivery_opens_and_goes_with_it() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let leased = lease(&mut f, delivery, ctx.now).unwrap();
    let answer = EndpointAnswer { status: 500, retry_after: None };
    let text = "Patient \u{0}Ann";
    let posted = Posted {
        at: ctx.now,
        signatures: "v1,abc".into(),
        took_ms: 12,
        outcome: Outcome::Answered(answer),
        text: text.into(),
    };
    let verdict = AttemptResult {
        next: Next::Failed,
        status: Some(500),
        failure: Some(Failure::Refused),
        of_endpoint: true,
        disable: false,
    };
    // Twice, as after a lost answer.
    for _ in 0..2 {
        let writes = vec![attempts::logged(delivery, &leased.url, &posted, verdict, &ctx)];
        f.commit(&ctx, (Vec::new(), writes)).unwrap();
    }
    f.commit(&ctx, (Vec::new(), lease::settle(delivery, &leased, verdict, ctx.now))).unwrap();
    let sealed: String = f.db.query_row("SELECT sealed FROM attempts", [], |row| row.get(0)).unwrap();
    assert!(!sealed.contains("Ann"));
    let key = stored_key(&f.db, delivery.practice_id);
    let keys = f.keys.of_practice(delivery.practice_id, key.as_ref());
    let place = |f: &Fixture| {
        let id: String = f.db.query_row("SELECT id FROM attempts", [], |row| row.get(0)).unwrap();
        SealedPlace::EndpointAnswer { practice: delivery.practice_id, id: AttemptId(id.parse().unwrap()) }
    };
    assert_eq!(keys.open_text(place(&f), KeyVersion(1), &sealed).unwrap(), text);
    let forgotten = |f: &mut Fixture, at: Instant| {
        f.commit(&ctx, (Vec::new(), forget(at).into())).unwrap();
        f.count("SELECT count(*) FROM attempts")
    };
    assert_eq!(forgotten(&mut f, ctx.now.plus(KEPT_MS)), 1);
    assert_eq!(forgotten(&mut f, ctx.now.plus(KEPT_MS + 1)), 0);
    assert_eq!(f.count("SELECT count(*) FROM deliveries"), 0);
}

/// More deliveries of the endpoint, due at the same time as the first.
pub(super) fn behind(f: &Fixture, delivery: Delivery, count: u16) {
    let sql = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
       INSERT INTO deliveries SELECT practice_id, webhook_id, printf('%08d-0000-0000-0000-000000000000', n), kind, body, state,
         attempts, created_at, next_at, lease_ends, last_at, last_status, last_error, tested_at, sandbox FROM n, deliveries WHERE id = ?1";
    let id = delivery.id.to_string();
    let written = f.db.execute(sql, rusqlite::params![id, count]).unwrap();
    assert_eq!(written, usize::from(count));
}

#[test]
fn a_slow_endpoint_delays_no_other() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    behind(&f, delivery, 600);
    let sql = "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
         SELECT practice_id, '10000000-0000-0000-0000-000000000000', url, events, state, key_version, sealed, created_at,
           created_by FROM webhooks;
       INSERT INTO deliveries SELECT practice_id, '10000000-0000-0000-0000-000000000000', id, kind, body, state, attempts,
         created_at, next_at + 1, lease_ends, last_at, last_status, last_error, tested_at, sandbox FROM deliveries LIMIT 1";
    f.db.execute_batch(sql).unwrap();
    let due = f.read(&lease::due(ctx.now.plus(1)));
    assert_eq!(due.len(), 6);
    assert_ne!(due[1].webhook_id, delivery.webhook_id, "one of each comes before a second of any");
}

#[test]
fn a_sweep_takes_five_of_an_endpoint() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    behind(&f, delivery, 9);
    assert_eq!(f.read(&lease::due(ctx.now)).len(), 5);
}

#[test]
fn a_sweep_begins_no_attempt_after_its_time() {
    let now = Cell::new(0);
    let taken = in_time((0..500).collect(), Instant(50_000), || Instant(now.get()));
    // Each waits for an endpoint that hangs.
    let hangs = taken.inspect(|_| now.set(now.get() + 10_000)).collect::<Vec<_>>();
    assert_eq!(hangs.now_or_never().unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_clock_that_jumps_ends_no_lease_in_a_sandbox() {
    let mut f = Fixture::new();
    f.db.execute_batch("UPDATE practices SET sandbox_of = id, clock_ms = 1000").unwrap();
    let (ctx, delivery) = told(&mut f);
    let far = ctx.now.plus(1_000_000_000);
    let first = |f: &mut Fixture, now: Instant| f.read(&lease::first_due(delivery.practice_id, far, (now, 5)));
    assert_eq!(f.read(&lease::due(far)), [], "the job of the live ones takes none of a sandbox");
    let until = |f: &mut Fixture, at: Instant| f.read(&lease::first_due(delivery.practice_id, at, (ctx.now, 5))).len();
    assert_eq!([until(&mut f, ctx.now.plus(-1)), until(&mut f, ctx.now)], [0, 1]);
    let [(due, false)] = first(&mut f, ctx.now)[..] else { panic!("one is due") };
    assert_eq!(due.at, Some(ctx.now));
    assert!(lease(&mut f, due, ctx.now).is_some());
    f.db.execute_batch("UPDATE practices SET clock_ms = 1000000000").unwrap();
    assert!(lease(&mut f, due, ctx.now.plus(59_999)).is_none());
    // What is due after it waits.
    assert_eq!(first(&mut f, ctx.now.plus(59_999)), [(due, true)]);
    assert_eq!(f.read(&lease::due_of(due.practice_id, &[due.id], ctx.now.plus(59_999))), []);
    assert_eq!(first(&mut f, ctx.now.plus(60_000)), [(due, false)]);
    assert!(lease(&mut f, due, ctx.now.plus(60_000)).is_some());
}

#[test]
fn an_endpoint_that_the_service_disables_gets_another_version_once() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    let (guard, [_, write]) = disable::disabled(delivery.practice_id, delivery.webhook_id, "gone", &ctx);
    assert!(f.commit(&ctx, (vec![guard.clone()], vec![write.clone()])).is_ok());
    assert_eq!(f.commit(&ctx, (Vec::new(), vec![write])).unwrap()[0].changes, 0);
    assert_eq!(f.count("SELECT version FROM webhooks WHERE state = 'disabled'"), 2);
    let again = f.commit(&ctx, (vec![guard], Vec::new())).map(drop);
    assert_eq!(again, Err(DatabaseError::Conflict(FailedGuard::Record)));
}

#[test]
fn the_mismatches_of_today_and_yesterday_stay() {
    let mut f = Fixture::new();
    f.db.execute_batch(
        "INSERT INTO mismatches (day, practice_id, claim_id, count) SELECT d.value, p.id, '', 1
         FROM practices p, json_each('[\"2027-01-13\", \"2027-01-14\", \"2027-01-15\"]') d",
    )
    .unwrap();
    let ctx = f.ctx();
    let removed = f.statements(&ctx, old(ctx.now));
    f.assert_indexed(removed.last().unwrap(), &[]);
    f.run(&removed).unwrap();
    assert_eq!(f.count("SELECT min(day) = '2027-01-14' AND count(*) = 2 FROM mismatches"), 1);
}

#[test]
fn a_failed_delivery_stays_for_thirty_days() {
    let mut f = Fixture::new();
    let (ctx, _) = told(&mut f);
    let tried = format!("UPDATE deliveries SET state = 'failed', attempts = 3, last_at = {}", ctx.now.0);
    f.db.execute_batch(&tried).unwrap();
    assert_eq!(KEPT_MS, 30 * 86_400_000);
    for (after, left) in [(MISSED_MS + 1, 1), (KEPT_MS + 1, 0)] {
        f.commit(&ctx, (Vec::new(), forget(ctx.now.plus(after)).into())).unwrap();
        assert_eq!(f.count("SELECT count(*) FROM deliveries"), left);
    }
}
