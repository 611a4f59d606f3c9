//! The whole service on one thread, with everything from one seed: time, chance, the order of tasks, the platform and what goes
//! wrong with it. A run that fails is run again by its number.
//!
//! * `scheduler` decides which task goes on, and `clock` what time it is.
//! * `database`, `platform` and `network` take virtual time and have `faults`.
//! * `isolates` run the service's real handlers. `clients` call them by HTTP, as `plan` says.
//! * `model` records what callers were told. `check` says what must hold of it and of the rows.
//! * `record` keeps what was called and answered, and `replay` asks another host the same.
//! * `trace` tells the story, and `states` lists what a good simulation reaches.

mod check;
mod clients;
mod clock;
mod database;
mod dice;
pub mod faults;
mod isolates;
mod log;
mod model;
mod network;
mod outage;
pub mod plan;
mod platform;
mod record;
pub mod replay;
pub mod run;
mod scheduler;
mod setup;
pub mod states;
pub mod sums;
mod trace;
mod world;
