//! Whether memory stays where it is under full batches.

use crate::drive;
use crate::load::Load;
use crate::options::Options;
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use std::time::Duration;

const CONNECTIONS: usize = 16;
const MINUTE: Duration = Duration::from_secs(60);

/// Measures and prints: what the process holds at the end of each minute, while the database grows and while it does
/// not.
pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(CONNECTIONS);
    let keys = senders::keys(&senders);
    let worker = Worker::start(Which::Overturn, state);
    drive::prepare(worker.port, &keys);
    let mut table = Table::new(&["load", "minute", "requests", "resident MB"]);
    let full = [Load::HundredAgain, Load::HundredNew];
    for load in full.into_iter().filter(|load| options.wants(*load)) {
        for minute in 1..=options.minutes {
            let seen = drive::run(worker.port, load, &keys, MINUTE);
            let resident = worker.resident_mb();
            eprintln!("{}, minute {minute}: {resident:.0} MB", load.name());
            let cells = [seen.requests().to_string(), format!("{resident:.0}")];
            table.row(&[load.name().to_owned(), minute.to_string()], &cells);
        }
    }
    println!("## Memory, {CONNECTIONS} connections of full batches\n\n{table}");
}
