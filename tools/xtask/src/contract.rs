//! Checks the service against its served descriptions. docs/openapi.yaml and docs/api say what is allowed, and
//! tests/contract/ what is tried.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use crate::demo::Demo;
use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::run;
use crate::serve::{self, Server, Serving};
use crate::state::{Host, State};
use crate::{assets, build, clients, python, say, secrets, sim};

/// A run of the checker, as tests/contract/hooks.py knows it: its configuration, the practice and the label of the demo key,
/// the operation to try if it is not both, and the status and code that every call must get.
type Run = (&'static str, [&'static str; 2], Option<&'static str>, &'static str);

const OPEN: Run = ("schemathesis", ["active", "full"], None, "");
const LIMITED: Run = ("limited", ["active", "full"], None, "");
const REFUSED: [Run; 6] = [
    ("refused", ["no_baa", "full"], None, "403 baa_required"),
    ("refused", ["inactive", "full"], None, "403"),
    ("refused", ["active", "read"], Some("sendClaims"), "403"),
    ("refused", ["active", "write"], Some("readClaimStatus"), "403"),
    ("refused", ["active", "expired"], None, "401"),
    ("refused", ["active", "revoked"], None, "401"),
];

/// The callers of a practice, as in tests/contract/accounts.py, and what each tries. The owner comes last, because the owner's
/// calls may remove the others.
const OF_PRACTICE: [(&str, &[&str]); 4] = [
    ("token", &[BRIEFLY, FEW]),
    ("member", &[BRIEFLY, FEW]),
    ("owner", &[BRIEFLY, FEW, "--include-path-regex", OF_STAFF]),
    ("owner", &["--exclude-path-regex", OF_STAFF]),
];
/// The other callers. They work on the claims that were sent before.
const OTHERS: [(&str, &[&str]); 3] = [
    ("nobody", &[BRIEFLY, FEW]),
    ("staff", &["--include-path-regex", WITH_STAFF]),
    ("staff", &[BRIEFLY, FEW, "--exclude-path-regex", WITH_STAFF]),
];
/// Not every limit of every field: these calls are refused whatever they say, or the owner tries the limits.
const BRIEFLY: &str = "--phases=examples,fuzzing";
/// Few bodies, for the same reason: the owner tries those that accounts.toml asks for.
const FEW: &str = "--max-examples=2";
/// The paths of the staff alone.
const OF_STAFF: &str = "^/api/v1/staff/";
/// Those, and the paths on which staff name a practice.
const WITH_STAFF: &str = "^/api/v1/(staff|documents)";
/// Reads under the limits of production, whose headers report the limits.
const COUNTED: (&str, &[&str]) = ("limited", &["--phases=examples", "--include-method=GET"]);

/// Checks the service without limits and with those of production. One service is for the callers of a practice, and one
/// for the others, so that they can call at the same time and do not disturb each other.
pub(crate) fn check(paths: &Paths) -> Result {
    build::service(paths)?;
    secrets::ensure(paths)?;
    // Without a scanner, documents are available at once. Nothing outside is asked for keys.
    let open = json!({ "LIMITS": "unlimited", "SCANNER": "none", "GITHUB_KEYS": "http://127.0.0.1:9/keys" });
    let of_practice = || {
        serve_and_try(paths, "practice", &open, |served| {
            clients::check(paths, &served.base_url, &served.state.demo())?;
            let callers = OF_PRACTICE.iter();
            callers.copied().try_for_each(|caller| served.try_accounts(caller))?;
            served.try_on_purpose()
        })
    };
    let of_staff = || {
        serve_and_try(paths, "staff", &open, |served| {
            served.try_claims(&OPEN)?;
            let callers = OTHERS.iter();
            callers.copied().try_for_each(|caller| served.try_accounts(caller))
        })?;
        limits(paths)
    };
    // Both install what is missing, so one does it before.
    python::program(paths, "python")?;
    both(of_practice, of_staff)
}

/// Compares the answers of workerd and the native program over all operations.
pub(crate) fn compare_hosts(paths: &Paths) -> Result {
    [Host::Workerd, Host::Native].into_iter().try_for_each(|host| build::service(&paths.on(host)))?;
    secrets::ensure(paths)?;
    let vars = json!({ "LIMITS": "unlimited", "SCANNER": "none" });
    serve_and_try(&paths.on(Host::Workerd), "workerd", &vars, |one| {
        serve_and_try(&paths.on(Host::Native), "native", &vars, |other| {
            let mut command = paths.command(paths.node());
            command.arg("tests/contract/both_hosts.mjs").args([one.state.demo(), other.state.demo()]);
            run::run(&mut command)
        })
    })?;
    sim::check_hosts(paths)
}

/// Tries the limits of production.
fn limits(paths: &Paths) -> Result {
    serve_and_try(paths, "limited", &json!({}), |served| {
        served.try_claims(&LIMITED)?;
        let (some, others) = REFUSED.split_at(REFUSED.len() / 2);
        both(
            || some.iter().try_for_each(|run| served.try_claims(run)),
            || others.iter().try_for_each(|run| served.try_claims(run)),
        )?;
        served.try_accounts(COUNTED)
    })
}

