//! The project's folders, and the environment in which tools find each other.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::Profile;
use crate::error::{Context, Result};
use crate::native::Features;
use crate::state::Host;

/// The places below the project's folder.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// The workspace's folder.
    pub(crate) root: PathBuf,
    /// The profile of the Worker that a command builds.
    pub(crate) profile: Profile,
    /// What the tests run on that are not about one host.
    pub(crate) host: Host,
    /// What the programs for this machine are compiled with.
    pub(crate) features: Features,
}

impl Paths {
    /// The clone that this program is called in. The folder is not compiled in: cargo does not build a program again in a
    /// clone that was moved or copied.
    pub(crate) fn find() -> Result<Self> {
        // cargo names the folder of the crate that it runs. Without cargo, the current folder counts.
        let called_in = match env::var_os("CARGO_MANIFEST_DIR") {
            Some(of_crate) => PathBuf::from(of_crate),
            None => env::current_dir().context(|| "the current folder".to_owned())?,
        };
        let root = clone_around(&called_in)
            .ok_or_else(|| format!("{} is not in a clone of this project: change to one first", called_in.display()))?;
        Ok(Self { root, profile: Profile::Release, host: Host::Native, features: Features::Own })
    }

    /// The same for another host.
    pub(crate) fn on(&self, host: Host) -> Self {
        Self { host, ..self.clone() }
    }

    /// The same with other features.
    pub(crate) fn with(&self, features: Features) -> Self {
        Self { features, ..self.clone() }
    }

    /// The folder of the tools that `cargo xtask` installs.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// The programs of the npm packages, including node.
    pub(crate) fn npm_bin(&self) -> PathBuf {
        self.root.join("node_modules/.bin")
    }

    /// The Node that runs the npm packages: npm's own for this system, or else the installed one.
    pub(crate) fn node(&self) -> PathBuf {
        let own = self.npm_bin().join("node");
        if own.exists() { own } else { PathBuf::from("node") }
    }

    /// The output folder of `cargo xtask build`. `main` in wrangler.toml points into it.
    pub(crate) fn build(&self) -> PathBuf {
        self.root.join("build")
    }

    /// A command that runs in the project's folder and finds our tools first.
    pub(crate) fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root).env("PATH", self.search_path());
        // cargo describes this crate to this program. A build script that reads one of these variables would run again in a
        // cargo of ours, and what depends on it would be compiled again.
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// A command with wrangler's telemetry and update checks turned off.
    pub(crate) fn wrangler_command(&self, program: impl Into<OsString>) -> Command {
        let mut command = self.command(program);
        command.envs([
            ("CI", "1"),
            ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
            ("WRANGLER_HIDE_BANNER", "true"),
            ("WRANGLER_SEND_METRICS", "false"),
        ]);
        command
    }

    fn search_path(&self) -> OsString {
        let mut folders = vec![self.npm_bin(), self.tools().join("bin")];
        folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        // This fails only if a folder has a colon in its name. Then the plain PATH is used.
        env::join_paths(folders).unwrap_or_else(|_| env::var_os("PATH").unwrap_or_default())
    }
}

/// The folder of the clone that a folder is in: the one that has this crate.
fn clone_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let mut folders = folder.ancestors();
    let root = folders.find(|folder| folder.join("tools/xtask/Cargo.toml").is_file())?;
    Some(root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn no_source_compiles_the_place_of_the_clone_in() {
        let baked = ["env!(", "\"CARGO_MANIFEST_DIR\"", ")"].concat();
        let mut folders = vec![Paths::find().unwrap().root];
        let mut sources = 0;
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    sources += 1;
                    let source = fs::read_to_string(&path).unwrap();
                    assert!(!source.contains(&baked), "{}", path.display());
                }
            }
        }
        assert!(sources > 500, "{sources}");
    }
}
