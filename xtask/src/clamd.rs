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
use crate::{browser, say};

/// Where freshclam keeps the signature database.
const DATABASE: &str = "/var/lib/clamav";
const PACKAGE: &str = "clamav-daemon";

/// Finds clamd, or installs it if apt-get can do so.
///
/// Only the libraries are installed. The package itself is unpacked into `.tools`: installing it would start a system
/// service, and freshclam, which downloads signatures.
pub(crate) fn ensure(paths: &Paths) -> Result<PathBuf> {
    let tools = paths.tools().join("bin");
    if let Some(program) = own::find(&tools) {
        return Ok(program);
    }
    if !browser::is_root() || !run::succeeds(paths.command("apt-get").arg("--version")) {
        return Err(
            "clamd is needed on PATH: install it (Debian: `apt-get install --no-install-recommends \
             clamav-daemon`; macOS: `brew install clamav`)"
                .into(),
        );
    }
    say::err(
        "installing the libraries of clamd with apt-get, and clamd into .tools (15 MB, about 15 s)",
    );
    let folder = paths.tools().join("clamav");
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).context(|| format!("cannot remove {}", folder.display()));
        }
        _ => {}
    }
    for folder in [&folder, &tools] {
        fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    }
    let apt = |args: &[&str]| {
        let mut command = paths.command("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run::output(&mut apt(&["-qq", "update"]))?;
    let depends = run::output(paths.command("apt-cache").args(["depends", PACKAGE]))?;
    let install = ["-qq", "-y", "--no-install-recommends", "install"];
    run::output(apt(&install).args(libraries(&depends)))?;
    run::output(apt(&["-qq", "download", PACKAGE]).current_dir(&folder))?;
    let unpack = "for file in *.deb; do dpkg -x \"$file\" . && rm \"$file\" || exit 1; done";
    run::output(
        paths
            .command("sh")
            .args(["-c", unpack])
            .current_dir(&folder),
    )?;
    let program = tools.join("clamd");
    let _absent = fs::remove_file(&program);
    symlink(folder.join("usr/sbin/clamd"), &program)
        .context(|| format!("cannot make {}", program.display()))?;
    own::find(&tools).ok_or_else(|| "apt-get has no clamd".into())
}

/// The libraries in what `apt-cache depends` prints. Alternatives and virtual packages are left out.
fn libraries(printed: &str) -> impl Iterator<Item = &str> {
    let names = printed
        .lines()
        .filter_map(|line| line.strip_prefix("  Depends: "));
    names.filter(|name| name.starts_with("lib"))
}

/// The clamd of a served Worker. It ends when this is dropped, or when this process is killed.
#[derive(Debug)]
pub(crate) struct Scanner {
    /// `None` after it ended on its own.
    process: Option<Process>,
    port: u16,
    folder: PathBuf,
    /// Ends clamd when the pipe closes.
    _guard: (Process, Option<ChildStdin>),
}

impl Scanner {
    /// Starts the machine's clamd, and says so. `None` if the machine has none. It does not wait: loading a whole
    /// signature database takes clamd more than ten seconds, and until then documents wait in quarantine.
    pub(crate) fn start(paths: &Paths, state: &State) -> Result<Option<Self>> {
        let Some(program) = own::find(&paths.tools().join("bin")) else {
            say::err(
                "no clamd on this machine: documents stay in quarantine; install clamd, or use \
                 --scanner none to make them available without a scan",
            );
            return Ok(None);
        };
        let (port, folder) = (free_port()?, state.folder.join("clamd"));
        let database = Some(Path::new(DATABASE)).filter(|folder| has_signatures(folder));
        let setup = Setup {
            folder: &folder,
            port,
            database,
            longest_stream: "60M",
            largest_file: "60M",
            more: own::NEEDED,
        };
        let configuration = fs::create_dir_all(&folder)
            .and_then(|()| setup.write())
            .context(|| format!("cannot write into {}", folder.display()))?;
        let mut command = paths.command(program);
        command.arg("--config-file").arg(configuration);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let process = Process::start(&mut command)?;
        let mut watch = paths.command("sh");
        watch
            .args(["-c", own::WATCH, &process.id().to_string()])
            .stdin(Stdio::piped());
        let mut guard = Process::start(&mut watch)?;
        let pipe = guard.stdin();
        let signatures = match database {
            Some(folder) => format!("the signatures in {}", folder.display()),
            None => "a database that knows only the EICAR test file".to_owned(),
        };
        say::err(&format!(
            "clamd on 127.0.0.1:{port} scans documents with {signatures}; until it has loaded them, documents wait \
             in quarantine"
        ));
        Ok(Some(Self {
            process: Some(process),
            port,
            folder,
            _guard: (guard, pipe),
        }))
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Says so if clamd has ended on its own.
    pub(crate) fn check(&mut self) {
        if let Some(process) = &mut self.process
            && let Ok(Some(status)) = process.ended()
        {
            self.process = None;
            say::err(&format!(
                "clamd ended on its own ({status}): documents stay in quarantine; try `clamd --config-file {}`",
                self.folder.join("clamd.conf").display()
            ));
        }
    }
}

fn has_signatures(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.path());
    names.any(|path| {
        path.extension()
            .is_some_and(|end| end == "cvd" || end == "cld")
    })
}

#[cfg(test)]
mod tests {
    use super::libraries;

    #[test]
    fn only_the_libraries_of_the_package_are_installed() {
        let printed = "clamav-daemon\n  PreDepends: init-system-helpers\n  Depends: adduser\n |Depends: clamav-freshclam\n  \
                       Depends: <clamav-data>\n  Depends: libc6\n  Depends: libclamav12\n  Depends: libsystemd0\n    \
                       libelogind0\n  Recommends: clamdscan\n  Suggests: <libclamunrar>\n";
        let names: Vec<&str> = libraries(printed).collect();
        assert_eq!(names, ["libc6", "libclamav12", "libsystemd0"]);
    }
}
