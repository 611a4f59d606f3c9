//! The real statements on real SQLite with the real migrations.

mod accounts;
mod appeals;
mod cases;
mod data_jobs;
mod data_keys;
mod deliveries;
mod denials;
mod documents;
mod errors;
mod fewer_rows;
mod fills;
mod fixture;
mod inventory;
mod mismatches;
mod missed;
mod old;
mod plans;
mod queue;
mod rotation;
mod sends;
mod trail;
mod work;
