//! The statements of webhook deliveries.

use super::fixture::Fixture;
use crate::Queries;
use crate::error::{DatabaseError, FailedGuard};
use crate::webhooks::attempts::{self, Leased};
use crate::webhooks::queries;
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{ClaimId, PracticeId, ReportId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::WebhooksWrite;
use overturn_core::plan::claims::ClaimNumber;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::webhooks::message::{Data, Message, MessageKind};
use overturn_core::plan::webhooks::secret::WebhookSecret;
use overturn_core::plan::webhooks::{Delivery, Failure, NewWebhook, Next};
use overturn_core::plan::{Plan, Write};
use overturn_core::request::page::Page;
use overturn_core::webhooks::attempt::AttemptResult;
use overturn_core::webhooks::dispatch;
use uuid::Uuid;

/// A practice has at most five active endpoints, and few people.
const HARMLESS: [&str; 6] = [
    "VIRTUAL TABLE",
    "CONSTANT ROW",
    "SCAN (subquery",
    "SEARCH w USING PRIMARY KEY (practice_id=?)",
    "SEARCH webhooks USING PRIMARY KEY (practice_id=?)",
    "SEARCH users USING INDEX users_of_practice (practice_id=?)",
];

/// A practice with an endpoint that subscribes to reports, and one message of each of two kinds, written twice as after
/// a lost answer. Returns the only delivery.
pub(super) fn told(f: &mut Fixture) -> (Ctx, Delivery) {
    let practice: String = f.db.query_row("SELECT id FROM practices", [], |row| row.get(0)).unwrap();
    let practice_id = PracticeId(practice.parse().unwrap());
    let (user, ..) = f.enrol(1);
    let ctx = f.ctx();
    let webhook_id = WebhookId(ctx.id(Purpose::Record, 0));
    let new = NewWebhook {
        practice_id,
        id: webhook_id,
        url: "https://hooks.example.com/".into(),
        events: vec![MessageKind::ReportDelivered],
        secret: WebhookSecret::new([7; 32]),
        created_at: ctx.now,
        created_by: user,
    };
    let report = Data::Report { id: ReportId(Uuid::nil()), claims: 2 };
    let signing = Data::Signing {
        id: ClaimId(Uuid::nil()),
        claim_number: ClaimNumber("A-1".into()),
        signing_status: SigningStatus::Needed,
    };
    let messages = [report, signing].into_iter().enumerate();
    let messages: Vec<_> = messages.map(|(n, data)| Message::new(&ctx, n, practice_id, data)).collect();
    let id = messages[0].id;
    let writes =
        vec![Write::Webhooks(WebhooksWrite::NewEndpoint(new)), Write::Webhooks(WebhooksWrite::Messages(messages))];
    let batch = f.lower(&Plan::of_operator(&ctx, writes));
    for statement in &batch.statements {
        f.assert_indexed(statement, &HARMLESS);
    }
    f.run(&batch.statements).unwrap();
    f.run(&batch.statements).unwrap();
    let delivery = Delivery { practice_id, webhook_id, id };
    (ctx, delivery)
}

/// Writes another message to the same endpoint.
pub(super) fn tell_again(f: &mut Fixture, of: Delivery) -> (Ctx, Delivery) {
    let ctx = f.ctx();
    let report = Data::Report { id: ReportId(Uuid::nil()), claims: 1 };
    let message = Message::new(&ctx, 0, of.practice_id, report);
    let id = message.id;
    let batch = f.lower(&Plan::of_operator(&ctx, vec![Write::Webhooks(WebhooksWrite::Messages(vec![message]))]));
    f.run(&batch.statements).unwrap();
    (ctx, Delivery { id, ..of })
}

#[test]
fn an_endpoint_has_one_delivery_of_each_message_that_it_wants() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    assert_eq!(f.count("SELECT count(*) FROM deliveries"), 1);
    let of = attempts::due_of(delivery.practice_id, &[delivery.id], ctx.now);
    assert_eq!(f.read(&of), [delivery]);
    let of = attempts::due_of(delivery.practice_id, &[delivery.id], ctx.now.plus(-1));
    assert_eq!(f.read(&of), []);
}

/// Leases a delivery, as a dispatcher does. Reads what the attempt needs, unless another dispatcher has the lease.
fn lease(f: &mut Fixture, of: Delivery, now: Instant) -> Option<Leased> {
    let ctx = f.ctx();
    let (guard, write) = dispatch::lease(of, now);
    let plan = Plan { guards: vec![guard], at: now, ..Plan::of_operator(&ctx, vec![write]) };
    let leased = attempts::leased(of, now);
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
        let writes = dispatch::settle(delivery, first.turn(), verdict);
        f.commit(&ctx, (Vec::new(), writes)).unwrap()[0].changes
    };
    assert_eq!(settle(Next::Failed, Some(Failure::TimedOut)), 0);
    assert_eq!(settle(Next::Delivered, None), 1);
    assert_eq!(settle(Next::Delivered, None), 0);
}

/// More deliveries of the endpoint, due at the same time as the first.
fn behind(f: &Fixture, delivery: Delivery, count: u16) {
    let sql = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
       INSERT INTO deliveries SELECT practice_id, webhook_id, printf('%08d-0000-0000-0000-000000000000', n), kind, body, state,
         attempts, created_at, next_at, last_at, last_status, last_error FROM n, deliveries WHERE id = ?1";
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
         created_at, next_at + 1, last_at, last_status, last_error FROM deliveries LIMIT 1";
    f.db.execute_batch(sql).unwrap();
    let due = f.read(&attempts::due(ctx.now.plus(1)));
    assert_eq!(due.len(), 6);
    assert_ne!(due[1].webhook_id, delivery.webhook_id, "one of each comes before a second of any");
}

#[test]
fn a_sweep_takes_five_of_an_endpoint_and_every_statement_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    let (ctx, delivery) = told(&mut f);
    behind(&f, delivery, 9);
    assert_eq!(f.read(&attempts::due(ctx.now)).len(), 5);

    let verdict = AttemptResult {
        next: Next::Failed,
        status: None,
        failure: Some(Failure::Refused),
        of_endpoint: true,
        disable: false,
    };
    let leased = lease(&mut f, delivery, ctx.now).unwrap();
    let page = Page { limit: 25, after: None };
    let id = delivery.webhook_id;
    let mut writes = dispatch::settle(delivery, leased.turn(), verdict);
    writes.extend(dispatch::forget(ctx.now));
    let (guard, write) = dispatch::lease(delivery, ctx.now);
    writes.push(write);
    let plan = Plan::of_operator(&ctx, writes);
    let guards = vec![guard];
    let mut all = f.lower(&Plan { guards, ..plan }).statements;
    let telling = (
        attempts::leased(delivery, ctx.now),
        attempts::due_of(delivery.practice_id, &[delivery.id], ctx.now),
        attempts::due(ctx.now),
        attempts::addresses(delivery.practice_id, &[Role::Owner]),
    );
    let shown = (
        queries::endpoints("x", page),
        queries::endpoint("x", id),
        queries::endpoint_count("x"),
        (queries::deliveries("x", id, page), queries::delivery("x", id, delivery.id)),
    );
    (telling, shown).add_to(&mut all);
    for statement in all {
        f.assert_indexed(&statement, &HARMLESS);
    }
}
