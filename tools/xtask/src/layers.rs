//! Checks that the files of `core`, `payer`, `remit`, `service` and `service/content` use only modules below them.
//!
//! An arrow is a path in the code of one file that names another file of the crate. Test code is skipped. Arrows must
//! not form a circle. An arrow between two top-level modules must lead from a higher floor of [`FLOORS`] to a lower
//! one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::error::{Context as _, Result};
use crate::paths::Paths;

/// The layers of a crate, the lowest first. A module may use itself and lower layers, but not another module of its own
/// floor.
type Floors = &'static [&'static [&'static str]];

/// The top-level modules of each crate, on their floors. A crate without floors must only have no circle.
const FLOORS: &[(&str, Floors)] = &[
    ("core", &[&["base"], &["request"], &["identity", "claims"], &["webhooks"]]),
    (
        "service",
        &[
            &["request"],
            &["auth"],
            &["plan"],
            &["trail"],
            &["store"],
            &["cookies", "in_words", "memory", "password", "shown_once", "sql"],
            &["host"],
            &["config"],
            &["platform", "response", "sqlite", "trace"],
            &["console", "error", "html", "kv", "recent", "reused_timer"],
            &["assets", "identity", "mail", "multipart", "rate_limiter", "shape"],
            &["app"],
            &["bucket", "db", "fetch", "request_body", "scanner"],
            &["call", "jobs", "key_sets"],
            &["extract", "hashing", "ip_ban"],
            &["head"],
            &["sign_in_limits"],
            &["pipeline"],
            &["prelude"],
            &["claim_changes", "directory"],
            &["accounts", "moving"],
            &["claims", "settings", "signing", "work", "webhooks", "documents", "summaries", "leaks"],
            &["operator", "sandbox", "sso"],
            &["operations"],
            &["router"],
            &["service"],
            &["http"],
        ],
    ),
    ("service/content", &[]),
    ("payer", &[]),
    ("remit", &[]),
];

/// The arrows of a crate: each module with the modules that it uses. A module is named by its path in the crate.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Fails if a crate has a circle or an arrow that leads up.
pub(crate) fn check(paths: &Paths) -> Result {
    let mut problems = Vec::new();
    for (name, floors) in FLOORS {
        let arrows = arrows(&paths.root.join(name).join("src"))?;
        let circles = circles(&arrows).into_iter();
        let circles = circles.map(|files| format!("has a circle: {}", files.join(", ")));
        let found = upward(&arrows, floors).into_iter().chain(circles);
        problems.extend(found.map(|problem| format!("{name}: {problem}")));
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(problems.join("\n").into())
}

fn arrows(root: &Path) -> Result<Arrows> {
    let mut sources = BTreeMap::new();
    read(root, "", &mut sources)?;
    let modules: BTreeSet<String> = sources.keys().cloned().collect();
    let arrows = sources.iter().map(|(module, source)| {
        let used = used(module, source, &modules);
        (module.clone(), used)
    });
    Ok(arrows.collect())
}

/// Reads every file that is not test code, by the path of its module.
fn read(folder: &Path, module: &str, sources: &mut BTreeMap<String, String>) -> Result {
    let reading = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).context(reading)? {
        let path = entry.context(reading)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let child = join(module, &name);
        if matches!(&*name, "tests" | "testing") {
            continue;
        }
        if path.is_dir() {
            read(&path, &child, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = match &*name {
                "lib" | "mod" => module.to_owned(),
                _ => child,
            };
            let source = fs::read_to_string(&path).context(reading)?;
            sources.insert(module, source);
        }
    }
    Ok(())
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

/// The modules that a source file names. A path in the braces of a `use` goes on from the path before them.
fn used(module: &str, source: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let code = code(source);
    let in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let (mut used, mut rest) = (BTreeSet::new(), code.as_str());
    let (mut in_use, mut prefix, mut outer) = (false, String::new(), Vec::new());
    while let Some(end) = rest.find(|c| !in_path(c)) {
        let before = code.strip_suffix(rest).unwrap_or_default().trim_end();
        let (word, behind) = rest.split_at(end);
        let sign = behind.chars().next().unwrap_or_default();
        rest = behind.get(sign.len_utf8()..).unwrap_or_default();
        let path = format!("{prefix}{word}");
        // `$crate::name!` leads to an exported macro, not to `lib.rs`.
        let is_macro = sign == '!' && path.starts_with("crate::") && path.matches("::").count() == 1;
        // `pub(super)` is not a path to a module.
        let is_path = (in_use || path.contains("::")) && word != "as" && !before.ends_with(" as");
        if is_path && !word.is_empty() && sign != '{' && !is_macro {
            used.extend(resolve(module, &path, in_use, modules));
        }
        // Texts have the word as well.
        let is_item = before.is_empty() || before.ends_with([';', '{', '}', ')', ']']) || before.ends_with("pub");
        in_use = (in_use || word == "use" && is_item) && sign != ';';
        match sign {
            '{' => outer.push(std::mem::replace(&mut prefix, if in_use { path } else { String::new() })),
            '}' => prefix = outer.pop().unwrap_or_default(),
            _ => {}
        }
    }
    used.remove(module);
    used
}

/// The code without tests and comments.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("mod ") && line.ends_with("tests {") {
            // Lines inside a test module are indented.
            let _tests = lines.find(|line| *line == "}");
            continue;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    code
}

/// The module that a path leads to: the longest prefix that names a module, or else `lib.rs`. Only in a `use` may the
/// path begin with a child of the module.
fn resolve(module: &str, path: &str, in_use: bool, modules: &BTreeSet<String>) -> Option<String> {
    let mut names = path.split("::").peekable();
    let mut at: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    match names.peek()? {
        &"crate" => {
            at.clear();
            names.next();
        }
        &"self" => {
            names.next();
        }
        &"super" => {
            while names.next_if_eq(&"super").is_some() {
                at.pop();
            }
        }
        child if in_use && modules.contains(&join(module, child)) => {}
        _ => return None,
    }
    at.extend(names);
    (0..=at.len()).rev().filter_map(|length| Some(at.get(..length)?.join("::"))).find(|path| modules.contains(path))
}

fn floor(module: &str, floors: Floors) -> Option<usize> {
    let top = module.split("::").next().unwrap_or_default();
    floors.iter().position(|floor| floor.contains(&top))
}

/// The arrows between top-level modules that do not lead down.
fn upward(arrows: &Arrows, floors: Floors) -> Vec<String> {
    let top = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let mut problems = Vec::new();
    for (from, used) in arrows.iter().filter(|(from, _)| !from.is_empty() && !floors.is_empty()) {
        let Some(above) = floor(from, floors) else {
            problems.push(format!("{from} has no floor in tools/xtask/src/layers.rs"));
            continue;
        };
        for to in used.iter().filter(|to| top(to) != top(from)) {
            if floor(to, floors).is_none_or(|below| below >= above) {
                let to = if to.is_empty() { "lib.rs" } else { to };
                problems.push(format!("{from} uses {to}, which is not below it"));
            }
        }
    }
    problems
}

/// Every module that can be reached from a module.
fn reached<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        let used = arrows.get(at).into_iter().flatten();
        next.extend(used.map(String::as_str).filter(|to| reached.insert(*to)));
    }
    reached
}

/// The groups of modules that lead back to each other.
fn circles(arrows: &Arrows) -> Vec<Vec<&str>> {
    let all: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|module| (&**module, reached(arrows, module))).collect();
    let leads = |from: &str, to: &str| all.get(from).is_some_and(|reached| reached.contains(to));
    let in_circle = all.keys().filter(|module| leads(module, module));
    let groups: BTreeSet<Vec<&str>> = in_circle
        .map(|one| {
            let others = all.keys().copied();
            others.filter(|other| leads(one, other) && leads(other, one)).collect()
        })
        .collect();
    groups.into_iter().collect()
}

#[cfg(test)]
mod tests;
