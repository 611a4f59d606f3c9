//! Only plans write: there is no SQL that writes outside the lowering of plans.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The start of a statement that writes.
const WRITES: [&str; 5] = ["INSERT INTO ", "INSERT OR ", "UPDATE ", "DELETE FROM ", "REPLACE INTO "];

/// The Rust files below a folder, without test code.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "tests" || name == "testing" {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file, without comments and without its unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    let lines = text.lines();
    lines.filter(|line| !line.trim_start().starts_with("//")).fold(String::new(), |code, line| code + line + "\n")
}

/// The files of a crate: the path below its sources, and the code.
fn files(of: &str) -> Vec<(String, String)> {
    let root = PathBuf::from(of);
    let mut found = Vec::new();
    sources(&root, &mut found);
    assert!(found.len() > 10, "{of}");
    found
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap();
            (name.display().to_string(), code(path))
        })
        .collect()
}

/// Whether a piece of code has SQL that writes. `DO UPDATE SET` belongs to an `INSERT`.
fn writes(code: &str) -> bool {
    let code = code.replace("DO UPDATE ", "");
    WRITES.iter().any(|write| code.contains(write))
}

/// The names of the constants with text that is as asked.
fn names(code: &str, is: fn(&str) -> bool) -> Vec<String> {
    let items = code.split("\n\n");
    items
        .filter(|item| item.contains(": &str") && is(item))
        .filter_map(|item| {
            let (_, behind) = item.split_once("const ")?;
            let (name, _) = behind.split_once(':')?;
            Some(name.to_owned())
        })
        .collect()
}

#[test]
fn a_file_that_reads_has_no_sql_that_writes() {
    let files = files("src/store");
    let reads = |code: &str| {
        ["Query::new(", "Query::one(", "Query::optional(", "Query::or_default("]
            .iter()
            .any(|query| code.contains(query))
    };
    let readers: Vec<_> = files.iter().filter(|(_, code)| reads(code)).collect();
    assert!(readers.len() > 2, "{}", readers.len());
    for (name, code) in &readers {
        assert!(!writes(code), "{name} has SQL that writes");
    }
    let named =
        |is: fn(&str) -> bool| -> BTreeSet<String> { files.iter().flat_map(|(_, code)| names(code, is)).collect() };
    let (writing, reading) = (named(writes), named(|item| !writes(item)));
    assert!(writing.len() > 10, "{writing:?}");
    for (name, code) in readers {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let paths: BTreeSet<&str> = code.split(|c| !is_path(c)).collect();
        // A name that one module has for a read and another for a write is the read.
        let used = writing.difference(&reading).filter(|constant| {
            let end = format!("::{constant}");
            paths.iter().any(|path| path.ends_with(&end))
        });
        let used: Vec<_> = used.collect();
        assert!(used.is_empty(), "{name} uses {used:?}, which write");
    }
}

/// What leaves the store is a query or the batch of a plan.
#[test]
fn only_the_lowering_of_plans_gives_statements_away() {
    for (name, code) in files("src/store") {
        let functions = code.split("pub fn ").skip(1);
        let functions = functions.chain(code.split("pub const fn ").skip(1));
        for function in functions {
            let head = function.split('{').next().unwrap();
            let gives = head.split_once("->").is_some_and(|(_, gives)| gives.contains("Statement"));
            // A query shows its statement, which reads. The number of a cell goes before any batch.
            let may = ["query.rs", "own_cell.rs"].contains(&&*name);
            assert!(!gives || may, "{name}: {head}");
        }
    }
}

/// In the service, `sql!` makes it a write of a plan. Only its own module makes statements, and a move, which copies rows of
/// whatever tables there are.
#[test]
fn the_service_has_no_sql_that_writes_but_in_a_plan() {
    for of in ["src", "../core/src"] {
        for (name, code) in files(of) {
            if name == "sql.rs" || name.starts_with("store/") || name.starts_with("moving/") {
                continue;
            }
            assert!(!code.contains("Statement::new(") && !code.contains("Statement {"), "{of}/{name}");
            let code = code.replace("\\\"", "");
            let parts: Vec<&str> = code.split('"').collect();
            for pair in parts.chunks_exact(2) {
                let is_of_plan = of == "src" && pair[0].trim_end().ends_with("sql!(");
                assert!(is_of_plan || !writes(pair[1]), "{of}/{name}: {}", pair[1]);
            }
        }
    }
}
