//! clients/wasm/tests/remit.json has what the crate `overturn-remit` says of a few files. Every runtime must say the same.
//!
//! `GOLDEN=write cargo test -p overturn-wasm-remit` writes it anew.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should panic"
)]

mod cases;

use cases::{Case, NOW, cases};
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_remit::{Births, CarcClasses, Counts, CsvError, Options, PayerPlans, Remit, template};
use overturn_wasm_remit::Run;
use serde_json::{Value, json};

const GOLDEN: &str = "../tests/remit.json";

fn now() -> Instant {
    Time::parse(NOW).unwrap().0
}

fn text<'a>(case: &'a Case, name: &str) -> Option<&'a str> {
    case.options[name].as_str()
}

/// The options of a case; the name of the option that cannot be read and why.
fn options(case: &Case) -> Result<Options, (&'static str, CsvError)> {
    let mut options = Options::new(now());
    if let Some(file) = text(case, "births") {
        options.births = Births::read(file).map_err(|error| ("births", error))?;
    }
    if let Some(file) = text(case, "payers") {
        options.plans = PayerPlans::read(file).map_err(|error| ("payers", error))?;
    }
    if let Some(file) = text(case, "carcs") {
        let mut classes = CarcClasses::default();
        let read = classes.override_from(file);
        read.map_err(|error| ("carcs", error))?;
        options.classes = classes;
    }
    options.append_day = case.options["append_day"] == true;
    options.explain = text(case, "explain").map(Into::into);
    Ok(options)
}

/// What the crate says of a case, in the shape of the package.
fn said(case: &Case) -> Value {
    let options = match options(case) {
        Ok(options) => options,
        Err((name, error)) => return json!({ "error": format!("{name}: {error}") }),
    };
    let births_bad_lines = options.births.bad_lines.clone();
    let mut remit = Remit::new(options);
    for (name, bytes) in &case.files {
        remit.open(name);
        let _ = remit.push(bytes);
    }
    let outcome = remit.finish();
    let mut counts = Counts::default();
    for file in &outcome.files {
        counts.add(&file.counts);
    }
    let births_template = match &*outcome.missing_births {
        [] => String::new(),
        missing => template(missing),
    };
    json!({
        "claims": outcome.claims,
        "held": outcome.held,
        "missing_births": outcome.missing_births,
        "births_template": births_template,
        "births_bad_lines": births_bad_lines,
        "files": outcome.files,
        "counts": counts,
        "missing_plans": outcome.missing_plans,
        "explanation": outcome.explanation,
    })
}

#[test]
fn the_golden_file_has_what_the_crate_says() {
    let runs = cases().into_iter().map(|case| {
        // Each byte as the character of that number.
        let files = case.files.iter().map(|(name, bytes)| {
            let latin1: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            json!({ "name": name, "latin1": latin1 })
        });
        json!({
            "name": case.name,
            "options": case.options,
            "files": files.collect::<Vec<_>>(),
            "outcome": said(&case),
        })
    });
    let fresh = json!({ "now": NOW, "runs": runs.collect::<Vec<_>>() });
    if std::env::var_os("GOLDEN").is_some_and(|what| what == "write") {
        let text = serde_json::to_string_pretty(&fresh).unwrap();
        std::fs::write(GOLDEN, format!("{text}\n")).unwrap();
    }
    let golden: Value = serde_json::from_slice(&std::fs::read(GOLDEN).unwrap()).unwrap();
    assert!(golden == fresh, "clients/wasm/tests/remit.json is stale: GOLDEN=write cargo test -p overturn-wasm-remit");
}

/// Puts bytes into the buffer, as a host does.
fn write(run: &mut Run, bytes: &[u8]) -> usize {
    run.reserve(bytes.len());
    run.buffer()[..bytes.len()].copy_from_slice(bytes);
    bytes.len()
}

fn read(run: &mut Run, length: usize) -> Vec<u8> {
    run.buffer()[..length].to_vec()
}

fn list(run: &mut Run, next: fn(&mut Run) -> usize) -> Value {
    let mut all = Vec::new();
    loop {
        let length = next(run);
        if length == 0 {
            return all.into();
        }
        all.extend(serde_json::from_slice::<Vec<Value>>(&read(run, length)).unwrap());
    }
}

/// What the module says of a case whose files come in chunks.
fn module_said(case: &Case, size: usize) -> Value {
    let mut run = Run::new();
    let length = write(&mut run, case.options.to_string().as_bytes());
    let problem = run.begin(length, now());
    if problem > 0 {
        let text = String::from_utf8(read(&mut run, problem)).unwrap();
        return json!({ "error": text });
    }
    for (name, bytes) in &case.files {
        let length = write(&mut run, name.as_bytes());
        run.open(length);
        for chunk in bytes.chunks(size) {
            let length = write(&mut run, chunk);
            if !run.push(length) {
                break;
            }
        }
        run.close();
    }
    let length = run.finish();
    let mut said: Value = serde_json::from_slice(&read(&mut run, length)).unwrap();
    said["claims"] = list(&mut run, Run::claims);
    said["held"] = list(&mut run, Run::held);
    said["missing_births"] = list(&mut run, Run::missing_births);
    let length = run.births_template();
    said["births_template"] = String::from_utf8(read(&mut run, length)).unwrap().into();
    said
}

#[test]
fn the_module_says_the_same_in_chunks_of_any_size() {
    for case in cases() {
        let mut expected = said(&case);
        for size in [1, 7, 65_536] {
            let mut found = module_said(&case, size);
            // How much of a file was handed over before it could not be read depends on the chunks.
            for said in [&mut expected, &mut found] {
                for file in said["files"].as_array_mut().into_iter().flatten() {
                    if !file["error"].is_null() {
                        file["bytes"] = Value::Null;
                    }
                }
            }
            assert_eq!(found, expected, "{} in chunks of {size}", case.name);
        }
    }
}

#[test]
fn a_run_that_has_not_begun_or_has_ended_says_nothing() {
    let mut run = Run::new();
    assert!(!run.push(0));
    assert_eq!(run.finish(), 0);
    let length = write(&mut run, b"{}");
    assert_eq!(run.begin(length, now()), 0);
    assert!(run.finish() > 0);
    assert_eq!(run.finish(), 0);
    assert!(!run.push(0));
    assert_eq!((run.claims(), run.held(), run.births_template()), (0, 0, 0));
}

#[test]
fn an_option_that_is_not_known_is_an_error() {
    let mut run = Run::new();
    let length = write(&mut run, br#"{"birth": ""}"#);
    let problem = run.begin(length, now());
    let text = String::from_utf8(read(&mut run, problem)).unwrap();
    assert_eq!(text, "the options are invalid at column 8");
}
