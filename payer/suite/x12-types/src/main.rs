//! Reads cases of the suite from standard input, and prints for each the claim payments that x12-types finds in its files,
//! or null for a file that it does not read to its end. `compare.py` says what the fields are.

use serde_json::{Value, json};
use std::io::{BufRead, stdin};
use x12_types::util::Parser;
use x12_types::v005010::{_835, CAS, LQ, MOA, Transmission};

fn main() {
    for line in stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let files = case["remittances"].as_array().expect("files").iter();
        let payments: Vec<_> = files.map(|file| payments(file.as_str().expect("a text"))).collect();
        println!("{}", json!(payments));
    }
}

fn payments(file: &str) -> Option<Vec<Value>> {
    let (rest, read) = Transmission::<_835>::parse(file).ok()?;
    if !rest.trim().is_empty() {
        return None;
    }
    let sets = read.functional_group.into_iter().flat_map(|group| group.segments);
    let claims = sets.flat_map(|set| set.loop_2000).flat_map(|group| group.loop_2100);
    let payments = claims.map(|claim| {
        let lines = || claim.loop_2110.iter();
        let adjustments: Vec<_> = claim.cas.iter().chain(lines().flat_map(|line| &line.cas)).flat_map(trios).collect();
        let remarks = lines().flat_map(|line| &line.lq).filter_map(|LQ { _02, .. }| _02.clone());
        let remarks: Vec<String> = claim.moa.iter().flat_map(codes).chain(remarks).collect();
        json!({ "number": claim.clp._01, "status": claim.clp._02, "adjustments": adjustments, "remarks": remarks })
    });
    Some(payments.collect())
}

/// Group, reason and amount of each trio.
fn trios(cas: &CAS) -> Vec<[String; 3]> {
    let trio = |carc: &Option<String>, amount: &Option<String>| {
        let carc = carc.clone().filter(|carc| !carc.is_empty())?;
        Some([cas._01.clone(), carc, amount.clone().unwrap_or_default()])
    };
    let first = [cas._01.clone(), cas._02.clone(), cas._03.clone()];
    let more = [trio(&cas._05, &cas._06), trio(&cas._08, &cas._09), trio(&cas._11, &cas._12)];
    let last = [trio(&cas._14, &cas._15), trio(&cas._17, &cas._18)];
    [first].into_iter().chain(more.into_iter().chain(last).flatten()).collect()
}

fn codes(moa: &MOA) -> Vec<String> {
    let codes = [&moa._03, &moa._04, &moa._05, &moa._06, &moa._07];
    codes.into_iter().flatten().filter(|code| !code.is_empty()).cloned().collect()
}
