//! Files in other formats, and files that repeat one mistake ten thousand times.

use crate::program::{item, lines, program, program_for, run};
use crate::service::Service;
use serde_json::{Value, json};

const CSV: &str = "\
claim_number;payer_claim_number;payer_name;date_of_service;first_name;last_name;date_of_birth;denied_amount;denial_codes;denial_reason
A-1;ICN-1;Acme Health;2025-01-02;Canaria;Doe;1980-02-29;120.00;CO-50,N130;\"not
covered\"
A-2;ICN-2;Acme Health;2025-01-02;Canaria;Doe;1980-02-29;80.00;CO-50;
";

#[test]
fn csv_is_validated_and_sent_like_any_other_file() {
    let service = Service::new([]);
    let checked = run(program(&["validate", "-"]), CSV);
    assert_eq!(checked.status, 0, "{checked:?}");
    assert!(checked.out.contains("valid    2\n"), "{}", checked.out);
    for (status, created) in [(0, 2), (0, 0)] {
        let sent = run(program_for(&service, &["send", "-", "--json"]), CSV);
        assert_eq!(sent.status, status);
        assert_eq!(sent.summary()["created"], created);
    }
    assert_eq!(service.claims().len(), 2);
}

#[test]
fn a_wrong_cell_of_csv_is_named_by_line_and_column_and_not_repeated() {
    let service = Service::new([]);
    let file = CSV.replace("80.00", "77").replace("1980-02-29;120", "2/29/1980;120");
    for command in [program_for(&service, &["send", "-"]), program(&["validate", "-"])] {
        let ended = run(command, &file);
        assert_eq!(ended.status, 1);
        for line in [
            "line 2: patient.date_of_birth must be a date (YYYY-MM-DD) (column 7)\n",
            "line 4: claim.denied_amount must be a positive amount as text with two decimals (column 8)\n",
        ] {
            assert!(ended.out.contains(line), "{}", ended.out);
        }
        assert!(!ended.out.contains("77") && !ended.out.contains("2/29"));
    }
    assert_eq!(service.claims().len(), 0);
}

#[test]
fn a_file_of_names_stands_for_the_header_of_the_service() {
    let names = std::env::temp_dir().join(format!("overturn-names-{}.csv", std::process::id()));
    std::fs::write(&names, "column,field\nAcct,claim_number\n").unwrap();
    let file = CSV.replace("claim_number;payer_claim", "ACCT;payer_claim");
    let checked = run(program(&["validate", "-", "--columns", names.to_str().unwrap()]), &file);
    std::fs::remove_file(&names).unwrap();
    assert_eq!(checked.status, 0, "{checked:?}");
    let unsaid = run(program(&["validate", "-"]), &file);
    assert_eq!(unsaid.status, 2);
    assert!(unsaid.err.starts_with("error: column 1 of the first line is no field of a claim."), "{}", unsaid.err);
}

#[test]
fn a_line_of_prose_in_a_file_of_json_is_a_line_that_is_wrong() {
    let file = format!("Hello, here they are:\n{}", lines([item("A"), item("B")]));
    let checked = run(program(&["validate", "-"]), &file);
    assert_eq!(checked.status, 1);
    assert!(checked.out.starts_with("line 1: body must be valid JSON"), "{}", checked.out);
    assert!(checked.out.contains("valid    2\n"), "{}", checked.out);
}

#[test]
fn the_format_is_what_the_command_line_says_or_the_name_of_the_file() {
    let rest = lines([item("A"), item("B")]);
    let file = format!("{{\"patient\":{{}},\n{rest}");
    let unsaid = run(program(&["validate", "-"]), &file);
    assert!(unsaid.out.contains("nothing behind it was read"), "{}", unsaid.out);
    let said = run(program(&["validate", "-", "--format", "ndjson"]), &file);
    assert!(said.out.contains("valid    2\n"), "{}", said.out);
    let one = run(program(&["validate", "-", "--format", "json"]), &rest);
    assert!(one.out.contains("something follows the value"), "{}", one.out);

    let name = format!("overturn-format-{}.ndjson", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, &file).unwrap();
    let named = run(program(&["validate", path.to_str().unwrap()]), "");
    std::fs::remove_file(&path).unwrap();
    assert!(named.out.contains("valid    2\n"), "{}", named.out);

    let csv = run(program(&["validate", "-", "--format", "ndjson"]), CSV);
    assert_eq!(csv.status, 1);
    let asked = run(program(&["validate", "-", "--format", "csv"]), CSV);
    assert_eq!(asked.status, 0);
    let unknown = run(program(&["validate", "-", "--format", "xlsx"]), CSV);
    assert_eq!(unknown.status, 2);
}

/// A claim without the payer's name.
fn nameless(number: u32) -> Value {
    let mut item = item(&format!("N-{number}"));
    item["claim"].as_object_mut().unwrap().remove("payer_name");
    item
}

#[test]
fn a_mistake_that_is_made_ten_thousand_times_is_shown_ten_times_and_counted() {
    let file = lines((0..10_000).map(nameless)) + "{\n[\n";
    let checked = run(program(&["validate", "-"]), &file);
    assert_eq!(checked.status, 1);
    let said: Vec<&str> = checked.out.lines().collect();
    for (n, line) in said.iter().take(10).enumerate() {
        assert_eq!(*line, format!("line {}: claim.payer_name is required", n + 1));
    }
    // A problem on only two lines is still shown.
    assert_eq!(said[10], "line 10001: body must be valid JSON (column 1)");
    assert_eq!(said[11], "line 10002: body must be valid JSON (column 1)");
    assert_eq!(said[12], "9990 more like: claim.payer_name is required");
    assert_eq!(said[13..], ["valid        0", "invalid  10002", "advice       0"]);
    assert_eq!(checked.err, "the first of each kind are shown; --json shows all\n");

    let checked = run(program(&["validate", "-", "--json"]), &file);
    assert_eq!(checked.events().len(), 10_003);
    assert_eq!(checked.err, "");
}

#[test]
fn refusals_of_the_service_are_counted_as_well() {
    let results = |from: u32| {
        let refused = |number: u32| {
            json!({ "claim_number": format!("N-{number}"), "created": false,
            "error": "claim.claim_number is already used for a different patient" })
        };
        json!({ "claims": (from..from + 100).map(refused).collect::<Vec<_>>(), "submission_id": null })
    };
    let acts = [0, 100].map(|from| crate::service::Act::Say(200, "", results(from)));
    let service = Service::new(acts);
    let sent = run(program_for(&service, &["send", "-"]), &crate::program::numbered(0..200));
    assert_eq!(sent.status, 1);
    let first = "line 1: refused: claim.claim_number is already used for a different patient (N-0)\n";
    assert!(sent.out.starts_with(first), "{}", sent.out);
    let more = "190 more like: refused: claim.claim_number is already used for a different patient\n";
    assert!(sent.out.contains(more), "{}", sent.out);
    assert_eq!(sent.out.lines().count(), 10 + 1 + 4);
}
