//! A seed is one run.

use overturn_sim::plan::Plan;
use overturn_sim::run::run;

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
