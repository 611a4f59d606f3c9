//! Compares the core in wasm with Zod and Ajv, in Node. tools/bench/checks/run.mjs does the work.

use crate::batch;
use crate::options::Options;
use crate::table::Table;
use overturn_tests::project;
use serde_json::Value;
use std::fs;

pub(crate) fn run(options: &Options) {
    let file = project::scratch().join("batch.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, batch::of("CH-", 100).to_string()).unwrap();
    let output = project::command(&project::node())
        .args(["tools/bench/checks/run.mjs", "build/package/index.js", "--batch"])
        .arg(&file)
        .args(["--rounds", &options.rounds.to_string()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let columns = ["checks of 100 claims, in Node", "given", "µs a batch", "/ core"];
    let mut table = Table::new(&columns);
    for result in report["results"].as_array().unwrap() {
        let text = |name: &str| result[name].as_str().unwrap().to_owned();
        let number = |name: &str| result[name].as_f64().unwrap();
        let name = match &*text("name") {
            "stringified" => "core, by JSON.stringify".to_owned(),
            name => name.to_owned(),
        };
        let cells = [format!("{:.0}", number("ns") / 1000.0), format!("{:.2}", number("ratio"))];
        table.row(&[name, text("input")], &cells);
    }
    println!(
        "## The core in wasm\n\n{} bytes. {} bodies on which all three agree.\n\n{table}",
        report["bytes"], report["bodies"]
    );
}
