//! Properties of any bytes, and of balanced remittances of any size.

use super::{balance, claim_payments, options};
use crate::{Outcome, Remit, Warning};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use overturn_payer::{Generated, generate};
use proptest::prelude::*;

/// Runs files, each in chunks of these sizes again and again.
fn run(files: &[&[u8]], chunks: &[usize]) -> Outcome {
    let mut remit = Remit::new(options());
    let mut sizes = chunks.iter().copied().cycle();
    for file in files {
        remit.open("file");
        let mut rest = *file;
        while !rest.is_empty() {
            let size = sizes.next().unwrap_or(usize::MAX).clamp(1, rest.len());
            let (chunk, others) = rest.split_at(size);
            let _result = remit.push(chunk);
            rest = others;
        }
    }
    let outcome = remit.finish();
    balance(&outcome);
    outcome
}

/// Runs files of the generator, whole or cut off. Each CLP that was read counts.
fn run_all(files: &[&[u8]], chunks: &[usize]) -> Outcome {
    let outcome = run(files, chunks);
    for (bytes, file) in files.iter().zip(&outcome.files) {
        assert_eq!(file.counts.claim_payments, claim_payments(bytes));
    }
    outcome
}

fn files(generated: &Generated) -> Vec<&[u8]> {
    let all = generated.remittances.iter().chain(&generated.submissions);
    all.map(|file| &**file).collect()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn exactly_the_known_denials_come_out() {
    for (seed, claims) in [(1, 400), (2, 37), (3, 4), (4, 0)] {
        let generated = generate(seed, claims);
        let outcome = run_all(&files(&generated), &[usize::MAX]);
        let written: Vec<_> = outcome.claims.iter().map(|claim| (&claim.claim_number, claim.denied.0)).collect();
        let expected: Vec<_> =
            generated.expected.iter().map(|claim| (&claim.claim_number, claim.denied_amount.0)).collect();
        assert_eq!(written, expected);
        assert!(outcome.held.is_empty(), "{:?}", outcome.held);
        for file in &outcome.files {
            assert!(file.error.is_none() && !file.cut_off, "{file:?}");
            // Payers that state adjustments for the claim, or twice, leave their lines or claims out of balance.
            let known = [Warning::ClaimBalance, Warning::LineBalance];
            assert!(file.warnings.keys().all(|warning| known.contains(warning)), "{file:?}");
        }
    }
    assert!(generate(1, 400).expected.len() > 100);
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn chunks_and_the_order_of_files_do_not_matter(
        seed in any::<u64>(),
        claims in 0_u32..40,
        chunks in proptest::collection::vec(1_usize..300, 1..5),
        turn in 0_usize..8,
    ) {
        let generated = generate(seed, claims);
        let mut all = files(&generated);
        let whole = run_all(&all, &[usize::MAX]);
        all.rotate_left(turn);
        let other = run(&all, &chunks);
        prop_assert_eq!(&other.claims, &whole.claims);
        prop_assert_eq!(&other.held, &whole.held);
        all.reverse();
        let other = run(&all, &[1]);
        prop_assert_eq!(&other.claims, &whole.claims);
    }

    #[test]
    fn a_cut_gives_the_same_claims_or_fewer(
        seed in any::<u64>(),
        claims in 1_u32..40,
        file in 0_usize..8,
        cut in 0_usize..100_000,
    ) {
        let generated = generate(seed, claims);
        let mut all = files(&generated);
        let whole = run_all(&all, &[usize::MAX]);
        let bytes = all[file];
        all[file] = &bytes[..cut % (bytes.len() + 1)];
        let shorter = run_all(&all, &[usize::MAX]);
        let claims: BTreeMap<_, _> = whole.claims.iter().map(|claim| (&claim.claim_number, claim)).collect();
        for claim in &shorter.claims {
            let same = claims.get(&claim.claim_number);
            prop_assert_eq!(same.map(|claim| claim.denied), Some(claim.denied));
        }
        let fewer = whole.claims.len() - shorter.claims.len();
        let report = &shorter.files[file];
        let reason = report.cut_off || report.error.is_some() || !shorter.held.is_empty();
        prop_assert!(fewer == 0 || reason, "{} fewer", fewer);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(
        start in any::<bool>(),
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let header = b"ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*:~GS*HP~ST*835*1~CLP*A*1*1*0~".to_vec();
        let file = if start { [header, bytes].concat() } else { bytes };
        run(&[&file], &[7]);
    }
}

/// A small source of numbers, so that a failure can be repeated.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// More rounds take longer and find more.
const ROUNDS: u64 = 400;

#[test]
fn changed_bytes_never_panic_and_never_break_the_sums() {
    let mut state = 7;
    let marks = b"*~:\n\r-.0123459AHCLPSVNM1DTRQ\x00\x1a\xff ";
    for round in 0..ROUNDS {
        let generated = generate(round, 6);
        let mut changed: Vec<Vec<u8>> = files(&generated).iter().map(|file| file.to_vec()).collect();
        for _ in 0..=next(&mut state) % 8 {
            let file = next(&mut state) % changed.len();
            let bytes = &mut changed[file];
            let at = next(&mut state) % bytes.len().max(1);
            match next(&mut state) % 4 {
                0 => bytes[at] = marks[next(&mut state) % marks.len()],
                1 => drop(bytes.drain(at..(at + next(&mut state) % 40).min(bytes.len()))),
                2 => {
                    let copy = bytes[at..(at + next(&mut state) % 200).min(bytes.len())].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        let all: Vec<&[u8]> = changed.iter().map(|file| &**file).collect();
        let outcome = run(&all, &[1 + next(&mut state) % 64]);
        all.iter().rev().for_each(|file| assert!(file.len() < 1_000_000));
        let turned: Vec<&[u8]> = all.into_iter().rev().collect();
        let other = run(&turned, &[usize::MAX]);
        assert_eq!(other.claims, outcome.claims, "round {round}");
        assert_eq!(other.held, outcome.held, "round {round}");
    }
}
