//! Compares the native program with the Worker under workerd. Its figures say what the same code can do without the platform.

use crate::load::Load;
use crate::options::Options;
use crate::rounds::ratio;
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use crate::workers::{figures, measure_all};

const HOSTS: [Which; 2] = [Which::Overturn, Which::Native];

pub(crate) fn run(options: &Options) {
    let most = options.connections.iter().copied().max().unwrap_or(1);
    let (state, senders) = senders::fresh(most);
    let hosts = HOSTS.map(|which| Worker::start(which, state.copy()));
    // The native program bans an address that brings no key.
    let loads = Load::ALL.into_iter().filter(|load| *load != Load::Constant);
    let all = measure_all(&hosts, &senders::keys(&senders), loads, options);
    println!("## Hosts\n\n{}", figures(&["workerd", "native"], &all));
    let mut table = Table::new(&["load", "connections", "native / workerd", "p99 native / workerd"]);
    for measured in &all {
        let [workerd, native] = &measured.series;
        let cells = [ratio(&native.rate, &workerd.rate), ratio(&native.p99, &workerd.p99)];
        table.row(&measured.start(), &cells.map(|cell| format!("{cell:.2}")));
    }
    println!("{table}");
}
