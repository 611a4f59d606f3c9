//! Measures the time to a Worker's first answer and to its first claim, and its size.

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

/// Measures and prints. The first answer comes after the module was compiled and initialized, which has a column of its own.
pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(1);
    let keys = senders::keys(&senders);
    let sizes = sizes();
    let [mut first, mut cpu, mut claim] = [const { [const { Vec::new() }; Which::ALL.len()] }; 3];
    for _ in 0..options.rounds {
        for (n, which) in Which::ALL.into_iter().enumerate() {
            let worker = Worker::start(which, state.copy());
            let ms = |load| drive::run(worker.port, load, &keys, Duration::ZERO).percentile(1.0);
            worker.settle();
            cpu[n].push(worker.cpu_ms());
            first[n].push(ms(Load::Constant));
            claim[n].push(ms(Load::OneNew));
        }
    }
    let mut table =
        Table::new(&["worker", "CPU ms of the start", "first answer ms", "claim after it ms", "KB gzipped"]);
    for (n, which) in Which::ALL.into_iter().enumerate() {
        let bytes = sizes[which.name()]["gzip"].as_f64().unwrap();
        let cells = [
            format!("{:.0}", median(&cpu[n])),
            format!("{:.1}", median(&first[n])),
            format!("{:.1}", median(&claim[n])),
            format!("{:.1}", bytes / 1000.0),
        ];
        table.row(&[which.name().to_owned()], &cells);
    }
    println!("## Start and size\n\n{table}");
}

fn sizes() -> Value {
    let output = project::command(&project::node()).args(["tools/bench/build.mjs", "--sizes"]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}
