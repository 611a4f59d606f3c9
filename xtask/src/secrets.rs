//! The secrets of a development machine: made up once, kept in .dev.vars, which git ignores.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::say;

/// Writes .dev.vars unless it is there, with keys that exist nowhere else.
pub(crate) fn ensure(paths: &Paths) -> Result {
    let path = paths.root.join(".dev.vars");
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        other => other.context(|| format!("cannot write {}", path.display()))?,
    };
    let text = format!(
        "SEALING_KEYS=\"1:{}\"\nOPERATOR_TOKEN=\"{}\"\n",
        STANDARD.encode(random()?),
        URL_SAFE_NO_PAD.encode(random()?)
    );
    file.write_all(text.as_bytes())
        .context(|| format!("cannot write {}", path.display()))?;
    say::err(
        "wrote .dev.vars with fresh secrets; claims sealed under them are unreadable without it",
    );
    Ok(())
}

fn random() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context(|| "no randomness from the system".to_owned())?;
    Ok(bytes)
}
