//! The identity providers of `cargo xtask dev --sso` (tools/dev/providers).

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};

use serde_json::{Value, json};

use crate::demo::Demo;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::run::{self, Process};
use crate::state::State;
use crate::{npm, operator};

/// Both providers. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Providers {
    /// Closing this pipe ends the providers, even if this process is killed.
    _alive: Option<ChildStdin>,
    _process: Process,
    facts: Value,
}

impl Providers {
    /// Starts them with the people of the demo practice and one who has no account. Their keys and ports are in the state
    /// folder, because the database knows them.
    pub(crate) fn start(paths: &Paths, state: &State, demo: &Demo) -> Result<Self> {
        Self::run(paths, state, demo, &[])
    }

    /// The same with the entrance for tests, which adds people.
    pub(crate) fn start_for_tests(paths: &Paths, state: &State, demo: &Demo) -> Result<Self> {
        Self::run(paths, state, demo, &["--tests"])
    }

    fn run(paths: &Paths, state: &State, demo: &Demo, options: &[&str]) -> Result<Self> {
        npm::ensure(paths, &npm::PROVIDERS)?;
        let mut command = paths.wrangler_command("node");
        command
            .args(["tools/dev/providers/main.mjs", "--dns", "--keep"])
            .arg(state.folder.join("providers.json"))
            .args(options)
            .env("OVERTURN_PEOPLE", people(demo).to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = Process::start(&mut command)?;
        let alive = process.stdin();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout().ok_or("the providers have no output")?);
        output.read_line(&mut line).context(|| "cannot read from the providers".to_owned())?;
        // The reason is on standard error.
        let facts = serde_json::from_str(&line).context(|| "the providers did not start".to_owned())?;
        Ok(Self { _alive: alive, _process: process, facts })
    }

    /// The origin of the OpenID provider.
    pub(crate) fn issuer(&self) -> &str {
        let issuer = self.facts.pointer("/oidc/issuer").and_then(Value::as_str);
        issuer.unwrap_or_default()
    }

    /// Adds the variables and secrets that make the service use them.
    pub(crate) fn configure(&self, vars: &mut Value) {
        let own = self.facts.get("vars").and_then(Value::as_object);
        if let (Some(vars), Some(own)) = (vars.as_object_mut(), own) {
            vars.extend(own.clone());
        }
    }

    /// Makes the demo practice trust the SAML provider and verifies its mail domain, once for each state, as its owner
    /// would in the settings.
    pub(crate) fn add_to_practice(&self, paths: &Paths, state: &State, demo: &mut Demo) -> Result {
        let done = done(state);
        if !done.exists() {
            let text = |pointer: &str| self.facts.pointer(pointer).and_then(Value::as_str);
            let secret = demo.text("/users/owner/totp_secret");
            let mut command = paths.wrangler_command("node");
            command
                .arg("tools/dev/sso.mjs")
                .args([state.demo(), done.clone()])
                .env("CODE", operator::code_of(paths, secret)?)
                .env("METADATA", text("/saml/metadata").unwrap_or_default())
                .env("RECORDS", text("/dns/records").unwrap_or_default());
            run::run(&mut command)?;
        }
        demo.add_sign_ins(state, &done)
    }
}

fn done(state: &State) -> PathBuf {
    state.folder.join("demo-sso.json")
}

/// The people who can sign in. The provider knows the addresses of the demo practice.
fn people(demo: &Demo) -> Value {
    let known = ["owner", "admin", "member"].map(|label| {
        let email = demo.text(&format!("/users/{label}/email"));
        json!({ "id": label, "name": format!("The {label}"), "email": email })
    });
    let domain = known.first().and_then(|owner| owner.get("email")?.as_str()?.split('@').next_back());
    let address = format!("new.person@{}", domain.unwrap_or("cedar-hill.example"));
    let new = json!({ "id": "new", "name": "A person without an account", "email": address });
    known.into_iter().chain([new]).collect()
}
