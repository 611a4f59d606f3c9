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

/// Measures and prints: what the process holds at the end of each minute.
pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(CONNECTIONS);
    let keys = senders::keys(&senders);
    let worker = Worker::start(Which::Overturn, state);
    let mut table = Table::new(&["minute", "requests", "resident MB"]);
    for minute in 1..=options.minutes {
        let seen = drive::run(worker.port, Load::HundredNew, &keys, MINUTE);
        let resident = worker.resident_mb();
        eprintln!("minute {minute}: {resident:.0} MB");
        let cells = [seen.requests().to_string(), format!("{resident:.0}")];
        table.row(&[minute.to_string()], &cells);
    }
    println!("## Memory, {CONNECTIONS} connections of 100 new claims\n\n{table}");
}
