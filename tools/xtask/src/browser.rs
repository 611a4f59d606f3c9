//! The browser that tests run in: Chromium or Chrome, and its driver.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{run, say, tools};

const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const DRIVER: &str = "chromedriver";
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

/// A browser and the driver that goes with it.
#[derive(Debug)]
pub(crate) struct Browser {
    program: String,
    /// The WebDriver program.
    pub(crate) driver: PathBuf,
    has_shell: bool,
}

/// Finds the browser and its driver, or installs them if one command can do so.
pub(crate) fn ensure(paths: &Paths) -> Result<Browser> {
    let _alone = tools::alone(paths)?;
    if let Some(browser) = find(paths) {
        return matching(paths, browser);
    }
    let apt = tools::apt(
        paths,
        "Chromium or Chrome and chromedriver are needed on PATH: install both (Debian: `apt-get install chromium \
         chromium-driver`; macOS: `brew install google-chrome chromedriver`)",
        "installing chromium, its headless shell and its driver with apt-get (0.7 GB, about 30 s)",
    )?;
    run::output(apt(&tools::INSTALL).args(["chromium", "chromium-driver"]))?;
    if run::output(apt(&tools::INSTALL).arg(SHELL)).is_err() {
        say::err("there is no package chromium-headless-shell, so chromium opens the pages");
    }
    let browser = find(paths).ok_or("apt-get installed no chromium and chromedriver")?;
    matching(paths, browser)
}

fn find(paths: &Paths) -> Option<Browser> {
    let runs = |program: &&str| run::succeeds(paths.command(*program).arg("--version"));
    let program = BROWSERS.iter().find(|program| runs(program))?;
    // wasm-bindgen-test-runner takes a path, not a name.
    let found = run::output(paths.command("sh").args(["-c", "command -v chromedriver"])).ok()?;
    runs(&DRIVER).then(|| Browser { program: (*program).to_owned(), driver: found.trim().into(), has_shell: false })
}

/// The browser with its driver, and its shell if there is one. They work only with a browser of the same major version.
fn matching(paths: &Paths, mut browser: Browser) -> Result<Browser> {
    let of = |program: &str| -> Result<u32> {
        let printed = run::output(paths.command(program).arg("--version"))?;
        major(&printed).ok_or_else(|| format!("{program} says no version").into())
    };
    let (program, of_browser, of_driver) = (&browser.program, of(&browser.program)?, of(DRIVER)?);
    if of_browser == of_driver {
        browser.has_shell = of(SHELL).is_ok_and(|of_shell| of_shell == of_browser);
        return Ok(browser);
    }
    Err(format!("{program} is version {of_browser} and {DRIVER} version {of_driver}: install a pair of the same")
        .into())
}

/// The major version in `Chromium 156.0.8078.79 built on …`.
fn major(printed: &str) -> Option<u32> {
    let is_version = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    let version = printed.split_whitespace().find(is_version)?;
    version.split('.').next()?.parse().ok()
}

impl Browser {
    fn flags(&self) -> Vec<&'static str> {
        // As root, Chromium runs only without its sandbox.
        let sandbox = tools::is_root().then_some("--no-sandbox");
        FLAGS.into_iter().chain(sandbox).collect()
    }

    /// The browser program that people have and its flags, as JSON.
    pub(crate) fn command_line(&self) -> String {
        self.with_flags(&self.program)
    }

    /// The same of the program that opens pages soonest.
    pub(crate) fn quick_command_line(&self) -> String {
        self.with_flags(if self.has_shell { SHELL } else { &self.program })
    }

    fn with_flags(&self, program: &str) -> String {
        let mut words = vec![program];
        words.extend(self.flags());
        json!(words).to_string()
    }

    /// Writes a file that tells wasm-bindgen-test-runner how to start the browser. Returns its path.
    pub(crate) fn write_capabilities(&self, paths: &Paths) -> Result<PathBuf> {
        let folder = paths.root.join("target");
        let path = folder.join("webdriver.json");
        let options = json!({ "goog:chromeOptions": { "args": self.flags() } });
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, options.to_string()))
            .context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_version_is_read_from_what_each_program_says() {
        for (printed, version) in [
            ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12\n", Some(156)),
            ("ChromeDriver 9.0.1 (0b1c-2)", Some(9)),
            ("Google Chrome", None),
        ] {
            assert_eq!(major(printed), version, "{printed}");
        }
    }
}
