//! Measures whether a request costs more when there are more claims.

use crate::load::Load;
use crate::options::Options;
use crate::rounds::ratio;
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use crate::workers::{figures, measure_all};
use overturn_tests::fill::fill;

const SIZES: [u32; 3] = [1_000, 100_000, 1_000_000];
const NAMES: [&str; 3] = ["among 1,000", "among 100,000", "among 1,000,000"];
/// The length of the sealed part of a claim with all fields, in characters.
const SEALED: u32 = 520;
const CONNECTIONS: usize = 8;

pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(CONNECTIONS);
    let workers = SIZES.map(|size| {
        let state = state.copy();
        fill(&state.database(), &senders[0].practice, size, SEALED);
        eprintln!("filled: {size} claims");
        Worker::start(Which::Overturn, state)
    });
    let options = Options { connections: vec![CONNECTIONS], ..options.clone() };
    let all = measure_all(&workers, &senders::keys(&senders), Load::ALL, &options);
    let mut ratios = Table::new(&["load", "connections", "p50, a million / a thousand", "CPU, a million / a thousand"]);
    for measured in &all {
        let [few, _, many] = &measured.series;
        let cells = [ratio(&many.p50, &few.p50), ratio(&many.cpu, &few.cpu)];
        ratios.row(&measured.start(), &cells.map(|cell| format!("{cell:.2}")));
    }
    println!("## Growth\n\n{}\n{ratios}", figures(&NAMES, &all));
}
