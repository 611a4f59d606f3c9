//! The real statements on real SQLite with the real migrations.

mod accounts;
mod cases;
mod deliveries;
mod denials;
mod faults;
mod fills;
mod fixture;
mod mismatches;
mod missed;
mod rotation;
mod sends;
mod work;
