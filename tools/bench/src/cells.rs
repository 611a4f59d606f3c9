//! Measures whether a request costs more when there are more databases, each with as many claims.

use crate::load::Load;
use crate::options::Options;
use crate::rounds::ratio;
use crate::table::Table;
use crate::worker::Worker;
use crate::workers::{figures, measure_all};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::PracticeId;
use overturn_core::base::token::{ApiKey, Realm};
use overturn_tests::fill::{fill, number, sender};
use overturn_tests::state::State;
use overturn_tests::tenant;
use std::fs;

const CELLS: [u16; 3] = [1, 4, 16];
const NAMES: [&str; 3] = ["1 cell", "4 cells", "16 cells"];
const CLAIMS: u32 = 250_000;
/// The length of the sealed part of a claim with all fields, in characters.
const SEALED: u32 = 520;
/// The cells of the senders, one for each connection. With fewer cells, those that are not there become the first one.
const SENDERS: [u16; 8] = [3, 1, 2, 0, 5, 8, 11, 15];

pub(crate) fn run(options: &Options) {
    let template = State::empty();
    let filled = template.folder().join("overturn.db");
    Worker::migrate(template.folder());
    fill(&filled, "a practice", CLAIMS, SEALED);
    let senders = SENDERS.map(|cell| {
        let ctx = tenant::ctx().in_cell(Cell(cell));
        let key = ApiKey::mint(Realm::Test, ctx.cell.stamp(tenant::random()));
        (PracticeId(ctx.id(Purpose::Record, 0)), key)
    });
    let workers = CELLS.map(|cells| {
        let state = State::empty();
        let data = state.folder().join("native");
        fs::create_dir_all(&data).unwrap();
        for cell in 0..cells {
            let database = data.join(if cell == 0 { "overturn.db".into() } else { format!("overturn-{cell:03}.db") });
            fs::copy(&filled, &database).unwrap();
            number(&database, cell);
            for (practice, key) in &senders {
                let lives_in = if practice.cell().0 < cells { practice.cell().0 } else { 0 };
                if lives_in == cell {
                    sender(&database, *practice, key);
                }
            }
        }
        eprintln!("filled: {cells} cells");
        Worker::with_cells(state, cells)
    });
    let options = Options { connections: vec![1, SENDERS.len()], ..options.clone() };
    let keys = senders.map(|(_, key)| key.expose().to_owned());
    let all = measure_all(&workers, &keys, Load::ALL, &options);
    let mut ratios = Table::new(&["load", "connections", "p50, 4 / 1", "CPU, 4 / 1", "p50, 16 / 1", "CPU, 16 / 1"]);
    for measured in &all {
        let [one, few, many] = &measured.series;
        let of = |cells: &crate::workers::Series| [ratio(&cells.p50, &one.p50), ratio(&cells.cpu, &one.cpu)];
        ratios.row(
            &measured.start(),
            &[of(few), of(many)].as_flattened().iter().map(|r| format!("{r:.2}")).collect::<Vec<_>>(),
        );
    }
    println!("## Cells of {CLAIMS} claims, the native program\n\n{}\n{ratios}", figures(&NAMES, &all));
}
