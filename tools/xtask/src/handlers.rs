//! The handlers of `service` are short: they name what to load and which function decides.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The most lines of a handler's body.
const MOST: usize = 15;

/// The names of the handlers in the route table: `get(Access::Key, claims::status)` or `.post(Action::SendClaims, denials::send)`.
fn named(table: &str) -> BTreeSet<&str> {
    ["get(", "post(", "patch(", "delete("]
        .into_iter()
        .flat_map(|method| table.split(method).skip(1))
        .filter_map(|rest| rest.split_once(')')?.0.rsplit_once("::"))
        .map(|(_, name)| name)
        .collect()
}

/// The functions of a file that take no reference, as handlers do, with how many lines each has.
fn functions(source: &str) -> impl Iterator<Item = (&str, usize)> {
    source.split("pub(crate) async fn ").skip(1).filter_map(|rest| {
        let (function, _) = rest.split_once("\n}\n")?;
        let (head, body) = function.split_once("{\n")?;
        let (name, taken) = head.split_once('(')?;
        (!taken.contains('&')).then(|| (name, body.lines().count()))
    })
}

#[test]
fn a_handler_has_at_most_15_lines() {
    let table = fs::read_to_string("../../service/src/router.rs").unwrap();
    let named = named(&table);
    let mut folders = vec![PathBuf::from("../../service/src")];
    let (mut found, mut long) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap_or_default();
            let handlers = functions(&source).filter(|(name, _)| named.contains(name));
            for (name, lines) in handlers {
                found += 1;
                if lines > MOST {
                    long.push(format!("{}: {name}: has {lines} lines", path.display()));
                }
            }
        }
    }
    assert!(found > 120, "{found}");
    assert!(long.is_empty(), "{}", long.join("\n"));
}
