//! The alerts of docs/operations/watch.md name exactly the events that the Workers log.

use overturn_tests::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The quoted text after each occurrence of `before`.
fn quoted_after(text: &str, before: &str) -> Vec<String> {
    let parts = text.split(before).skip(1);
    parts.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

fn events_of(folder: &Path, events: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            events_of(&path, events);
        } else if path.extension().is_some_and(|extension| extension == "mjs") {
            let source = fs::read_to_string(&path).unwrap();
            events.extend(quoted_after(&source, "{ event: \""));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            events.extend(quoted_after(&source, "\"event\": \""));
            // A job that failed in a cell.
            events.extend(quoted_after(&source, ".failed(\""));
            // The log line of a request is a struct.
            events.extend(quoted_after(&source, "\n        event: \""));
        }
    }
}

/// The words in code style in the first column of the table.
fn documented() -> BTreeSet<String> {
    let guide = fs::read_to_string(project::root().join("docs/operations/watch.md")).unwrap();
    let section = guide.split("\n## Alerts\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| {
        let first = row.split('|').nth(1).unwrap();
        let first = first.split(" with ").next().unwrap();
        let words = first.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn the_alerts_name_every_event_that_is_logged_and_no_other() {
    let mut logged = BTreeSet::new();
    for folder in ["edge/src", "identity", "service/src"] {
        events_of(&project::root().join(folder), &mut logged);
    }
    assert!(logged.contains("request") && logged.len() > 10, "{logged:?}");
    assert_eq!(documented(), logged);
}
