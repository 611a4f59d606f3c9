//! The console's sizes, which console/build.mjs writes, and their budgets.

use std::fs;

use serde_json::{Value, json};

use crate::build::Profile;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::say;

/// A size of the console in gzipped bytes.
struct Budget {
    /// Its name in build/console.json.
    name: &'static str,
    what: &'static str,
    /// What it should be at most.
    goal: u64,
    /// What it may be at most.
    bound: u64,
}

/// Only the page of the remittances loads it. The module is small only for production.
const REMIT: &str = "remit";

/// docs/PERFORMANCE.md has the same figures.
const BUDGETS: [Budget; 5] = [
    Budget { name: "first", what: "scripts of the first load", goal: 60_000, bound: 75_000 },
    Budget { name: "largest", what: "largest script", goal: 45_000, bound: 45_000 },
    Budget { name: "all", what: "all scripts", goal: 130_000, bound: 140_000 },
    Budget { name: "css", what: "styles", goal: 12_000, bound: 12_000 },
    Budget { name: REMIT, what: "worker of the remittances with its module", goal: 220_000, bound: 262_000 },
];

/// The sizes that were built, in the order of the budgets.
fn built(paths: &Paths) -> Result<[(Budget, u64); 5]> {
    let file = paths.build().join("console.json");
    let unreadable = || format!("cannot read {}", file.display());
    let sizes = fs::read_to_string(&file).context(unreadable)?;
    let sizes: Value = serde_json::from_str(&sizes).context(unreadable)?;
    let size = |name| sizes.get(name).and_then(Value::as_u64);
    if let Some(missing) = BUDGETS.iter().find(|budget| size(budget.name).is_none()) {
        return Err(format!("{} has no {}", file.display(), missing.name).into());
    }
    Ok(BUDGETS.map(|budget| {
        let size = size(budget.name).unwrap_or_default();
        (budget, size)
    }))
}

/// Fails if a size is above its bound.
pub(super) fn check(paths: &Paths) -> Result {
    for (Budget { name, what, bound, .. }, size) in built(paths)? {
        let is_bound = name != REMIT || paths.profile == Profile::Release;
        if size > bound && is_bound {
            return Err(format!(
                "the {what} of the console have {size} gzipped bytes, and may have {bound}: load a screen or a library later"
            )
            .into());
        }
        say::out(&format!("{what}: {size} gzipped bytes"));
    }
    Ok(())
}

/// The sizes and the goals as JSON, for the table of the benchmark.
pub(super) fn table(paths: &Paths) -> Result<String> {
    let rows = built(paths)?.map(|(Budget { what, goal, .. }, size)| json!([what, size, goal]));
    Ok(json!(rows).to_string())
}
