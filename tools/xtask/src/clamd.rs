//! The virus scanner of `cargo xtask dev`, and the installation that the tests use.

pub(crate) mod own;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

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
    let _alone = tools::alone(paths)?;
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
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).context(|| format!("cannot remove {}", folder.display()));
        }
        _ => {}
    }
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

/// How often it is looked for while the machine has none.
const LOOK: Duration = Duration::from_secs(2);

/// The clamd of a served Worker. It ends when this is dropped, or when this process is killed.
#[derive(Debug)]
pub(crate) struct Scanner {
    /// Where the Worker expects it, from the beginning: one that starts later is found without a new start of the Worker.
    port: u16,
    folder: PathBuf,
    /// The folder with the project's own clamd.
    tools: PathBuf,
    state: ScannerState,
}

#[derive(Debug)]
enum ScannerState {
    /// The machine has no clamd yet. It was last looked for at this instant.
    Missing(Instant),
    Running(Running),
    /// It ended on its own.
    Ended,
}

#[derive(Debug)]
struct Running {
    process: Process,
    /// Ends clamd when the pipe closes.
    _guard: (Process, Option<ChildStdin>),
}

impl Scanner {
    /// Starts the machine's clamd, and says so; without one, [`Self::check`] starts the one that comes. It does not wait:
    /// loading a whole signature database takes clamd more than ten seconds, and until then documents wait in quarantine.
    pub(crate) fn start(paths: &Paths, state: &State) -> Result<Self> {
        let mut scanner = Self {
            port: free_port()?,
            folder: state.folder.join("clamd"),
            tools: paths.tools().join("bin"),
            state: ScannerState::Missing(Instant::now()),
        };
        match own::find(&scanner.tools) {
            Some(program) => scanner.state = ScannerState::Running(scanner.run(paths, program)?),
            None => say::err(
                "no clamd on this machine: documents stay in quarantine until there is one; install clamd, or use \
                 --scanner none to make them available without a scan",
            ),
        }
        Ok(scanner)
    }

    fn run(&self, paths: &Paths, program: PathBuf) -> Result<Running> {
        let database = Some(Path::new(DATABASE)).filter(|folder| has_signatures(folder));
        let setup = Setup {
            folder: &self.folder,
            port: self.port,
            database,
            longest_stream: "60M",
            largest_file: "60M",
            more: own::NEEDED,
        };
        let configuration = fs::create_dir_all(&self.folder)
            .and_then(|()| setup.write())
            .context(|| format!("cannot write into {}", self.folder.display()))?;
        let mut command = paths.command(program);
        command.arg("--config-file").arg(configuration);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = Process::start(&mut command)?;
        let mut watch = paths.command("sh");
        watch.args(["-c", own::WATCH, &process.id().to_string()]).stdin(Stdio::piped());
        let mut guard = Process::start(&mut watch)?;
        let pipe = guard.stdin();
        let signatures = match database {
            Some(folder) => format!("the signatures in {}", folder.display()),
            None => "a database that knows only the EICAR test file".to_owned(),
        };
        say::err(&format!(
            "clamd on 127.0.0.1:{} scans documents with {signatures}; until it has loaded them, documents wait in \
             quarantine",
            self.port
        ));
        Ok(Running { process, _guard: (guard, pipe) })
    }

    /// Where it listens, or will.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Starts clamd if the machine has one by now, and says so if it has ended on its own.
    pub(crate) fn check(&mut self, paths: &Paths) -> Result {
        match &mut self.state {
            ScannerState::Missing(looked) if looked.elapsed() >= LOOK => {
                self.state = match own::find(&self.tools) {
                    Some(program) => ScannerState::Running(self.run(paths, program)?),
                    None => ScannerState::Missing(Instant::now()),
                };
            }
            ScannerState::Running(running) => {
                if let Ok(Some(status)) = running.process.ended() {
                    self.state = ScannerState::Ended;
                    say::err(&format!(
                        "clamd ended on its own ({status}): documents stay in quarantine; try `clamd --config-file {}`",
                        self.folder.join("clamd.conf").display()
                    ));
                }
            }
            ScannerState::Missing(_) | ScannerState::Ended => {}
        }
        Ok(())
    }
}

fn has_signatures(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.path());
    names.any(|path| path.extension().is_some_and(|end| end == "cvd" || end == "cld"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::{env, process, thread};

    #[test]
    fn a_clamd_that_comes_later_is_started_where_the_worker_expects_it() {
        let folder = env::temp_dir().join(format!("overturn-clamd-{}", process::id()));
        let tools = folder.join("tools");
        fs::create_dir_all(&tools).unwrap();
        let long_ago = Instant::now().checked_sub(LOOK).unwrap();
        let mut scanner = Scanner {
            port: 3310,
            folder: folder.join("clamd"),
            tools: tools.clone(),
            state: ScannerState::Missing(Instant::now()),
        };
        let paths = Paths::find().unwrap();
        let program = tools.join("clamd");
        fs::write(&program, "#!/bin/sh\nexit 3\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        scanner.check(&paths).unwrap();
        assert!(matches!(scanner.state, ScannerState::Missing(_)), "too soon");
        scanner.state = ScannerState::Missing(long_ago);
        scanner.check(&paths).unwrap();
        assert!(matches!(scanner.state, ScannerState::Running(_)));
        let configuration = fs::read_to_string(folder.join("clamd/clamd.conf")).unwrap();
        assert!(configuration.contains("TCPSocket 3310"), "{configuration}");
        while !matches!(scanner.state, ScannerState::Ended) {
            thread::sleep(Duration::from_millis(10));
            scanner.check(&paths).unwrap();
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_the_libraries_of_the_package_are_installed() {
        let printed = "clamav-daemon\n  PreDepends: init-system-helpers\n  Depends: adduser\n |Depends: clamav-freshclam\n  \
                       Depends: <clamav-data>\n  Depends: libc6\n  Depends: libclamav12\n  Depends: libsystemd0\n    \
                       libelogind0\n  Recommends: clamdscan\n  Suggests: <libclamunrar>\n";
        let names: Vec<&str> = libraries(printed).collect();
        assert_eq!(names, ["libc6", "libclamav12", "libsystemd0"]);
    }
}
