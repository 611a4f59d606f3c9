//! The report on standard error: a table for each file, then the denials that are held.

use super::files::{Files, Source};
use crate::capped::Capped;
use crate::screen::Screen;
use crate::table::table;
use crate::text::{counted, shown};
use overturn_remit::{Counts, FileReport, FileState, HeldClaim, MissingPlans, Outcome, Tally};
use serde::Serialize;
use serde_json::{Value, json};

/// How many files or payers of one kind are named for people.
const SHOWN: usize = 10;

/// True for a file of a folder that is neither a remittance nor a claim file.
const fn is_other(source: &Source, file: &FileReport) -> bool {
    !source.named && matches!(file.state(), FileState::Other)
}

/// Prints the report for people or as JSON.
pub(crate) fn print(outcome: &Outcome, files: &Files, screen: &Screen) {
    let mut all = Counts::default();
    outcome.files.iter().for_each(|file| all.add(&file.counts));
    if screen.is_json() {
        return print_json(outcome, &all, screen);
    }
    let (others, ours): (Vec<_>, Vec<_>) =
        files.sources.iter().zip(&outcome.files).partition(|(source, file)| is_other(source, file));
    for (_, file) in ours {
        screen.note(&file_text(file));
    }
    if outcome.files.len() > 1 {
        screen.note(&format!("all files\n{}\n", rows(&all)));
    }
    others_text(others.into_iter().map(|(_, file)| file), screen);
    held_text(&outcome.held, screen);
    plans_text(&outcome.missing_plans, screen);
}

fn print_json(outcome: &Outcome, all: &Counts, screen: &Screen) {
    for file in &outcome.files {
        screen.note(&event("file", file).to_string());
    }
    for held in &outcome.held {
        screen.note(&event("held", held).to_string());
    }
    let mut summary = event("summary", all);
    let number = |state| outcome.files.iter().filter(|file| file.state() == state).count();
    if let Some(object) = summary.as_object_mut() {
        for (name, state) in [
            ("partial_files", FileState::Partial),
            ("unreadable_files", FileState::Unreadable),
            ("other_files", FileState::Other),
        ] {
            object.insert(name.into(), number(state).into());
        }
        object.insert("missing_plans".into(), json!(outcome.missing_plans));
    }
    screen.note(&summary.to_string());
}

/// The files of the folders that were left out, each with the reason.
fn others_text<'a>(others: impl ExactSizeIterator<Item = &'a FileReport>, screen: &Screen) {
    let count = others.len();
    if count == 0 {
        return;
    }
    screen.note(&format!("{} in the folders left out:", counted(count, "other file")));
    for file in others.take(SHOWN) {
        let note = file.note().unwrap_or_default();
        screen.note(&format!("  {}: {note}", shown(&file.name)));
    }
    if let Some(rest) = count.checked_sub(SHOWN).filter(|rest| *rest > 0) {
        screen.note(&format!("  {rest} more; --json names all"));
    }
}

/// The payers without a plan type, and what to do.
fn plans_text(missing: &MissingPlans, screen: &Screen) {
    let payers = missing.payers();
    if payers.is_empty() {
        return;
    }
    screen.note(&format!(
        "{} without a plan type, which sets the deadline: write the plans of these payers into a file, and name it with --payers",
        counted(missing.claims(), "claim"),
    ));
    for payer in payers.iter().take(SHOWN) {
        let name = shown(&payer.payer_name);
        screen.note(&format!("  {name}: {}", counted(payer.claims, "claim")));
    }
    if let Some(rest) = payers.len().checked_sub(SHOWN).filter(|rest| *rest > 0) {
        screen.note(&format!("  {}; --json names all", counted(rest, "more payer")));
    }
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
        let place = if *segment > 0 { format!(", first at segment {segment}") } else { String::new() };
        lines.push(format!("  {}: {count}{place}", warning.text()));
    }
    lines.push(rows(&file.counts));
    lines.join("\n") + "\n"
}

/// The counts, one a line: name, number, amount.
fn rows(counts: &Counts) -> String {
    let row = |name: &str, tally: Tally| {
        [format!("  {name}"), format!("{:>8}", tally.count), format!("{:>16}", tally.amount)]
    };
    let number = |name: &str, count: u64| [format!("  {name}"), format!("{count:>8}"), String::new()];
    let mut rows = Vec::new();
    if counts.submitted_claims > 0 {
        rows.push(number("claims in claim files", counts.submitted_claims));
    }
    if counts.claim_payments > 0 || rows.is_empty() {
        rows.push(number("claims in remittances", counts.claim_payments));
        rows.push(row("written", counts.written));
        rows.push(row("held", counts.held));
        rows.extend(counts.skipped.iter().map(|(reason, tally)| row(reason.text(), *tally)));
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
            screen.note(&format!("  {}  {}  {}", shown(&claim.claim_number), claim.denied, shown(&reason)));
        }
    }
    let rest = capped.rest();
    if !rest.is_empty() {
        rest.iter().for_each(|line| screen.note(&format!("  {line}")));
        screen.note("the first of each kind are shown; --json shows all");
    }
}
