//! The step of `cargo xtask test`: an installation moves from the native program to Workers and back.

use serde_json::{Value, json};

use super::Moving;
use crate::backup::{Private, Source};
use crate::demo::Demo;
use crate::drill::{node, parse};
use crate::error::{CommandError, Result};
use crate::paths::Paths;
use crate::serve::{self, Server, Serving};
use crate::state::{Host, State};
use crate::{build, npm, operator, run, say, secrets};

/// Moves demo data, with history and documents, to workerd and back.
pub(crate) fn check(paths: &Paths) -> Result {
    npm::ensure(paths, &npm::TOOLS)?;
    build::build(paths)?;
    secrets::ensure(paths)?;
    let private = Private::new(&paths.root.join("target/moved"))?;
    let state = State::open_on(Host::Native, &private.file("native"), false)?;
    let workers = private.file("workers");
    let moving = Moving::new(paths, Source::Local(workers.clone()))?;

    say::err("move: from the native program to Workers");
    let (server, mut people) = begin(paths, &state)?;
    let out = private.file("out");
    // The server goes on meanwhile.
    run::output(moving.server("export", &state.folder)?.arg(&out))?;
    server.stop()?;
    let held = moving.import(&out)?;
    match moving.import(&out) {
        Err(CommandError::Message(said)) if said.contains("has tables") => {}
        _ => return Err("an installation was imported over another".into()),
    }
    people.go_on(&State::open(&workers, false)?, "MOVED-1")?;

    say::err("move: from Workers to the native program");
    let (back, home) = (private.file("back"), private.file("home"));
    let returned = moving.export(&back)?;
    if returned == held {
        return Err("what was sent after the move is not in the export".into());
    }
    let mut import = moving.server("import", &home)?;
    if run::output(import.arg(&back))? != returned {
        return Err("the new data folder does not hold what the export says".into());
    }
    people.go_on(&State::open_on(Host::Native, &home, false)?, "MOVED-2")?;
    moving.check(&home).map(drop)
}

/// Serves the native program with demo data, and looks at it.
fn begin<'a>(paths: &'a Paths, state: &State) -> Result<(Server, People<'a>)> {
    state.migrate(paths)?;
    let port = serve::free_port()?;
    let url = format!("http://127.0.0.1:{port}");
    let demo = Demo::ensure(paths, state, &url, &Value::Null)?;
    demo.ensure_history(paths, state, &Value::Null)?;
    let server = served(paths, state, port)?;
    demo.upload_documents(paths, state)?;
    let mut people = People {
        paths,
        key: demo.text("/practices/active/keys/full").to_owned(),
        cookies: String::new(),
        sent: Value::Null,
        seen: Value::Null,
    };
    let owner = |name: &str| demo.text(&format!("/users/owner/{name}"));
    let code = operator::code_of(paths, owner("totp_secret"))?;
    let (email, password) = (owner("email"), owner("password"));
    people.signs_in(&url, &json!({ "email": email, "password": password, "code": code }))?;
    people.sent = people.drills(&url)?;
    people.seen = people.sees(&url, None)?;
    Ok((server, people))
}

fn served(paths: &Paths, state: &State, port: u16) -> Result<Server> {
    let vars = json!({ "LIMITS": "unlimited", "SCANNER": "none" });
    Server::start_logging(paths, state, port, &vars, Serving::Service, |_| ())
}

/// What the owner of the demo practice sees and sends, on one host after another.
struct People<'a> {
    paths: &'a Paths,
    /// An API key of the practice.
    key: String,
    /// The owner's session, which goes on after a move.
    cookies: String,
    /// The answer to the drill's claims.
    sent: Value,
    /// What the owner saw last.
    seen: Value,
}

impl People<'_> {
    /// Compares a host with the one before, and sends another claim to it.
    fn go_on(&mut self, state: &State, number: &str) -> Result {
        let port = serve::free_port()?;
        let url = format!("http://127.0.0.1:{port}");
        let server = served(self.paths, state, port)?;
        let seen = self.sees(&url, self.seen.get("checked_to"))?;
        for list in ["denials", "documents"] {
            if seen.get(list) != self.seen.get(list) {
                return Err(format!("the owner sees other {list} after the move").into());
            }
        }
        if ids(&self.drills(&url)?) != ids(&self.sent) {
            return Err("a claim that was sent again is another one after the move".into());
        }
        self.node(&["send", &url, number])?;
        let sent = self.sees(&url, seen.get("checked_to"))?;
        server.stop()?;
        if count(&sent) != count(&seen).saturating_add(1) {
            return Err(format!("{number} is not among the denials").into());
        }
        self.seen = sent;
        Ok(())
    }

    fn signs_in(&mut self, url: &str, with: &Value) -> Result {
        let mut command = self.paths.wrangler_command("node");
        command.args(["tools/dev/moved.mjs", "sign-in", url]);
        let cookies = run::output(command.env("SIGN_IN", with.to_string()))?;
        let cookies = parse(&cookies, "the cookies")?;
        self.cookies = cookies.as_str().unwrap_or_default().to_owned();
        Ok(())
    }

    /// What the owner sees. The audit trail must go on from a row that was verified before.
    fn sees(&self, url: &str, from: Option<&Value>) -> Result<Value> {
        self.node(&["see", url, from.and_then(Value::as_str).unwrap_or_default()])
    }

    /// Sends the drill's claims. They have what a move by SQL fails on unless it is written with care.
    fn drills(&self, url: &str) -> Result<Value> {
        let mut command = node(self.paths, "send", url);
        parse(&run::output(command.env("DRILL_KEY", &self.key))?, "the answer to the drill's claims")
    }

    fn node(&self, words: &[&str]) -> Result<Value> {
        let mut command = self.paths.wrangler_command("node");
        command.arg("tools/dev/moved.mjs").args(words);
        let printed = run::output(command.env("COOKIES", &self.cookies).env("API_KEY", &self.key))?;
        parse(&printed, "what was answered")
    }
}

/// The ids of the claims in an answer.
fn ids(answer: &Value) -> Vec<Option<&Value>> {
    let claims = answer.as_array().into_iter().flatten();
    claims.map(|claim| claim.get("id")).collect()
}

fn count(seen: &Value) -> usize {
    let denials = seen.get("denials").and_then(Value::as_array);
    denials.map_or(0, Vec::len)
}
