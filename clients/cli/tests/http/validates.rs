//! Validation, which needs no service.

use crate::program::{end, item, lines, program, run};
use serde_json::json;
use std::io::Write;

#[test]
fn a_valid_file_is_counted() {
    let checked = run(program(&["validate", "-"]), &lines(["A", "B"].map(item)));
    assert_eq!((checked.status, &*checked.out, &*checked.err), (0, "valid    2\ninvalid  0\nadvice   0\n", ""));
}

#[test]
fn problems_and_advice_name_their_line_or_item() {
    let mut wrong = item("A");
    wrong["patient"]["date_of_birth"] = "2999-01-01".into();
    wrong["claim"]["billed_amount"] = json!(5);
    let file = lines([item("A"), wrong.clone()]) + "\n{\"patient\": 1\n" + &lines([item("0")]);
    let checked = run(program(&["validate", "-"]), &file);
    assert_eq!(checked.status, 1);
    assert_eq!(
        checked.out,
        "line 2: patient.date_of_birth must not be in the future\n\
         line 2: claim.billed_amount must be a positive amount as text with two decimals\n\
         line 4: body must be valid JSON (column 13)\n\
         line 5: advice: claim.claim_number is 0, which often stands for a missing number\n\
         valid    2\ninvalid  2\nadvice   1\n"
    );
    let batch = json!({ "claims": [item("A"), wrong], "x": 1 }).to_string();
    let checked = run(program(&["validate", "--json", "-"]), &batch);
    assert_eq!(
        checked.events()[..2],
        [
            json!({ "event": "invalid", "index": 1, "problems": ["patient.date_of_birth must not be in the future",
                "claim.billed_amount must be a positive amount as text with two decimals"] }),
            json!({ "event": "invalid", "problems": ["claims must be the only key of a batch"] }),
        ]
    );
    let summary = json!({ "event": "summary", "complete": true, "valid": 1, "invalid": 2, "advice": 0 });
    assert_eq!((checked.status, checked.summary()), (1, summary));
}

#[test]
fn a_number_that_comes_again_in_a_batch_is_noticed_and_a_file_without_claims_as_well() {
    let batch = json!({ "claims": [item("A"), item("A")] }).to_string();
    let checked = run(program(&["validate", "--json", "-"]), &batch);
    let events = checked.events();
    assert_eq!(checked.status, 0);
    assert_eq!(
        (&events[0]["index"], &events[0]["code"], &events[0]["field"]),
        (&json!(1), &json!("claim_number_repeated"), &json!("claim.claim_number"))
    );
    assert_eq!(checked.summary()["advice"], 1);
    let by_line = run(program(&["validate", "-"]), &lines(["A", "A"].map(item)));
    assert!(by_line.out.ends_with("advice   0\n"), "{}", by_line.out);
    let empty = run(program(&["validate", "-"]), " \n");
    assert_eq!(empty.status, 2);
    assert!(empty.err.starts_with("error: there is no claim in it."));
}

#[test]
fn a_file_in_another_format_gets_a_hint() {
    let array = json!([item("A"), item("B")]);
    let pretty: Vec<String> = ["A", "B"].map(|number| serde_json::to_string_pretty(&item(number)).unwrap()).into();
    for (file, says) in [
        (array.to_string(), "an array is not one: write {\"claims\": […]} around it"),
        (serde_json::to_string_pretty(&array).unwrap(), "an array is not one"),
        (pretty.join("\n"), "several claims go one a line"),
    ] {
        let checked = run(program(&["validate", "-"]), &file);
        assert_eq!(checked.status, 1);
        assert!(checked.out.contains(says), "{}", checked.out);
    }
    let latin_1 = item("A").to_string().replace("Doe", "M\u{1}ller").into_bytes();
    let latin_1: Vec<u8> = latin_1.into_iter().map(|byte| if byte == 1 { 0xfc } else { byte }).collect();
    let mut child = program(&["validate", "-"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&latin_1).unwrap();
    let checked = end(child);
    assert!(checked.out.contains("save the file as UTF-8"), "{}", checked.out);
}

#[test]
fn an_unread_part_makes_the_summary_incomplete() {
    let batch = json!({ "claims": [item("A"), item("B")] }).to_string();
    let cut = batch.strip_suffix("}]}").unwrap();
    for (file, line) in [(cut.to_owned(), ""), (format!("{}{cut}\n", lines([item("C")])), "line 2: ")] {
        let checked = run(program(&["validate", "--json", "-"]), &file);
        assert_eq!(checked.summary()["complete"], false, "{file}");
        let checked = run(program(&["validate", "-"]), &file);
        assert_eq!(checked.status, 1);
        assert!(checked.out.contains(&format!("{line}body must be valid JSON (")));
        assert!(checked.err.starts_with("a part of the file was not read"), "{}", checked.err);
    }
    // A line that is wrong as a whole does not hide the next line.
    let checked = run(program(&["validate", "--json", "-"]), &(lines([item("A")]) + "{\n"));
    assert_eq!((&checked.summary()["complete"], &*checked.err), (&json!(true), ""));
}

#[test]
fn an_invalid_command_line_differs_from_an_invalid_claim() {
    for args in [&["validate"][..], &["frobnicate"], &["status"], &["send", "-", "--timeout", "0"], &[]] {
        assert_eq!(run(program(args), "").status, 2, "{args:?}");
    }
    let help = run(program(&["--help"]), "");
    assert_eq!(help.status, 0);
    assert!(help.out.contains("130  interrupted"));
    let folder = run(program(&["validate", "/"]), "");
    assert_eq!((folder.status, &*folder.err), (2, "error: / is a folder; name a file\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let mut command = program(&["validate", "-"]);
    command.stdout(std::fs::File::create("/dev/full").unwrap());
    let checked = run(command, &lines([item("A")]));
    assert_eq!(checked.status, 2);
    assert!(checked.err.starts_with("error: cannot print: "));
}
