//! The Workers beside each other, under every load.

use crate::drive;
use crate::load::Load;
use crate::options::Options;
use crate::rounds::{median, ratio};
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use std::time::Duration;

/// What one Worker did under one load, a value a round.
#[derive(Clone, Default, Debug)]
pub(crate) struct Series {
    pub(crate) rate: Vec<f64>,
    pub(crate) p50: Vec<f64>,
    pub(crate) p95: Vec<f64>,
    pub(crate) p99: Vec<f64>,
    pub(crate) cpu: Vec<f64>,
}

impl Series {
    pub(crate) fn add(&mut self, worker: &Worker, load: Load, keys: &[String], turn: Duration) {
        let before = worker.cpu_ms();
        let seen = drive::run(worker.port, load, keys, turn);
        self.cpu
            .push((worker.cpu_ms() - before) / seen.requests() as f64);
        self.rate.push(seen.rate());
        self.p50.push(seen.percentile(0.50));
        self.p95.push(seen.percentile(0.95));
        self.p99.push(seen.percentile(0.99));
    }
}

/// One load over so many connections, for every Worker in the order of [`Which::ALL`].
struct Measured {
    load: Load,
    connections: usize,
    series: [Series; 3],
}

/// Measures and prints.
pub(crate) fn run(options: &Options) {
    let most = options.connections.iter().copied().max().unwrap_or(1);
    let (state, keys) = senders::fresh(most);
    let workers = Which::ALL.map(|which| Worker::start(which, state.copy()));
    for worker in &workers {
        drive::prepare(worker.port, &keys);
    }
    let mut all = Vec::new();
    for load in Load::ALL {
        for &connections in &options.connections {
            if options.wants(load) {
                let measured = measure(&workers, load, &keys[..connections], options);
                eprintln!("measured: {}, {connections} connections", load.name());
                all.push(measured);
            }
        }
    }
    print(&all);
}

fn measure(workers: &[Worker; 3], load: Load, keys: &[String], options: &Options) -> Measured {
    let mut series = <[Series; 3]>::default();
    for worker in workers {
        drive::run(worker.port, load, keys, options.turn / 2);
    }
    for round in 0..options.rounds {
        for n in 0..workers.len() {
            // Another one begins each round.
            let n = (n + round) % workers.len();
            series[n].add(&workers[n], load, keys, options.turn);
        }
    }
    Measured {
        load,
        connections: keys.len(),
        series,
    }
}

fn print(all: &[Measured]) {
    let mut figures = Table::new(&[
        "load",
        "connections",
        "worker",
        "requests/s",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "CPU ms/request",
    ]);
    let mut ratios = Table::new(&[
        "load",
        "connections",
        "throughput / peer",
        "throughput / floor",
        "p99 / peer",
        "CPU above floor / peer's",
    ]);
    for measured in all {
        let [overturn, peer, floor] = &measured.series;
        let start = [
            measured.load.name().to_owned(),
            measured.connections.to_string(),
        ];
        for (which, series) in Which::ALL.iter().zip(&measured.series) {
            let figure = |values: &[f64]| format!("{:.2}", median(values));
            figures.row(
                &start,
                &[
                    which.name().into(),
                    format!("{:.0}", median(&series.rate)),
                    figure(&series.p50),
                    figure(&series.p95),
                    figure(&series.p99),
                    figure(&series.cpu),
                ],
            );
        }
        let above = |series: &Series| -> Vec<f64> {
            series
                .cpu
                .iter()
                .zip(&floor.cpu)
                .map(|(cpu, floor)| cpu - floor)
                .collect()
        };
        ratios.row(
            &start,
            &[
                format!("{:.2}", ratio(&overturn.rate, &peer.rate)),
                format!("{:.2}", ratio(&overturn.rate, &floor.rate)),
                format!("{:.2}", ratio(&overturn.p99, &peer.p99)),
                format!("{:.2}", ratio(&above(overturn), &above(peer))),
            ],
        );
    }
    println!("{figures}\n{ratios}");
}
