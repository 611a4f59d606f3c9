//! Compares the Workers and the native program under every load.

use crate::drive;
use crate::load::Load;
use crate::options::Options;
use crate::rounds::{median, ratio};
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use overturn_tests::state::State;
use std::time::Duration;

/// The measurements of one Worker under one load, one value for each round.
#[derive(Clone, Default, Debug)]
pub(crate) struct Series {
    pub(crate) rate: Vec<f64>,
    pub(crate) p50: Vec<f64>,
    pub(crate) p95: Vec<f64>,
    pub(crate) p99: Vec<f64>,
    pub(crate) cpu: Vec<f64>,
}

impl Series {
    fn add(&mut self, worker: &Worker, load: Load, keys: &[String], turn: Duration) {
        let before = worker.cpu_ms();
        let seen = drive::run(worker.port, load, keys, turn);
        self.cpu.push((worker.cpu_ms() - before) / seen.requests() as f64);
        self.rate.push(seen.rate());
        self.p50.push(seen.percentile(0.50));
        self.p95.push(seen.percentile(0.95));
        self.p99.push(seen.percentile(0.99));
    }
}

/// One load at one number of connections, for every Worker in order.
pub(crate) struct Measured<const N: usize> {
    pub(crate) load: Load,
    connections: usize,
    pub(crate) series: [Series; N],
}

/// Measures Overturn under workerd, the peer, the floor and the native program, and prints.
pub(crate) fn run(options: &Options) {
    let compared = [Which::Overturn, Which::Peer, Which::Floor, Which::Native];
    let all = compare(&compared, Worker::start, Load::ALL, options);
    println!("## Workers\n\n{}", figures(&compared.map(Which::name), &all));
    println!("{}", ratios(&all));
}

/// How far away a database is, in milliseconds.
const FAR_MS: u32 = 40;
/// The goal for each send to it, as a multiple of the peer's throughput.
const GOAL_FAR: f64 = 1.6;

/// Measures new claims with a database that is far away. The peer asks it twice, for the key and with the claims.
pub(crate) fn run_far(options: &Options) {
    let compared = [Which::Overturn, Which::Peer];
    let all =
        compare(&compared, |which, state| Worker::far(which, state, FAR_MS), [Load::OneNew, Load::HundredNew], options);
    println!("## A database {FAR_MS} ms away\n\n{}", figures(&compared.map(Which::name), &all));
    let mut table = Table::new(&["load", "connections", "throughput / peer", "goal", "p50 / peer"]);
    for measured in &all {
        let [overturn, peer] = &measured.series;
        let cells = [ratio(&overturn.rate, &peer.rate), GOAL_FAR, ratio(&overturn.p50, &peer.p50)];
        table.row(&measured.start(), &cells.map(|cell| format!("{cell:.2}")));
    }
    println!("{table}");
}

/// Starts each on a copy of one state, and measures them.
pub(crate) fn compare<const N: usize>(
    which: &[Which; N],
    start: impl Fn(Which, State) -> Worker,
    loads: impl IntoIterator<Item = Load>,
    options: &Options,
) -> Vec<Measured<N>> {
    let most = options.connections.iter().copied().max().unwrap_or(1);
    let (state, senders) = senders::fresh(most);
    let workers = which.map(|which| start(which, state.copy()));
    measure_all(&workers, &senders::keys(&senders), loads, options)
}

/// Measures the Workers under those of the loads that are selected.
pub(crate) fn measure_all<const N: usize>(
    workers: &[Worker; N],
    keys: &[String],
    loads: impl IntoIterator<Item = Load>,
    options: &Options,
) -> Vec<Measured<N>> {
    for worker in workers {
        drive::prepare(worker.port, keys);
    }
    let mut all = Vec::new();
    for load in loads.into_iter().filter(|load| options.wants(*load)) {
        for &connections in &options.connections {
            all.push(measure(workers, load, &keys[..connections], options));
            eprintln!("measured: {}, {connections} connections", load.name());
        }
    }
    all
}

fn measure<const N: usize>(workers: &[Worker; N], load: Load, keys: &[String], options: &Options) -> Measured<N> {
    let mut series: [Series; N] = std::array::from_fn(|_| Series::default());
    for worker in workers {
        drive::run(worker.port, load, keys, options.turn / 2);
    }
    for round in 0..options.rounds {
        for n in 0..N {
            // Each round starts with a different one.
            let n = (n + round) % N;
            series[n].add(&workers[n], load, keys, options.turn);
        }
    }
    Measured { load, connections: keys.len(), series }
}

/// The medians of the measurements.
pub(crate) fn figures<const N: usize>(names: &[&str; N], all: &[Measured<N>]) -> Table {
    let mut table =
        Table::new(&["load", "connections", "worker", "requests/s", "p50 ms", "p95 ms", "p99 ms", "CPU ms/request"]);
    for measured in all {
        for (name, series) in names.iter().zip(&measured.series) {
            let figure = |values: &[f64]| format!("{:.2}", median(values));
            let cells = [
                (*name).to_owned(),
                format!("{:.0}", median(&series.rate)),
                figure(&series.p50),
                figure(&series.p95),
                figure(&series.p99),
                figure(&series.cpu),
            ];
            table.row(&measured.start(), &cells);
        }
    }
    table
}

impl<const N: usize> Measured<N> {
    /// The first cells of a row.
    pub(crate) fn start(&self) -> [String; 2] {
        [self.load.name().to_owned(), self.connections.to_string()]
    }
}

/// The medians of the ratios of each round.
fn ratios(all: &[Measured<4>]) -> Table {
    let mut table = Table::new(&[
        "load",
        "connections",
        "throughput / peer",
        "goal",
        "throughput / floor",
        "native / workerd",
        "goal",
        "p99 / peer",
        "CPU above floor / peer's",
    ]);
    for measured in all {
        let [overturn, peer, floor, native] = &measured.series;
        let above = |series: &Series| -> Vec<f64> {
            let pairs = series.cpu.iter().zip(&floor.cpu);
            pairs.map(|(cpu, floor)| cpu - floor).collect()
        };
        let cells = [
            Some(ratio(&overturn.rate, &peer.rate)),
            measured.load.goal_beside_peer(),
            Some(ratio(&overturn.rate, &floor.rate)),
            Some(ratio(&native.rate, &overturn.rate)),
            measured.load.goal_of_native(),
            Some(ratio(&overturn.p99, &peer.p99)),
            Some(ratio(&above(overturn), &above(peer))),
        ];
        let text = |cell: Option<f64>| cell.map_or_else(|| "none".to_owned(), |cell| format!("{cell:.2}"));
        table.row(&measured.start(), &cells.map(text));
    }
    table
}
