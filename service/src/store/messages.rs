//! Writes the messages of a change to the endpoints that subscribe to them.

use crate::store::json::json;
use crate::store::statement::{Param, Statement, text};
use overturn_core::base::instant::Instant;
use overturn_core::plan::Plan;
use overturn_core::plan::claims::Fills;
use overturn_core::plan::message::{Message, MessageKind};

/// The row of a message `j` for each endpoint that subscribes to its kind. An endpoint that is switched off misses the
/// message, which may be delivered later.
macro_rules! deliveries_of {
    ($more:literal) => {
        concat!(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at, state, last_error)
             SELECT w.practice_id, w.id, j.value ->> 1, j.value ->> 2, j.value ->> 3, ?2, ?2,
               iif(w.state = 'active', 'pending', 'failed'), iif(w.state = 'active', NULL, 'endpoint_inactive')
             FROM json_each(?1) j CROSS JOIN webhooks w
             WHERE w.practice_id = j.value ->> 0 AND w.state <> 'removed'
               AND instr(' ' || w.events || ' ', ' ' || (j.value ->> 2) || ' ') > 0",
            $more,
            " ON CONFLICT (practice_id, webhook_id, id) DO NOTHING"
        )
    };
}

pub(crate) fn lower(messages: &[Message], now: Instant) -> Statement {
    let row = |message: &Message| {
        let kind = MessageKind::name(message.kind());
        (message.practice_id, message.id, kind, message.body(now))
    };
    let rows: Vec<_> = messages.iter().map(row).collect();
    let params = [Param::Text(json(&rows)), Param::Int(now.0)];
    Statement::new(deliveries_of!(""), params)
}

/// Writes messages about the deadlines that resends set, each only if it did. `None` if no endpoint subscribes.
pub(crate) fn of_fills(fills: &Fills<'_>, plan: &Plan<'_>) -> Option<Statement> {
    let told = fills.claims.iter().filter_map(|fill| {
        let message = fill.message.as_ref()?;
        let kind = MessageKind::name(message.kind());
        let body = message.body(plan.at);
        let practice = message.practice_id;
        Some((practice, message.id, kind, body, fill.id, fill.version))
    });
    let rows: Vec<_> = told.collect();
    let params = [Param::Text(json(&rows)), Param::Int(plan.at.0), text(plan.request_id)];
    (!rows.is_empty()).then(|| {
        Statement::new(
            deliveries_of!(
    " AND EXISTS (SELECT 1 FROM claim_events e WHERE e.practice_id = j.value ->> 0 AND e.claim_id = j.value ->> 4
         AND e.version = (j.value ->> 5) + 1 AND e.kind = 'filled_in' AND e.request_id = ?3)"
),
            params,
        )
    })
}
