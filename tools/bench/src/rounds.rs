//! Measurements in rounds. The candidates take turns, so that other work of the machine affects all of them alike.

use std::time::{Duration, Instant};

#[must_use]
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], sorted[middle]) } else { sorted[middle] }
}

/// The median of the ratios of two series, round by round.
#[must_use]
pub(crate) fn ratio(of: &[f64], to: &[f64]) -> f64 {
    assert_eq!(of.len(), to.len());
    let ratios: Vec<f64> = of.iter().zip(to).map(|(of, to)| of / to).collect();
    median(&ratios)
}

/// Nanoseconds per call of each of `works`, with one value for each round.
pub(crate) fn interleaved(works: &mut [&mut dyn FnMut()], rounds: usize, turn: Duration) -> Vec<Vec<f64>> {
    let mut series = vec![Vec::with_capacity(rounds); works.len()];
    for work in &mut *works {
        run(work, turn);
    }
    for round in 0..rounds {
        for n in 0..works.len() {
            // Each round starts with a different one.
            let n = (n + round) % works.len();
            series[n].push(run(&mut works[n], turn));
        }
    }
    series
}

fn run(work: &mut dyn FnMut(), turn: Duration) -> f64 {
    let (began, mut calls) = (Instant::now(), 0_u32);
    while began.elapsed() < turn {
        work();
        calls += 1;
    }
    began.elapsed().as_nanos() as f64 / f64::from(calls)
}
