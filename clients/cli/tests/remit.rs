//! `overturn remit` as a program: files, standard output and error, exit statuses.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that meets the unexpected should panic")]

mod common;

use common::{Folder, notes, out, overturn};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const REMITTANCE: &str =
    "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *260210*1200*^*00501*000000007*0*P*:~
GS*HP*PAYER*PRACTICE*20260210*1200*7*X*005010X221A1~
ST*835*0001~
BPR*I*0*C*NON************20260202~
TRN*1*1*1512345678~
DTM*405*20260202~
N1*PR*ACME HEALTH~
LX*1~
CLP*A-1*1*100*0**12*P-1~
NM1*QC*1*DOE*JANE****MI*W1~
DTM*232*20260105~
CAS*CO*50*100~
CLP*A-2*1*70*0**12*P-2~
NM1*QC*1*ROE*RAY****MI*W2~
DTM*232*20260105~
CAS*CO*96*70~
SE*15*0001~
GE*1*7~
IEA*1*000000007~
";

const CLAIMS: &str =
    "ISA*00*          *00*          *ZZ*PRACTICE       *ZZ*PAYER          *260110*1200*^*00501*000000008*0*P*:~
GS*HC*PRACTICE*PAYER*20260110*1200*8*X*005010X222A1~
ST*837*0001*005010X222A1~
BHT*0019*00*1*20260110*1200*CH~
HL*1**20*1~
HL*2*1*22*0~
SBR*P*18*******CI~
NM1*IL*1*DOE*JANE****MI*W1~
DMG*D8*19840602*F~
CLM*A-1*100***11:B:1*Y*A*Y*Y~
SE*9*0001~
GE*1*8~
IEA*1*000000008~
";

fn remit(args: &[&str], input: &str) -> Output {
    overturn(&[&["remit"], args].concat(), input)
}

