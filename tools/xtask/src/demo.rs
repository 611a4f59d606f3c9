//! The demo data of a state folder. It is loaded once, and its keys are kept in demo.json beside the database.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::state::State;
use crate::{operator, run, say, secrets};

/// The content of demo.json: the demo data and the service's address.
#[derive(Debug)]
pub(crate) struct Demo(Value);

impl Demo {
    /// Loads the demo data unless the folder has it, and saves `base_url` in either case. `vars` override .dev.vars.
    pub(crate) fn ensure(paths: &Paths, state: &State, base_url: &str, vars: &Value) -> Result<Self> {
        let data = match loaded(state) {
            Some(data) => data,
            None => load(paths, state, vars)?,
        };
        let part = |name: &str| data.get(name).cloned().unwrap_or_default();
        let demo = json!({
            "base_url": base_url,
            "practices": part("practices"),
            "users": part("users"),
        });
        let demo = Self(demo);
        demo.save(state)?;
        Ok(demo)
    }

    fn save(&self, state: &State) -> Result {
        // A rename, so that no reader finds half of the file.
        let new = state.folder.join("demo.json.new");
        write_private(&new, &format!("{:#}\n", self.0))?;
        fs::rename(&new, state.demo()).context(|| format!("cannot write {}", state.demo().display()))
    }

    /// A text of demo.json; empty if it has none.
    pub(crate) fn text(&self, pointer: &str) -> &str {
        let text = self.0.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default()
    }

    /// Adds the addresses at which people sign in by the demo providers. `added` has the SAML provider of the practice.
    pub(crate) fn add_sign_ins(&mut self, state: &State, added: &Path) -> Result {
        let unreadable = || format!("cannot read {}", added.display());
        let provider = fs::read_to_string(added).context(unreadable)?;
        let provider: Value = serde_json::from_str(&provider).context(unreadable)?;
        let id = provider.get("id").and_then(Value::as_str);
        let id = id.ok_or_else(unreadable)?;
        let url = self.text("/base_url");
        let sign_ins = json!({
            "oidc": format!("{url}/api/v1/auth/oauth/demo"),
            "saml": format!("{url}/api/v1/auth/saml/{id}"),
        });
        if let Some(demo) = self.0.as_object_mut() {
            demo.insert("sso".to_owned(), sign_ins);
        }
        self.save(state)
    }

    /// Fills two of the practices with claims in every state, once for each state folder. No service may be running.
    /// `vars` override .dev.vars.
    pub(crate) fn ensure_history(&self, paths: &Paths, state: &State, vars: &Value) -> Result {
        let done = history_of(state);
        if done.exists() {
            return Ok(());
        }
        let keys = secrets::read(paths, vars, operator::KEYS)?;
        let mut command = operator::program(paths)?;
        command.arg("history").arg(state.demo()).args(state.databases()?);
        run::output(command.env(operator::KEYS, keys))?;
        write_private(&done, "")
    }

    /// Uploads the demo documents to the running service, once for each state. Those of the demo claims come with them.
    pub(crate) fn upload_documents(&self, paths: &Paths, state: &State) -> Result {
        let done = state.folder.join("demo-documents.json");
        if done.exists() {
            return Ok(());
        }
        let mut command = paths.wrangler_command("node");
        command.arg("tools/dev/documents.mjs").arg(state.demo()).arg(done);
        if history_of(state).exists() {
            command.arg("history");
        }
        run::run(&mut command)
    }

    /// The demo key, where mail goes, and commands to paste.
    pub(crate) fn introduction(&self, state: &State) -> String {
        let text = |pointer: &str| self.text(pointer);
        let (url, key) = (text("/base_url"), text("/practices/active/keys/full"));
        format!(
            "Overturn listens on {url}
demo key: {key} (more in demo.json)
mail is not sent but shown here, and kept in {mail}

send a claim:
curl -sS {url}/api/v1/claims -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d '{claim}'

read its status:
curl -sS '{url}/api/v1/claims/status?claim_number=RECOVER-1' -H 'Authorization: Bearer {key}'
{sso}",
            claim = sample(),
            sso = self.sso(),
            mail = state.mail().display(),
        )
    }

    /// The addresses of the demo providers, if there are any.
    fn sso(&self) -> String {
        match (self.text("/sso/oidc"), self.text("/sso/saml")) {
            ("", _) => String::new(),
            (oidc, saml) => format!(
                "
sign in by a provider, in a browser:
{oidc}  (OpenID Connect)
{saml}  (SAML, of the demo practice)
"
            ),
        }
    }
}

/// The claim of the quick start.
fn sample() -> &'static str {
    let behind = include_str!("../../../clients/examples/send.sh").split_once("-d '");
    behind.and_then(|(_, body)| body.split_once('\'')).map_or("", |(body, _)| body)
}

/// The content of demo.json, if it is complete and its database still exists.
fn loaded(state: &State) -> Option<Value> {
    let demo = fs::read_to_string(state.demo()).ok()?;
    let demo: Value = serde_json::from_str(&demo).ok()?;
    let has = |pointer: String| demo.pointer(&pointer).is_some_and(Value::is_string);
    let practices = ["active", "other", "no_baa", "inactive"];
    let users = ["owner", "admin", "member", "staff"];
    let complete = practices.iter().all(|label| has(format!("/practices/{label}/keys/full")))
        && users.iter().all(|label| has(format!("/users/{label}/totp_secret")));
    if complete && state.had_database {
        return Some(demo);
    }
    if state.had_database {
        say::err("no complete demo.json beside the database: adding fresh demo data to what is in it");
    }
    None
}

/// The file that says that a state folder has the demo claims.
fn history_of(state: &State) -> PathBuf {
    state.folder.join("demo-history")
}

/// Makes new practices and people with the service's own code and inserts them into the database.
fn load(paths: &Paths, state: &State, vars: &Value) -> Result<Value> {
    let keys = secrets::read(paths, vars, operator::KEYS)?;
    let mut command = operator::program(paths)?;
    let printed = run::output(command.arg("demo").arg(state.cells.to_string()).env(operator::KEYS, keys))?;
    let data: Value = serde_json::from_str(&printed).context(|| "the demo data".to_owned())?;
    let sql = |name: &str| data.get(name).and_then(Value::as_str);
    insert(paths, state, 0, sql("sql").ok_or("the demo data has no sql")?)?;
    if let Some(sql) = sql("second") {
        insert(paths, state, 1, sql)?;
    }
    Ok(data)
}

fn insert(paths: &Paths, state: &State, cell: u16, sql: &str) -> Result {
    let file = state.folder.join("demo.sql");
    write_private(&file, sql)?;
    let inserted = state.execute(paths, cell, &file);
    fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
    inserted
}

fn write_private(path: &Path, text: &str) -> Result {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_quick_start_has_a_claim_to_paste() {
        let claim: serde_json::Value = serde_json::from_str(super::sample()).unwrap();
        assert_eq!(claim["claim"]["claim_number"], "RECOVER-1");
    }
}
