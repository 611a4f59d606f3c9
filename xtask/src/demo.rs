//! The demo data of a state folder: loaded once, its keys kept in demo.json beside the database.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::run;
use crate::state::State;

/// The demo data, and where the service is.
#[derive(Debug)]
pub(crate) struct Demo(Value);

impl Demo {
    /// Loads the demo data unless the folder has it, and writes down `base_url` either way.
    pub(crate) fn ensure(paths: &Paths, state: &State, base_url: &str) -> Result<Self> {
        let practices = match practices(state) {
            Some(practices) => practices,
            None => load(paths, state)?,
        };
        let demo = json!({ "base_url": base_url, "practices": practices, "users": {} });
        // In one step, so that whoever waits for the file never reads half of it.
        let new = state.folder.join("demo.json.new");
        write_private(&new, &format!("{demo:#}\n"))?;
        fs::rename(&new, state.demo())
            .context(|| format!("cannot write {}", state.demo().display()))?;
        Ok(Self(demo))
    }

    /// The key that may do everything, where mail is, and two commands to paste.
    pub(crate) fn introduction(&self, mail: &Path) -> String {
        let text = |pointer: &str| {
            self.0
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (url, key) = (text("/base_url"), text("/practices/active/keys/full"));
        let claim = json!({
            "patient": { "first_name": "Dana", "last_name": "Whitfield", "date_of_birth": "1984-06-02" },
            "claim": {
                "claim_number": "CH-2025-00417",
                "payer_claim_number": "25014XK8831",
                "payer_name": "Blue Prairie Health",
                "date_of_service": "2025-01-14",
                "denial_date": "2025-02-03",
                "plan_type": "commercial",
                "procedure_code": "99214-25",
                "billed_amount": "245.00",
                "denial_codes": ["CO-50", "N130"],
            },
        });
        format!(
            "Overturn listens on {url}
demo key: {key} (more in demo.json)
mail is not sent but shown here, and kept in {mail}

send a claim:
curl -sS {url}/api/v1/claims -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d '{claim}'

read its status:
curl -sS '{url}/api/v1/claims/status?claim_number=CH-2025-00417' -H 'Authorization: Bearer {key}'
",
            mail = mail.display()
        )
    }
}

/// The practices of demo.json, unless the database they are in was removed from beside it.
fn practices(state: &State) -> Option<Value> {
    let demo: Value = serde_json::from_str(&fs::read_to_string(state.demo()).ok()?).ok()?;
    let complete = ["active", "other", "no_baa", "inactive"]
        .iter()
        .all(|label| {
            demo.pointer(&format!("/practices/{label}/keys/full"))
                .is_some_and(Value::is_string)
        });
    (complete && state.had_database)
        .then(|| demo.get("practices").cloned())
        .flatten()
}

/// Makes fresh practices with the service's own code and puts them into the database.
fn load(paths: &Paths, state: &State) -> Result<Value> {
    let args = [
        "run",
        "--quiet",
        "--package",
        "xtask",
        "--features",
        "demo",
        "--bin",
        "demo",
    ];
    let printed = run::output(paths.command("cargo").args(args))?;
    let data: Value = serde_json::from_str(&printed).context(|| "the demo data".to_owned())?;
    let sql = data
        .get("sql")
        .and_then(Value::as_str)
        .ok_or("the demo data has no sql")?;
    let file = state.folder.join("demo.sql");
    write_private(&file, sql)?;
    let loaded = state.execute(paths, &file);
    fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
    loaded?;
    data.get("practices")
        .cloned()
        .ok_or_else(|| "the demo data has no practices".into())
}

fn write_private(path: &Path, text: &str) -> Result {
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .context(|| format!("cannot write {}", path.display()))
}
