//! `overturn-sim`: runs seeds, or tells the story of one.

use lexopt::prelude::*;
use overturn_sim::plan::Plan;
use overturn_sim::replay;
use overturn_sim::run::{Report, run, shrink};
use overturn_sim::sums::{commit, over};
use std::process::ExitCode;
use std::time::Duration;

/// SQLite and the service ask for memory all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What to run.
struct Options {
    first: u64,
    seeds: u64,
    minutes: Option<u64>,
    one: Option<u64>,
    tells: bool,
    /// Seeds are recorded and asked of another host.
    replays: bool,
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(error) => {
            println!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    match options.one {
        _ if options.replays => replay(&options),
        Some(seed) => tell(seed, options.tells),
        None => many(&options),
    }
}

fn options() -> Result<Options, lexopt::Error> {
    let mut options = Options { first: 0, seeds: 300, minutes: None, one: None, tells: false, replays: false };
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        match arg {
            Long("seeds") => options.seeds = args.value()?.parse()?,
            Long("from") => options.first = args.value()?.parse()?,
            Long("minutes") => options.minutes = Some(args.value()?.parse()?),
            Long("seed") => options.one = Some(args.value()?.parse()?),
            Long("trace") => options.tells = true,
            Long("replay") => options.replays = true,
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(options)
}

/// Runs one seed, and makes it smaller if it fails.
fn tell(seed: u64, tells: bool) -> ExitCode {
    let plan = Plan::of(seed);
    let report = run(seed, &plan, tells);
    println!("{plan:#?}");
    for line in &report.story {
        println!("{line}");
    }
    say(seed, &report);
    if report.problems.is_empty() {
        return ExitCode::SUCCESS;
    }
    let (smaller, left_out) = shrink(seed, &plan);
    println!("It still fails with less: {}. {smaller:#?}", left_out.join(", "));
    let report = run(seed, &smaller, tells);
    for line in &report.story {
        println!("{line}");
    }
    say(seed, &report);
    ExitCode::FAILURE
}

/// Records seeds without faults, and asks another host the same.
fn replay(options: &Options) -> ExitCode {
    let seeds = options.one.map_or(options.first..options.first + options.seeds, |seed| seed..seed + 1);
    let replayed = replay::over(seeds);
    for (seed, wrong) in &replayed.wrong {
        println!("seed {seed} fails at commit {}: {wrong}", commit());
    }
    println!("{replayed}");
    if replayed.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn say(seed: u64, report: &Report) {
    println!("seed {seed}: {} events, {:?} of virtual time", report.events, report.lasted);
    if !report.story.is_empty() {
        println!("its story has the hash {:016x}", report.hash);
    }
    for problem in &report.problems {
        println!("WRONG {problem}");
    }
}

fn many(options: &Options) -> ExitCode {
    let most = options.minutes.map(|minutes| Duration::from_secs(minutes * 60));
    let seeds = options.first..options.first + options.seeds;
    let told = |seed: u64, report: &Report| {
        if !report.problems.is_empty() {
            println!("seed {seed} fails at commit {}: cargo xtask sim --seed {seed} --trace", commit());
            say(seed, report);
        }
    };
    let (sums, took) = over(seeds, most, &told, &|sums, took| println!("{}", sums.progress(took)));
    println!("{}", sums.said(took));
    if sums.seeds < options.seeds {
        println!("--from {} goes on", options.first + sums.seeds);
    }
    if sums.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
