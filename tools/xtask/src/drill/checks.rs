//! The checks of a restored copy.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use data_encoding::BASE64;
use serde_json::{Map, Value, json};

use crate::backup::{self, Private, Source};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::serve::{self, Server, Serving};
use crate::state::State;
use crate::{operator, run, secrets};

use super::rows::Rows;
use super::sending::Sent;

/// The operator token of the copy. Only this machine can reach the copy.
const TOKEN: &str = "OPERATOR_TOKEN";
/// The key version that the check re-seals with: higher than any version in use.
const NEW: u32 = 4_000_000_000;
/// Counts rows that must not increase when a claim is sent again.
const COUNT: &str = "SELECT (SELECT count(*) FROM claims) + (SELECT count(*) FROM claim_events) \
                     + (SELECT count(*) FROM submissions) AS n";

/// A restored database.
pub(crate) struct Copy<'a> {
    pub(crate) paths: &'a Paths,
    pub(crate) private: &'a Private,
    pub(crate) state: State,
    /// The sealing keys at the time of the backup.
    pub(crate) keys: String,
}

/// The row counts of a copy.
pub(crate) struct Counted {
    rows: usize,
    /// The rows of each table, as text.
    pub(crate) tables: String,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows", self.rows)
    }
}

impl<'a> Copy<'a> {
    /// Exports the copy and compares it with what was restored: schema and rows, byte by byte.
    pub(crate) fn rows(&self, backup: &std::path::Path, identity: Option<&str>) -> Result<Counted> {
        let again = self.private.file("again.sql.age");
        let (own, recipient) = backup::keygen(self.paths)?;
        let source = Source::Local(self.state.folder.clone());
        backup::write(self.paths, (&source, 0), self.private, &again, Some(&recipient))?;
        let open =
            |file: &std::path::Path, identity| Rows::take(&backup::decrypt(self.paths, file, self.private, identity)?);
        let (before, after) = (open(backup, identity)?, open(&again, Some(&own))?);
        if before != after {
            return Err(format!(
                "the copy is not what was restored; tables with another number of rows: {}",
                before.differing(&after).join(", ")
            )
            .into());
        }
        let tables = before.tables.iter();
        let tables: Vec<String> = tables.map(|(table, count)| format!("{table} {count}")).collect();
        Ok(Counted { rows: before.tables.values().sum(), tables: format!("rows: {}", tables.join(", ")) })
    }

    /// Copies the copy, for a check that changes it.
    pub(crate) fn another(&self, name: &str) -> Result<Self> {
        let folder = self.private.file(name);
        run::run(self.paths.command("cp").arg("-r").args([&self.state.folder, &folder]))?;
        Ok(Self {
            paths: self.paths,
            private: self.private,
            state: State::open(&folder, false)?,
            keys: self.keys.clone(),
        })
    }

    /// Reads up to `most` claims over HTTP, each with a key of its practice, and sends the drill's own claims again.
    pub(crate) fn answers(&self, most: u32, sent: &Sent) -> Result<String> {
        let first = sent.claims.pointer("/0/id").and_then(Value::as_str);
        let mut found = self.query(&format!(
            "SELECT id, state = 'active' AND EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id \
             AND a.kind = 'baa' AND a.ended_at IS NULL) AS is_served FROM practices p; \
             SELECT practice_id, claim_number, status FROM claims ORDER BY random() LIMIT {most}; \
             SELECT practice_id FROM claims WHERE id = '{}'; {COUNT}",
            first.unwrap_or_default()
        ))?;
        let (before, sender) = (found.pop(), found.pop().unwrap_or_default());
        let (claims, practices) = (found.pop().unwrap_or_default(), found.pop().unwrap_or_default());
        let keys = self.mint(&practices)?;
        let text = |row: &Value, name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let of = |id: &str| -> Vec<Value> {
            let mine = claims.iter().filter(|claim| text(claim, "practice_id") == id);
            mine.map(|claim| json!([text(claim, "claim_number"), text(claim, "status")])).collect()
        };
        let plan: Vec<Value> = practices
            .iter()
            .map(|practice| {
                let id = text(practice, "id");
                let is_served = practice.get("is_served") == Some(&json!(1));
                json!({ "id": id, "key": keys.get(&id), "is_served": is_served, "claims": of(&id) })
            })
            .collect();
        let key = sender.first().and_then(|row| keys.get(&text(row, "practice_id")));
        let (server, url) = serve(self.paths, &self.state, &self.vars(&self.keys))?;
        let plan = json!({ "practices": plan, "sent": sent.claims, "key": key });
        let printed = with_input(&mut node(self.paths, "check", &url), &plan.to_string());
        server.stop()?;
        let found = parse(&printed?, "what the check found")?;
        if self.query(COUNT)?.pop() != before {
            return Err("a claim that was sent again left rows behind".into());
        }
        let number = |name: &str| found.get(name).and_then(Value::as_u64).unwrap_or_default();
        Ok(format!(
            "{} claims read, {} refused as their practice is not served, {} sent again",
            number("read"),
            number("refused"),
            number("sent_again")
        ))
    }

