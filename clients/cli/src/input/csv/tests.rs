use super::super::{Entry, Format, Shape};
use super::*;
use std::io::BufReader;

const HEADER: &str = "claim_number,payer_claim_number,payer_name,date_of_service,first_name,last_name,date_of_birth";

/// The rows of a file, in chunks of one byte.
fn found_with(names: Names, file: &[u8]) -> Result<Vec<String>, String> {
    let shape = Shape { asked: Some(Format::Csv), named: None, names };
    let mut found = Vec::new();
    let input = BufReader::with_capacity(1, file);
    let read = super::super::read(input, &shape, &mut |place, entry| {
        found.push(match entry {
            Entry::Row(item, _) => format!("{place}{item}"),
            other => format!("{place}{other:?}"),
        });
        Ok(())
    });
    read.map(|()| found).map_err(|error| error.to_string())
}

fn found(file: &str) -> Result<Vec<String>, String> {
    found_with(Names::default(), file.as_bytes())
}

fn names(text: &str) -> Names {
    Names::read("names.csv", text).unwrap()
}

#[test]
fn a_row_is_a_claim_with_the_fields_of_the_header() {
    let file = format!(
        "{HEADER},denial_codes,denial_reason\nA-1,P-1, Acme ,2026-01-05,Jane,Doe,1984-06-02,\"CO-50, N130;MA01\",\"not\ncovered\"\n\n,,,\nA-2,,,,,,,,\n"
    );
    assert_eq!(
        found(&file).unwrap(),
        [
            "line 2: {\"claim\":{\"claim_number\":\"A-1\",\"date_of_service\":\"2026-01-05\",\"denial_codes\":[\"CO-50\",\"N130\",\"MA01\"],\"denial_reason\":\"not\\ncovered\",\"payer_claim_number\":\"P-1\",\"payer_name\":\"Acme\"},\"patient\":{\"date_of_birth\":\"1984-06-02\",\"first_name\":\"Jane\",\"last_name\":\"Doe\"}}",
            "line 6: {\"claim\":{\"claim_number\":\"A-2\"},\"patient\":{}}",
        ]
    );
}

#[test]
fn the_names_of_fields_may_have_their_object_spaces_and_capitals() {
    let header = "Claim Number;claim.payer_claim_number;PAYER_NAME;date-of-service;patient.first_name;Last Name;patient.date_of_birth";
    let rows = found(&format!("\u{feff}{header}\r\nA-1;;;;;;\r\n")).unwrap();
    assert_eq!(rows, ["line 2: {\"claim\":{\"claim_number\":\"A-1\"},\"patient\":{}}"]);
    let object = header.replace("patient.first_name", "claim.first_name");
    assert!(found(&object).is_err(), "first_name is no field of claim");
}

#[test]
fn a_file_of_names_maps_the_columns_of_a_practice() {
    let names = names(
        "column,field\nAcct,claim_number\nICN,claim.payer_claim_number\nIns,payer_name\nDOS,date_of_service\nFirst,first_name\nLast,last_name\nDOB,date_of_birth\nDx1,diagnosis_codes\nDx2,diagnosis_codes\nmember_id,\n",
    );
    let file = b"ACCT,ICN,Ins,DOS,First,Last,DOB,Dx1,Dx2,Room,member_id\nA-1,,,,N\xfa\xf1ez,,,R07.89,E11.9,12,W1\n";
    assert_eq!(
        found_with(names.clone(), file).unwrap(),
        [
            "line 2: {\"claim\":{\"claim_number\":\"A-1\",\"diagnosis_codes\":[\"R07.89\",\"E11.9\"]},\"patient\":{\"first_name\":\"Núñez\"}}"
        ]
    );
    assert_eq!(
        found_with(names, HEADER.as_bytes()).unwrap_err(),
        "the first line has no column acct, which --columns names"
    );
    for (text, why) in [
        ("column,field\nA,claim\n", "line 2: field must be one of first_name"),
        ("column,field\nA,claim_number\na,payer_name\n", "line 3: the column is there twice"),
        ("a,b\n", "the first line has no column column"),
    ] {
        let error = Names::read("names.csv", text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot use names.csv: {why}")), "{error}");
    }
}

#[test]
fn a_header_that_does_not_fit_is_an_error_without_its_cells() {
    for (file, why) in [
        ("A-1,Doe,Jane\n", "the first line must name the columns"),
        (&*format!("{HEADER},Doe\n"), "column 8 of the first line is no field of a claim"),
        (&format!("{HEADER},last_name\n"), "column 8 of the first line is a second last_name"),
        (
            "claim_number,first_name\n",
            "the first line has no column last_name, date_of_birth, payer_claim_number, payer_name, date_of_service",
        ),
    ] {
        let error = found(file).unwrap_err();
        assert!(error.starts_with(why), "{error}");
        assert!(!error.contains("Doe"));
    }
}

#[test]
fn rows_that_cannot_be_read_have_their_line() {
    let file = format!("{HEADER}\nA-1,,,,,,,x\nA-2,,,,,,,,\n\"A-3\nA-4\n");
    let rows = found(&file).unwrap();
    assert!(rows[0].starts_with("line 2: Broken(Broken { fault: Cells, hides: Nothing })"), "{rows:?}");
    assert!(rows[1].starts_with("line 3: {"), "empty cells beyond the header are allowed");
    assert!(rows[2].starts_with("line 4: Broken(Broken { fault: Quote, hides: RestOfFile })"), "{rows:?}");
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_file_is_known_as_csv_by_its_first_line() {
    let mut places = Vec::new();
    let file = format!("\n  \n{HEADER}\nA-1,,,,,,\n");
    let input = BufReader::with_capacity(3, file.as_bytes());
    super::super::read(input, &Shape::default(), &mut |place, entry| {
        places.push((place.line, matches!(entry, Entry::Row(..))));
        Ok(())
    })
    .unwrap();
    assert_eq!(places, [(Some(4), true)]);
}

#[test]
fn a_first_cell_without_a_name_keeps_its_place() {
    let header = HEADER.replace(',', "\t");
    let rows = found(&format!("\t{header}\n1\tA-1\n")).unwrap();
    assert_eq!(rows, ["line 2: {\"claim\":{\"claim_number\":\"A-1\"},\"patient\":{}}"]);
}
