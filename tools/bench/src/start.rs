//! Measures the time to a Worker's first answer, and its size.

use crate::drive;
use crate::load::Load;
use crate::options::Options;
use crate::rounds::median;
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use overturn_tests::project;
use serde_json::Value;
use std::time::Duration;

/// Measures and prints. The first answer comes after the module was compiled and initialized.
pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(1);
    let keys = senders::keys(&senders);
    let sizes = sizes();
    let mut first = [const { Vec::new() }; Which::ALL.len()];
    let mut cpu = [const { Vec::new() }; Which::ALL.len()];
    for _ in 0..options.rounds {
        for (n, which) in Which::ALL.into_iter().enumerate() {
            let worker = Worker::start(which, state.copy());
            let seen = drive::run(worker.port, Load::Constant, &keys, Duration::ZERO);
            first[n].push(seen.percentile(1.0));
            cpu[n].push(worker.cpu_ms());
        }
    }
    let mut table = Table::new(&["worker", "first answer ms", "CPU ms of the process until then", "KB gzipped"]);
    for (n, which) in Which::ALL.into_iter().enumerate() {
        let bytes = sizes[which.name()]["gzip"].as_f64().unwrap();
        let cells =
            [format!("{:.1}", median(&first[n])), format!("{:.0}", median(&cpu[n])), format!("{:.1}", bytes / 1000.0)];
        table.row(&[which.name().to_owned()], &cells);
    }
    println!("## Start and size\n\n{table}");
}

fn sizes() -> Value {
    let output = project::command(&project::node()).args(["tools/bench/build.mjs", "--sizes"]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}
