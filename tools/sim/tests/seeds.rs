//! Seeds as tests.

use overturn_sim::plan::Plan;
use overturn_sim::run::run;
use overturn_sim::sums::{commit, over};

/// How many seeds the checks of a change run.
const SEEDS: u64 = 200;

#[test]
fn a_seed_tells_the_same_story_each_time() {
    for seed in [1, 2, 3] {
        let plan = Plan::of(seed);
        let [first, again] = [0, 1].map(|_| run(seed, &plan, true));
        for (line, other) in first.story.iter().zip(&again.story) {
            assert_eq!(line, other, "seed {seed}");
        }
        assert_eq!((first.hash, first.events), (again.hash, again.events), "seed {seed}");
    }
}

#[test]
#[ignore = "the step `sim` of `cargo xtask test` runs it"]
fn everything_holds_in_each_seed_and_all_of_them_reach_the_interesting_states() {
    let (sums, took) = over(0..SEEDS, None, &|seed, report| {
        for problem in &report.problems {
            println!("seed {seed} at commit {}: {problem}", commit());
        }
    });
    println!("{}", sums.said(took));
    assert_eq!(sums.failed, [0; 0], "cargo xtask sim --seed N --trace tells the story");
}
