//! Writes the messages of a change to the endpoints that subscribe to them.

use crate::plan::message::{Message, MessageKind};
use crate::store::json::json;
use crate::store::statement::{Param, Statement};
use overturn_core::base::instant::Instant;

pub(crate) fn lower(messages: &[Message], now: Instant) -> Statement {
    let row = |message: &Message| {
        let kind = MessageKind::name(message.kind());
        (message.practice_id, message.id, kind, message.body(now))
    };
    let rows: Vec<_> = messages.iter().map(row).collect();
    let params = [Param::Text(json(&rows)), Param::Int(now.0)];
    const SQL: &str = concat!(deliveries!("?1", "?2"), " ON CONFLICT (practice_id, webhook_id, id) DO NOTHING");
    Statement::new(SQL, params)
}
