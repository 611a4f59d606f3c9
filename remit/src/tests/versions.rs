//! Versions of a transaction under one header: copies, other transactions, and contradictions.

use super::combinations::{orders, read};
use super::history::part;
use super::{era_of, held, jane, numbers};
use crate::Hold;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Copies of a transaction under one header say the same, whatever differs beside that. A claim of one of them counts.
#[test]
fn of_versions_of_a_transaction_only_contradictions_are_held() {
    let other = |number: &str| part("1", 0, "P-9", "50").replace("A-1", number);
    let whole = part("1", 0, "P-1", "50");
    let reversed = [&*whole, &part("22", 0, "P-1", "50")].concat();
    let file = |answers: &[&str]| era_of("ACME", "20260201", &answers.concat());
    let cut = |file: String| file.split("SE*").next().unwrap_or_default().to_string();
    let held_as = |versions: &[String]| {
        let all: Vec<String> = versions.iter().chain([&jane()]).cloned().collect();
        let found = orders(&all).into_iter().map(|order| {
            let outcome = read(&order);
            let why = held(&outcome).into_iter().find(|(number, _)| *number == "A-1");
            (why.map(|(_, why)| why), numbers(&outcome).contains(&"A-1"))
        });
        let mut found: Vec<_> = found.collect();
        found.dedup();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    };
    let contradiction = (Some(Hold::Contradiction.text()), false);
    let written = (None, true);
    for (versions, expected) in [
        // Other claims of the transaction differ.
        ([file(&[&whole, &other("B-1")]), file(&[&whole, &other("B-2")])], written.clone()),
        ([file(&[&other("B-1"), &whole]), file(&[&other("B-2"), &whole])], written.clone()),
        ([file(&[&whole]), file(&[&whole, &other("B-1")])], written.clone()),
        // One of them does not reverse it, or says so before it breaks off.
        ([file(&[&whole]), file(&[&reversed])], contradiction.clone()),
        ([file(&[&whole, &other("B-1")]), file(&[&reversed])], contradiction),
        ([cut(file(&[&whole, &other("B-1")])), file(&[&reversed])], (None, false)),
        ([cut(file(&[&reversed, &other("B-1")])), file(&[&reversed])], (None, false)),
    ] {
        assert_eq!(held_as(&versions), expected, "{versions:?}");
    }
}
