//! The project's folders, and the environment in which tools find each other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::Profile;
use crate::failure::{Context, Result};

/// The places below the project's folder.
#[derive(Debug)]
pub(crate) struct Paths {
    /// The workspace's folder.
    pub(crate) root: PathBuf,
    /// The profile of the Worker that a command builds.
    pub(crate) profile: Profile,
}

impl Paths {
    /// The project that this binary was built in.
    pub(crate) fn find() -> Result<Self> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let root = Path::new(root)
            .canonicalize()
            .context(|| format!("the project's folder {root}"))?;
        Ok(Self {
            root,
            profile: Profile::Release,
        })
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
        if own.exists() {
            own
        } else {
            PathBuf::from("node")
        }
    }

    /// The output folder of `cargo xtask build`. `main` in wrangler.toml points into it.
    pub(crate) fn build(&self) -> PathBuf {
        self.root.join("build")
    }

    /// A command that runs in the project's folder and finds our tools first.
    pub(crate) fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command
            .current_dir(&self.root)
            .env("PATH", self.search_path());
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
        folders.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        // This fails only if a folder has a colon in its name. Then the plain PATH is used.
        std::env::join_paths(folders)
            .unwrap_or_else(|_| std::env::var_os("PATH").unwrap_or_default())
    }
}