/// Runs two independent checks in parallel: a checker spends half of its time waiting for the service.
fn both(one: impl FnOnce() -> Result + Send, other: impl FnOnce() -> Result) -> Result {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        // The thread has printed why it panicked.
        let one = one.join().map_err(|_| "a checker panicked")?;
        match (one, other) {
            (Err(CommandError::Message(one)), Err(CommandError::Message(other))) => {
                Err(format!("{one}\n\n{other}").into())
            }
            (one, other) => one.and(other),
        }
    })
}

/// The descriptions are read without warnings, and their examples match their schemas. This needs no server.
pub(crate) fn check_examples(paths: &Paths) -> Result {
    let descriptions = paths.root.join("target/contract/descriptions");
    assets::write(paths, &descriptions)?;
    clients::lint(paths, &descriptions)?;
    let mut command = python::program(paths, "python")?;
    command.arg("tests/contract/examples.py").arg(&descriptions);
    let printed = run::output(&mut command)?;
    say::out(printed.trim());
    Ok(())
}

pub(crate) fn serve_and_try(
    paths: &Paths,
    name: &str,
    vars: &Value,
    attempt: impl FnOnce(&Served<'_>) -> Result,
) -> Result {
    let folder = paths.root.join("target/contract").join(name);
    let state = State::open_on(paths.host, &folder, true)?;
    state.migrate(paths)?;
    let port = serve::free_port()?;
    let base_url = format!("http://127.0.0.1:{port}");
    Demo::ensure(paths, &state, &base_url, vars)?;
    let demo = fs::read_to_string(state.demo()).context(|| format!("cannot read {}", state.demo().display()))?;
    let demo: Value = serde_json::from_str(&demo).context(|| "the demo data".to_owned())?;
    // Thousands of lines would bury the results.
    let log = folder.with_extension("log");
    let unwritable = || format!("cannot write {}", log.display());
    let mut lines = BufWriter::new(File::create(&log).context(unwritable)?);
    let write = move |line: &str| drop(writeln!(lines, "{line}"));
    let server = Server::start_logging(paths, &state, port, vars, Serving::Service, write)?;
    attempt(&Served { paths, state: &state, demo, base_url })?;
    server.stop()
}

/// A service with demo data.
pub(crate) struct Served<'a> {
    paths: &'a Paths,
    state: &'a State,
    demo: Value,
    base_url: String,
}

impl Served<'_> {
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(crate) fn demo_path(&self) -> PathBuf {
        self.state.demo()
    }

    fn try_claims(&self, (config, [practice, label], only, refusal): &Run) -> Result {
        let key = self.demo.pointer(&format!("/practices/{practice}/keys/{label}")).and_then(Value::as_str);
        let key = key.ok_or_else(|| format!("demo.json has no key {practice}/{label}"))?;
        let mut command = self.checker(config, "openapi.json")?;
        command.args(only.map(|operation| format!("--include-operation-id={operation}"))).env("CONTRACT_KEY", key);
        command.env("CONTRACT_RUN", if *config == "schemathesis" { "open" } else { config });
        if !refusal.is_empty() {
            command.env("CONTRACT_REFUSAL", refusal);
        }
        report(command, &format!("{practice}/{label}, {config}"))
    }

    fn try_accounts(&self, (caller, args): (&str, &[&str])) -> Result {
        let mut command = self.checker("accounts", "openapi/accounts.json")?;
        command.args(args).env("CONTRACT_DEMO", self.state.demo()).env("CONTRACT_RUN", caller);
        report(command, &format!("accounts, {caller}"))
    }

    /// Calls that random input cannot reach or must not make.
    fn try_on_purpose(&self) -> Result {
        let mut command = python::program(self.paths, "python")?;
        self.prepare(&mut command).arg("tests/contract/deliberate.py").env("CONTRACT_DEMO", self.state.demo());
        let printed = run::output(&mut command)?;
        say::out(&format!("accounts, {}", printed.trim()));
        Ok(())
    }

    /// The checker's command for one of the served descriptions.
    fn checker(&self, config: &str, description: &str) -> Result<Command> {
        let mut command = python::program(self.paths, "schemathesis")?;
        self.prepare(&mut command)
            .arg(format!("--config-file=tests/contract/{config}.toml"))
            .arg("run")
            .arg(format!("{}/api/v1/{description}", self.base_url))
            .arg("--no-color");
        Ok(command)
    }

    fn prepare<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("PYTHONPATH", "tests/contract")
            // Without this, both tools leave folders among the sources.
            .env("HYPOTHESIS_STORAGE_DIRECTORY", self.paths.root.join("target/contract/hypothesis"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
    }
}

fn report(mut command: Command, what: &str) -> Result {
    let printed = run::output(&mut command)?;
    let cases = printed.lines().find(|line| line.contains(" generated"));
    let cases = cases.ok_or("the checker tried nothing")?.trim();
    say::out(&format!("{what}: {cases}"));
    Ok(())
}