    /// Re-seals every record, which has to open every record first.
    pub(crate) fn opens(&self) -> Result<String> {
        let (resealed, unreadable) = self.reseal(&self.keys)?;
        if unreadable > 0 || resealed == 0 {
            return Err(format!("{unreadable} of {} records do not open", resealed.saturating_add(unreadable)).into());
        }
        Ok(format!("{resealed} records"))
    }

    /// Tries the same with wrong keys of the same versions, which must fail.
    pub(crate) fn stays_shut(&self) -> Result<String> {
        let versions = self.keys.split(',').filter_map(|key| key.trim().split_once(':'));
        let others: Result<Vec<String>> =
            versions.map(|(version, _)| Ok(format!("{version}:{}", BASE64.encode(&secrets::random()?)))).collect();
        let (resealed, unreadable) = self.reseal(&others?.join(","))?;
        if resealed > 0 || unreadable == 0 {
            return Err(format!("{resealed} records opened with other keys").into());
        }
        Ok(format!("{unreadable} records stay shut"))
    }

    /// Re-seals the copy under a new key. Returns how many records opened and how many did not.
    fn reseal(&self, keys: &str) -> Result<(u64, u64)> {
        let keys = format!("{NEW}:{},{keys}", BASE64.encode(&secrets::random()?));
        let vars = self.vars(&keys);
        let token = vars.get(TOKEN).and_then(Value::as_str).unwrap_or_default();
        let (server, url) = serve(self.paths, &self.state, &vars)?;
        let mut command = self.paths.wrangler_command("node");
        command.args(["tools/dev/reseal.mjs", &url]).env(TOKEN, token);
        // The command fails if a record did not open, which one of the checks expects.
        let printed = run::printed(&mut command);
        server.stop()?;
        let counts = parse(&printed?, "what re-sealing counted")?;
        let sum = |name: &str| {
            let counts = counts.get(name).and_then(Value::as_object);
            counts.map(|counts| counts.values().filter_map(Value::as_u64).sum())
        };
        let opened = sum("resealed").zip(sum("intact"));
        let opened = opened.map(|(resealed, intact): (u64, u64)| resealed.saturating_add(intact));
        opened.zip(sum("unreadable")).ok_or_else(|| "re-sealing counted nothing".into())
    }

    fn vars(&self, keys: &str) -> Value {
        let token = secrets::random().map(|random| BASE64.encode(&random));
        json!({ "LIMITS": "unlimited", operator::KEYS: keys, TOKEN: token.unwrap_or_default() })
    }

    /// Makes an API key for each practice of the copy.
    fn mint(&self, practices: &[Value]) -> Result<Map<String, Value>> {
        let ids = practices.iter().filter_map(|row| row.get("id")?.as_str());
        let mut command = operator::program(self.paths)?;
        let made = parse(&run::output(command.arg("drill").args(ids))?, "the keys")?;
        let file = self.private.file("keys.sql");
        let sql = made.get("sql").and_then(Value::as_str).ok_or("no keys were made")?;
        fs::write(&file, sql).context(|| format!("cannot write {}", file.display()))?;
        self.state.execute(self.paths, 0, &file)?;
        let keys = made.get("keys").and_then(Value::as_object).cloned();
        keys.ok_or_else(|| "no keys were made".into())
    }

    /// The rows of each statement.
    fn query(&self, sql: &str) -> Result<Vec<Vec<Value>>> {
        Source::Local(self.state.folder.clone()).query(self.paths, 0, sql)
    }
}

pub(super) fn serve(paths: &Paths, state: &State, vars: &Value) -> Result<(Server, String)> {
    let port = serve::free_port()?;
    let server = Server::start_logging(paths, state, port, vars, Serving::Service, |_| ())?;
    Ok((server, format!("http://127.0.0.1:{port}")))
}

pub(crate) fn node(paths: &Paths, action: &str, url: &str) -> Command {
    let mut command = paths.wrangler_command("node");
    command.args(["tools/dev/drill.mjs", action, url]);
    command
}

/// Runs `command` with `input`, and returns its standard output.
fn with_input(command: &mut Command, input: &str) -> Result<String> {
    let mut process = run::Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    if let Some(mut stdin) = process.stdin() {
        stdin.write_all(input.as_bytes()).context(|| "cannot tell the check what to read".to_owned())?;
    }
    let mut printed = String::new();
    if let Some(mut stdout) = process.stdout() {
        use std::io::Read as _;
        stdout.read_to_string(&mut printed).context(|| "cannot read what the check found".to_owned())?;
    }
    if process.wait()?.success() { Ok(printed) } else { Err("the copy does not answer as the backup says".into()) }
}

pub(crate) fn parse(text: &str, what: &str) -> Result<Value> {
    serde_json::from_str(text).context(|| what.to_owned())
}
