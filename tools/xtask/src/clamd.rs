//! The virus scanner of `cargo xtask dev`, and the installation that the tests use.

pub(crate) mod own;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};

use own::Setup;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::run::{self, Process};
use crate::serve::free_port;
use crate::state::State;
use crate::{say, tools};

/// Where freshclam keeps the signature database.
const DATABASE: &str = "/var/lib/clamav";
const PACKAGE: &str = "clamav-daemon";

/// Finds clamd, or installs it if apt-get can do so.
///
/// Only the libraries are installed. The package itself is unpacked into `.tools`: installing it would start a system
/// service, and freshclam, which downloads signatures.
pub(crate) fn ensure(paths: &Paths) -> Result<PathBuf> {
    let _alone = tools::alone_on_machine()?;
    let bin = paths.tools().join("bin");
    if let Some(program) = own::find(&bin) {
        return Ok(program);
    }
    let apt = tools::apt(
        paths,
        "clamd is needed on PATH: install it (Debian: `apt-get install --no-install-recommends clamav-daemon`; macOS: \
         `brew install clamav`)",
        "installing the libraries of clamd with apt-get, and clamd into .tools (15 MB, about 15 s)",
    )?;
    let folder = paths.tools().join("clamav");
    let _absent = fs::remove_dir_all(&folder);
    for folder in [&folder, &bin] {
        fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    }
    let depends = run::output(paths.command("apt-cache").args(["depends", PACKAGE]))?;
    run::output(apt(&tools::INSTALL).args(libraries(&depends)))?;
    run::output(apt(&["download", PACKAGE]).current_dir(&folder))?;
    let unpack = "for file in *.deb; do dpkg -x \"$file\" . && rm \"$file\" || exit 1; done";
    run::output(paths.command("sh").args(["-c", unpack]).current_dir(&folder))?;
    let program = bin.join("clamd");
    let _absent = fs::remove_file(&program);
    symlink(folder.join("usr/sbin/clamd"), &program).context(|| format!("cannot make {}", program.display()))?;
    own::find(&bin).ok_or_else(|| "apt-get has no clamd".into())
}

/// The libraries in what `apt-cache depends` prints. Alternatives and virtual packages are left out.
fn libraries(printed: &str) -> impl Iterator<Item = &str> {
    let names = printed.lines().filter_map(|line| line.strip_prefix("  Depends: "));
    names.filter(|name| name.starts_with("lib"))
}

/// Runs clamd, and kills it when the pipe closes: when this process ends, however it ends.
const RUN: &str = "\"$0\" --config-file \"$1\" >/dev/null 2>&1 & read -r ended; kill -9 $!";

/// The clamd of a served service. It ends when this is dropped, or when this process is killed.
#[derive(Debug)]
pub(crate) struct Scanner {
    port: u16,
    _alive: Option<ChildStdin>,
    _process: Process,
}

impl Scanner {
    /// Starts the machine's clamd, and says so; `None` without one. It does not wait: loading a whole signature database takes
    /// clamd more than ten seconds, and until then documents wait in quarantine.
    pub(crate) fn start(paths: &Paths, state: &State) -> Result<Option<Self>> {
        let Some(program) = own::find(&paths.tools().join("bin")) else {
            say::err(
                "no clamd on this machine: documents stay in quarantine; install clamd, or use --scanner none to make them \
                 available without a scan",
            );
            return Ok(None);
        };
        let database = Some(Path::new(DATABASE)).filter(|folder| has_signatures(folder));
        let (folder, port) = (state.folder.join("clamd"), free_port()?);
        let setup =
            Setup { folder: &folder, port, database, longest_stream: "60M", largest_file: "60M", more: own::NEEDED };
        let configuration = fs::create_dir_all(&folder).and_then(|()| setup.write());
        let configuration = configuration.context(|| format!("cannot write into {}", folder.display()))?;
        let mut command = paths.command("sh");
        command.args(["-c", RUN]).arg(program).arg(configuration).stdin(Stdio::piped());
        let mut process = Process::start(&mut command)?;
        let signatures = match database {
            Some(folder) => format!("the signatures in {}", folder.display()),
            None => "a database that knows only the EICAR test file".to_owned(),
        };
        say::err(&format!(
            "clamd on 127.0.0.1:{port} scans documents with {signatures}; until it has loaded them, documents wait in \
             quarantine"
        ));
        Ok(Some(Self { port, _alive: process.stdin(), _process: process }))
    }

    /// Where it listens, or will.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

fn has_signatures(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.path());
    names.any(|path| path.extension().is_some_and(|end| end == "cvd" || end == "cld"))
}

#[cfg(test)]
mod tests {
    use super::libraries;

    #[test]
    fn only_the_libraries_of_the_package_are_installed() {
        let printed = "clamav-daemon\n  PreDepends: init-system-helpers\n  Depends: adduser\n |Depends: clamav-freshclam\n  \
                       Depends: <clamav-data>\n  Depends: libc6\n  Depends: libclamav12\n  Recommends: clamdscan\n";
        assert_eq!(libraries(printed).collect::<Vec<_>>(), ["libc6", "libclamav12"]);
    }
}
