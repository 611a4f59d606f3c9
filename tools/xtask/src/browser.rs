//! The browser that tests run in: Chromium or Chrome.

use serde_json::json;

use crate::error::Result;
use crate::paths::Paths;
use crate::{run, say, tools};

const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/// Chromium without anything around the page. It opens one in a third of the time, and nothing needs it.
const SHELL: &str = "chromium-headless-shell";

/// Headless, and without requests to any host but the page's.
const FLAGS: [&str; 7] = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A browser.
#[derive(Debug)]
pub(crate) struct Browser {
    program: &'static str,
    has_shell: bool,
}

/// Finds the browser, or installs it if one command can do so.
pub(crate) fn ensure(paths: &Paths) -> Result<Browser> {
    let _alone = tools::alone_on_machine()?;
    if let Some(browser) = find(paths) {
        return Ok(browser);
    }
    let apt = tools::apt(
        paths,
        "Chromium or Chrome is needed on PATH: install it (Debian: `apt-get install chromium`; macOS: `brew install \
         google-chrome`)",
        "installing chromium and its headless shell with apt-get (0.7 GB, about 30 s)",
    )?;
    run::output(apt(&tools::INSTALL).arg("chromium"))?;
    if run::output(apt(&tools::INSTALL).arg(SHELL)).is_err() {
        say::err("there is no package chromium-headless-shell, so chromium opens the pages");
    }
    find(paths).ok_or_else(|| "apt-get installed no chromium".into())
}

fn find(paths: &Paths) -> Option<Browser> {
    let runs = |program: &str| run::succeeds(paths.command(program).arg("--version"));
    let program = BROWSERS.into_iter().find(|program| runs(program))?;
    Some(Browser { program, has_shell: runs(SHELL) })
}

impl Browser {
    fn flags(&self) -> Vec<&'static str> {
        // As root, Chromium runs only without its sandbox.
        let sandbox = tools::is_root().then_some("--no-sandbox");
        FLAGS.into_iter().chain(sandbox).collect()
    }

    /// The browser program that people have and its flags, as JSON.
    pub(crate) fn command_line(&self) -> String {
        self.with_flags(self.program)
    }

    /// The same of the program that opens pages soonest.
    pub(crate) fn quick_command_line(&self) -> String {
        self.with_flags(if self.has_shell { SHELL } else { self.program })
    }

    fn with_flags(&self, program: &str) -> String {
        let mut words = vec![program];
        words.extend(self.flags());
        json!(words).to_string()
    }
}
