//! Compares D1 with Durable Objects that have the same database.

use crate::load::Load;
use crate::options::Options;
use crate::rounds::ratio;
use crate::table::Table;
use crate::worker::{Which, Worker};
use crate::workers::{compare, figures};

const CONTENDERS: [Which; 4] = [Which::Overturn, Which::Object, Which::Objects, Which::Inside];

pub(crate) fn run(options: &Options) {
    let all = compare(&CONTENDERS, Worker::start, Load::ALL, options);
    println!("## Objects\n\n{}", figures(&CONTENDERS.map(Which::name), &all));
    let mut table = Table::new(&["load", "connections", "worker", "throughput / D1", "CPU of D1 / CPU"]);
    for measured in &all {
        let [d1, objects @ ..] = &measured.series;
        for (which, series) in CONTENDERS.iter().skip(1).zip(objects) {
            let cells = [ratio(&series.rate, &d1.rate), ratio(&d1.cpu, &series.cpu)].map(|cell| format!("{cell:.2}"));
            table.row(&measured.start(), &[vec![which.name().to_owned()], cells.to_vec()].concat());
        }
    }
    println!("{table}");
}
