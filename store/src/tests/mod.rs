//! The real statements on real SQLite with the real migrations.

mod accounts;
mod appeals;
mod cases;
mod counts;
mod data_jobs;
mod data_keys;
mod decisions;
mod denials;
mod errors;
mod fewer_rows;
mod fills;
mod identities;
mod inventory;
mod letters;
mod mismatches;
mod patients;
mod plans;
mod queue;
mod queue_order;
mod rotation;
mod sends;
mod several;
mod sso;
mod staff_lists;
mod trail;
mod versions;
mod work;

use crate::testing as fixture;
