//! The secrets of a development machine. They are made once and kept in .dev.vars, which git ignores.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use serde_json::Value;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::say;

/// Writes .dev.vars with new random keys unless it exists.
pub(crate) fn ensure(paths: &Paths) -> Result {
    let path = paths.root.join(".dev.vars");
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        other => other.context(|| format!("cannot write {}", path.display()))?,
    };
    let text = format!(
        "SEALING_KEYS=\"1:{}\"\nOPERATOR_TOKEN=\"{}\"\n",
        BASE64.encode(&random()?),
        BASE64URL_NOPAD.encode(&random()?)
    );
    file.write_all(text.as_bytes()).context(|| format!("cannot write {}", path.display()))?;
    say::err("wrote .dev.vars with fresh secrets; claims sealed under them are unreadable without it");
    Ok(())
}

/// A secret of the local service: from `vars`, or else from .dev.vars.
pub(crate) fn read(paths: &Paths, vars: &Value, name: &str) -> Result<String> {
    if let Some(value) = vars.get(name).and_then(Value::as_str) {
        return Ok(value.to_owned());
    }
    let path = paths.root.join(".dev.vars");
    let text = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    value(&text, name).ok_or_else(|| format!("{} has no {name}", path.display()).into())
}

fn value(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.trim().strip_prefix(name)?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// 32 fresh random bytes.
pub(crate) fn random() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context(|| "no randomness from the system".to_owned())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_secret_is_found_by_its_whole_name_however_it_is_quoted() {
        let text = "A=\"1:x=\"\nB_MORE=no\n B = 'two' \nC=three";
        for (name, expected) in [("A", "1:x="), ("B", "two"), ("C", "three")] {
            assert_eq!(value(text, name).as_deref(), Some(expected));
        }
        assert_eq!(value(text, "D"), None);
    }
}
