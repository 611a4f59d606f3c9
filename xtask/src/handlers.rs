//! The handlers of `edge` are short: they name what to load and which function of `core` decides.

use std::fs;
use std::path::PathBuf;

/// The most lines that the body of a handler has.
const MOST: usize = 15;

/// The first line and the length of each handler in a file. Only handlers are marked with `worker::send`.
fn handlers(source: &str) -> impl Iterator<Item = (&str, usize)> {
    source.split("#[worker::send]\n").skip(1).map(|rest| {
        let (function, _) = rest.split_once("\n}\n").unwrap();
        let (head, body) = function.split_once("{\n").unwrap();
        (head.lines().next().unwrap(), body.lines().count())
    })
}

#[test]
fn a_handler_has_at_most_15_lines() {
    let mut folders = vec![PathBuf::from("../edge/src")];
    let (mut found, mut long) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap_or_default();
            for (name, lines) in handlers(&source) {
                found += 1;
                if lines > MOST {
                    long.push(format!("{}: {name}: has {lines} lines", path.display()));
                }
            }
        }
    }
    assert!(found > 50, "{found}");
    assert!(long.is_empty(), "{}", long.join("\n"));
}
