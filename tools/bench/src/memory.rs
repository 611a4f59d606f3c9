//! Measures whether memory stays constant under full batches.

use crate::drive;
use crate::load::Load;
use crate::options::Options;
use crate::table::Table;
use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::Tenant;
use serde_json::json;
use std::time::Duration;

const CONNECTIONS: usize = 16;
const MINUTE: Duration = Duration::from_secs(60);

/// Prints the module's memory at the end of each minute, as the Worker logs it.
pub(crate) fn run(options: &Options) {
    let vars = json!({ "CLAIMS_SENDS_PER_MINUTE": "1000000" });
    let server = Server::start(State::fresh(), &vars);
    let keys: Vec<String> = (0..CONNECTIONS).map(|_| Tenant::new(&server).key.text).collect();
    let mut table = Table::new(&["minute", "requests", "memory of the module, KB"]);
    for minute in 1..=options.minutes {
        let seen = drive::run(server.port(), Load::HundredNew, &keys, MINUTE);
        let answer = server.client().get("/health");
        let line = server.log().of(answer.request_id()).remove(0);
        eprintln!("minute {minute}: {} KB", line["memory_kb"]);
        let cells = [seen.requests().to_string(), line["memory_kb"].to_string()];
        table.row(&[minute.to_string()], &cells);
    }
    println!("## Memory, {CONNECTIONS} connections of 100 new claims\n\n{table}");
}
