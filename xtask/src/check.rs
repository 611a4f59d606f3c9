//! `cargo xtask test`: the steps of [`STEPS`] one after the other, up to the first that fails.

use std::time::Instant;

use lexopt::Arg;

use crate::build::Profile;
use crate::failure::{Failure, Result};
use crate::paths::Paths;
use crate::say;
use crate::steps::{STEPS, Step};

/// The command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    let mut names = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("list") => {
                list();
                return Ok(());
            }
            Arg::Long("dev") => paths.profile = Profile::Development,
            Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().into()),
        }
    }
    check_names(&names)?;
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    run(&paths, &mut STEPS.iter().filter(chosen))
}

fn run(paths: &Paths, steps: &mut dyn Iterator<Item = &Step>) -> Result {
    let mut passed = 0_usize;
    for step in steps {
        say::out(&format!("\n== {}: {}", step.name, step.what));
        let start = Instant::now();
        let result = (step.run)(paths);
        let seconds = start.elapsed().as_secs_f32();
        match result {
            Ok(()) => {
                say::out(&format!("== {} passed in {seconds:.1} s", step.name));
                passed = passed.saturating_add(1);
            }
            Err(Failure::Message(message)) => {
                say::out(&format!(
                    "== {} FAILED after {seconds:.1} s\n\n{passed} passed, 1 failed",
                    step.name
                ));
                return Err(format!(
                    "step {} failed: {message}\nonce mended, `cargo xtask test {}` runs just this step",
                    step.name, step.name
                )
                .into());
            }
            signal => return signal,
        }
    }
    say::out(&format!("\n{passed} passed, 0 failed"));
    Ok(())
}

fn list() {
    for step in STEPS {
        say::out(&format!("{:12}{}", step.name, step.what));
    }
}

fn check_names(names: &[String]) -> Result {
    match names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        Some(unknown) => {
            Err(format!("there is no step {unknown}; `cargo xtask test --list` shows them").into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{STEPS, check_names};

    #[test]
    fn every_step_can_be_named_and_nothing_else() {
        let names: Vec<String> = STEPS.iter().map(|step| step.name.to_owned()).collect();
        assert!(check_names(&names).is_ok());
        assert!(check_names(&["frobnicate".to_owned()]).is_err());
    }
}
