//! The statements of webhooks on SQLite with the real migrations.

mod deliveries;
mod missed;