fn numbers(output: &Output) -> Vec<String> {
    let claims = out(output);
    let claims = claims
        .lines()
        .filter(|line| !line.starts_with("{\"remit\""))
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    claims.map(|claim| claim["claim"]["claim_number"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn claims_go_to_standard_output_and_the_report_to_standard_error() {
    let folder = Folder::new("report");
    let (era, claims) = (folder.file("a.txt", REMITTANCE), folder.file("b.txt", CLAIMS));
    let output = remit(&[&era, "--claims", &claims], "");
    assert_eq!(output.status.code(), Some(1), "a claim is held");
    assert_eq!(numbers(&output), ["A-1"]);
    let notes = notes(&output);
    for line in [
        "claims in remittances         2",
        "written                       1            100.00",
        "held:\n  A-2  70.00  no date of birth",
    ] {
        assert!(notes.contains(line), "{line}\n{notes}");
    }
    assert!(!notes.contains("ROE") && !notes.contains("DOE"), "no patient: {notes}");
}

#[test]
fn the_claims_are_those_that_validate_accepts() {
    let folder = Folder::new("validate");
    let files = [folder.file("a", REMITTANCE), folder.file("b", CLAIMS)];
    let output = remit(&[&files[0], &files[1]], "");
    let claims = folder.file("claims.ndjson", &out(&output));
    let checked = Command::new(env!("CARGO_BIN_EXE_overturn")).args(["validate", &claims]).output().unwrap();
    assert_eq!(checked.status.code(), Some(0));
}

/// `overturn validate -` of a text: its status and what it says.
fn validate(text: &str) -> (Option<i32>, Value, String) {
    let output = overturn(&["validate", "-", "--json"], text);
    let summary = out(&output);
    let summary = summary.lines().last().unwrap_or("null");
    (output.status.code(), serde_json::from_str(summary).unwrap(), notes(&output))
}

#[test]
fn a_pipe_does_not_hide_that_a_remittance_or_the_claims_break_off() {
    let folder = Folder::new("pipe");
    let (era, claims) = (folder.file("a", REMITTANCE), folder.file("b", CLAIMS));
    let broken = folder.file("c", REMITTANCE.split("SE*").next().unwrap());
    let whole = out(&remit(&[&era, &claims], ""));
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], r#"{"remit":"begin"}"#);
    assert_eq!(lines[2], r#"{"remit":"end","written":1,"complete":true}"#);
    let twice = [&*whole, &whole].concat();
    for (text, valid) in [(&whole, 1), (&twice, 2)] {
        let (status, summary, _) = validate(text);
        assert_eq!((status, &summary["complete"]), (Some(0), &true.into()));
        assert_eq!(summary["valid"], valid);
    }
    // A file is cut off, an end is missing as after `head`, a beginning as after `tail`, and a claim.
    let cut = out(&remit(&[&era, &broken, &claims], ""));
    for (text, why) in [
        (cut, "did not read all of its files"),
        (lines[..2].join("\n"), "breaks off"),
        (lines[1..].join("\n"), "breaks off"),
        ([lines[0], lines[2]].join("\n"), "missing here: 1"),
        ([lines[0], lines[1], &whole].join("\n"), "breaks off"),
    ] {
        let (status, summary, notes) = validate(&text);
        assert_eq!((status, &summary["complete"]), (Some(1), &false.into()), "{text}");
        assert!(notes.contains(why), "{text}: {notes}");
    }
    // Nothing was denied, which is no mistake. Without a remittance it would be one.
    for (files, status) in [(vec![&*whole_payment(&folder), &claims], 0), (vec![&*claims], 1)] {
        let empty = out(&remit(&files, ""));
        assert_eq!(validate(&empty).0, Some(status), "{empty}");
    }
}

fn whole_payment(folder: &Folder) -> String {
    let paid = REMITTANCE.replace("*100*0*", "*100*100*").replace("*70*0*", "*70*70*");
    let paid = paid.replace("CAS*CO*50*100~\n", "").replace("CAS*CO*96*70~\n", "");
    folder.file("paid", &paid)
}

#[test]
fn folders_and_standard_input_are_read() {
    let folder = Folder::new("folder");
    fs::create_dir(folder.path("sub")).unwrap();
    folder.file("claims.txt", CLAIMS);
    folder.file("sub/readme.txt", "not X12");
    folder.file("sub/era", REMITTANCE);
    let output = remit(&[&folder.path("")], "");
    assert_eq!(numbers(&output), ["A-1"]);
    let readme = folder.path("sub/readme.txt");
    assert!(notes(&output).contains(&format!(
        "1 other file in the folders left out:\n  {readme}: this is not X12: it has no ISA segment\n"
    )));
    assert_eq!(output.status.code(), Some(1), "a claim is held");
    let output = remit(&["-", "--claims", &folder.path("claims.txt")], REMITTANCE);
    assert_eq!(numbers(&output), ["A-1"]);
}

/// What is left out of a folder is named, and what may be a remittance is no file of another kind.
#[test]
fn files_of_a_folder_that_are_not_read_are_named_with_the_reason() {
    let folder = Folder::new("unread");
    folder.file("claims.txt", CLAIMS);
    folder.file("era.txt", &REMITTANCE.replace("CAS*CO*96*70", "CAS*PR*1*70"));
    for n in 10..22 {
        folder.file(&format!("note{n}"), "a note");
    }
    let output = remit(&[&folder.path("")], "");
    let said = notes(&output);
    assert_eq!(output.status.code(), Some(0), "other files are no problem: {said}");
    assert!(said.contains("12 other files in the folders left out:\n"), "{said}");
    assert!(said.contains("note19: this is not X12") && !said.contains("note20"), "{said}");
    assert!(said.contains("\n  2 more; --json names all\n"), "{said}");
    let output = remit(&[&folder.path(""), "--json"], "");
    let said = notes(&output);
    assert_eq!(said.matches(r#""state":"other""#).count(), 12, "{said}");
    assert!(said.contains("note21") && said.contains(r#""other_files":12"#), "{said}");

    let late = folder.file("late.txt", &["Payment of March\n", REMITTANCE].concat());
    let output = remit(&[&folder.path("")], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(numbers(&output), ["A-1"], "the other files still count");
    let expected = format!("{late}\n  not read: other text comes before ISA");
    assert!(notes(&output).contains(&expected), "{}", notes(&output));
    let output = remit(&[&folder.path(""), "--json"], "");
    assert!(notes(&output).contains(r#""unreadable_files":1"#));
    // By its name, it is an error of the command line.
    let output = remit(&[&late, &folder.path("claims.txt"), &folder.path("era.txt")], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(notes(&output).contains("other text comes before ISA: remove it"));
}

#[test]
fn payers_without_a_plan_are_named() {
    let folder = Folder::new("plans");
    let era = REMITTANCE.replace("*12*P-", "*HM*P-");
    let files = [folder.file("a", &era), folder.file("b", CLAIMS)];
    let said = notes(&remit(&[&files[0], &files[1]], ""));
    assert!(said.contains("1 claim without a plan type"), "{said}");
    assert!(said.contains("--payers\n  ACME HEALTH: 1 claim\n"), "{said}");
    assert!(said.contains("1 patient without a date of birth"), "{said}");
    let plans = folder.file("plans.csv", "payer_name,plan_type\nAcme Health,erisa\n");
    let output = remit(&[&files[0], &files[1], "--payers", &plans], "");
    assert!(out(&output).contains(r#""plan_type":"erisa""#));
    assert!(!notes(&output).contains("plan type"), "{}", notes(&output));
}

#[test]
fn the_template_is_written_for_its_owner_and_read_back() {
    let folder = Folder::new("births");
    let (era, births) = (folder.file("a", REMITTANCE), folder.path("births.csv"));
    let output = remit(&[&era, "--births", &births], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(numbers(&output).is_empty());
    #[cfg(unix)]
    assert_eq!(mode(std::path::Path::new(&births)), 0o600);
    let filled = fs::read_to_string(&births).unwrap().replace(",\"\"\r\n", ",6/2/1984\r\n");
    fs::write(&births, &filled).unwrap();
    let output = remit(&[&era, "--births", &births], "");
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    assert_eq!(numbers(&output), ["A-1", "A-2"]);
    assert_eq!(fs::read_to_string(&births).unwrap(), filled, "a file that is there is not changed");
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_exit_status_says_what_to_do() {
    let folder = Folder::new("status");
    let claims = folder.file("claims", CLAIMS);
    let cut = folder.file("cut", REMITTANCE.split("CLP*A-2").next().unwrap());
    let whole =
        folder.file("whole", &REMITTANCE.replace("CLP*A-2*1*70*0*", "CLP*A-2*1*70*70*").replace("CAS*CO*96*70~\n", ""));
    let text = folder.file("text", "claim_number,payer_name\n");
    let lower = folder.file("lower", &REMITTANCE.replace("GS*HP", "gs*HP"));
    for (args, status) in [
        (vec![&*whole, &claims], 0),
        (vec![&*whole, &claims, &lower], 2),
        (vec![&*cut, &claims], 1),
        (vec![&*whole, &claims, &text], 2),
        (vec![&*claims], 2),
        (vec!["/no/such/file"], 2),
        (vec![], 2),
        (vec![&*whole, &claims, "--payers", &text], 2),
    ] {
        let output = remit(&args, "");
        assert_eq!(output.status.code(), Some(status), "{args:?}: {}", notes(&output));
    }
}

#[test]
fn the_report_is_json_on_demand() {
    let folder = Folder::new("json");
    let (era, claims) = (folder.file("a", REMITTANCE), folder.file("b", CLAIMS));
    let output = remit(&[&era, "--claims", &claims, "--json"], "");
    assert_eq!(numbers(&output), ["A-1"]);
    let events: Vec<Value> = notes(&output).lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["file", "file", "held", "summary"]);
    assert_eq!(events[2]["reason"], "no_date_of_birth");
    assert_eq!(events[3]["written"]["amount"], "100.00");
}

#[test]
fn an_explanation_takes_the_place_of_the_claims() {
    let folder = Folder::new("explain");
    let (era, claims) = (folder.file("a", REMITTANCE), folder.file("b", CLAIMS));
    let output = remit(&[&era, "--claims", &claims, "--explain", "A-1"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        out(&output).ends_with("denied: 100.00\nit answers A-1 of the claim files\nthe date of birth is known\nwritten as A-1, denied 100.00\n"),
        "{}",
        out(&output)
    );
    let output = remit(&[&era, "--explain", "A-9"], "");
    assert_eq!(output.status.code(), Some(1));
}
