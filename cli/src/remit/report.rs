//! The report on standard error: a table for each file, then the denials that are held.

use super::files::Files;
use crate::capped::Capped;
use crate::screen::Screen;
use crate::table::table;
use crate::text::shown;
use overturn_remit::{Counts, FileReport, HeldClaim, Outcome, Tally, skip_text};
use serde::Serialize;
use serde_json::{Value, json};

/// True if the file has a transaction that counts.
pub(crate) const fn has_any(file: &FileReport) -> bool {
    file.remittances > 0 || file.submissions > 0
}

/// Prints the report for people or as JSON.
pub(crate) fn print(outcome: &Outcome, files: &Files, as_json: bool, screen: &Screen) {
    let mut all = Counts::default();
    let mut others = 0_u64;
    for (source, file) in files.sources.iter().zip(&outcome.files) {
        all.add(&file.counts);
        if !source.named && !has_any(file) && !file.cut_off {
            others = others.saturating_add(1);
        } else if as_json {
            screen.note(&event("file", file).to_string());
        } else {
            screen.note(&file_text(file));
        }
    }
    if as_json {
        for held in &outcome.held {
            screen.note(&event("held", held).to_string());
        }
        let mut summary = event("summary", &all);
        if let Some(object) = summary.as_object_mut() {
            object.insert("other_files".into(), others.into());
        }
        screen.note(&summary.to_string());
        return;
    }
    if outcome.files.len() > 1 {
        screen.note(&format!("all files\n{}\n", rows(&all)));
    }
    if others > 0 {
        screen.note(&format!(
            "{others} other files in the folders were left out"
        ));
    }
    held_text(&outcome.held, screen);
}

/// An object of the report with the name of its event.
fn event(name: &str, of: &impl Serialize) -> Value {
    let mut event = json!(of);
    if let Some(object) = event.as_object_mut() {
        object.insert("event".into(), name.into());
    }
    event
}

fn file_text(file: &FileReport) -> String {
    let mut lines = vec![shown(&file.name)];
    lines.extend(file.note().map(|note| format!("  {note}")));
    for (warning, (count, segment)) in &file.warnings {
        let place = if *segment > 0 {
            format!(", first at segment {segment}")
        } else {
            String::new()
        };
        lines.push(format!("  {}: {count}{place}", warning.text()));
    }
    lines.push(rows(&file.counts));
    lines.join("\n") + "\n"
}

/// The counts, one a line: name, number, amount.
fn rows(counts: &Counts) -> String {
    let row = |name: &str, tally: Tally| {
        [
            format!("  {name}"),
            format!("{:>8}", tally.count),
            format!("{:>16}", tally.amount),
        ]
    };
    let number =
        |name: &str, count: u64| [format!("  {name}"), format!("{count:>8}"), String::new()];
    let mut rows = Vec::new();
    if counts.submitted_claims > 0 {
        rows.push(number("claims in claim files", counts.submitted_claims));
    }
    if counts.claim_payments > 0 || rows.is_empty() {
        rows.push(number("claims in remittances", counts.claim_payments));
        rows.push(row("written", counts.written));
        rows.push(row("held", counts.held));
        rows.extend(
            counts
                .skipped
                .iter()
                .map(|(reason, tally)| row(skip_text(*reason), *tally)),
        );
    }
    if counts.out_of_balance > 0 {
        rows.push(number("out of balance", counts.out_of_balance));
    }
    table(&rows)
}

/// The denials that are held. Only the first of each reason are shown.
fn held_text(held: &[HeldClaim], screen: &Screen) {
    let mut capped = Capped::default();
    if !held.is_empty() {
        screen.note("held:");
    }
    for claim in held {
        let reason = claim.hold.text();
        if capped.admits(&reason) {
            screen.note(&format!(
                "  {}  {}  {}",
                shown(&claim.claim_number),
                claim.denied,
                shown(&reason)
            ));
        }
    }
    let rest = capped.rest();
    if !rest.is_empty() {
        rest.iter()
            .for_each(|line| screen.note(&format!("  {line}")));
        screen.note("the first of each kind are shown; --json shows all");
    }
}
