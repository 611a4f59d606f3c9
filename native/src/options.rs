//! The command line.

use crate::error::Result;
use lexopt::{Arg, Parser, ValueExt as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
The service on a machine of its own.

overturn-server serve --data DIR    answer requests
    --listen ADDR:PORT   where (127.0.0.1:8787); port 0 takes any free one
    --assets DIR         the console and the API descriptions (the folder `assets` beside the program)
    --without-console    serve no files of the console
    --metrics ADDR:PORT  answer GET /metrics there, for Prometheus
    --secrets DIR        a folder with one file for each secret; also NAME_FILE=PATH in the environment
    --vars FILE          lines NAME=value
    --jobs-every SECONDS how often the scheduled jobs run (60); 0 runs none
    --threads N          how many threads answer (one for each processor, at least 2)
    --with-parent        end with standard input
overturn-server migrate --data DIR  make or upgrade the databases, as many as CELLS says
overturn-server execute --data DIR FILE
                                    run the statements of an SQL file in one transaction
    --cell N             in this database (0)
overturn-server backup --data DIR FILE
                                    copy the database into a new file, also while the server runs; that of cell 1 into
                                    FILE with -001 before its ending, and so on
overturn-server health              ask a server whether it is well, for containers
    --listen ADDR:PORT   where it listens (127.0.0.1:8787)
overturn-server check --data DIR    say what a data folder holds, and whether the keys and the audit trail fit
overturn-server export --data DIR FOLDER
                                    copy the database and the documents into a new folder, and check it
overturn-server import --data DIR FOLDER
                                    make a new data folder from such a copy, and check it
    --secrets DIR, --vars FILE  where SEALING_KEYS is, as for `serve`
";

#[derive(Debug)]
pub(crate) enum Command {
    Serve(Box<Serve>),
    Migrate { data: PathBuf, keys: Source },
    Execute { data: PathBuf, file: PathBuf, cell: u16 },
    Backup { data: PathBuf, file: PathBuf },
    Check { data: PathBuf, keys: Source },
    Copy { from: PathBuf, to: PathBuf, keys: Source },
    Health { at: SocketAddr },
    Help,
}

/// Where the settings and secrets are.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) vars: Option<PathBuf>,
    pub(crate) secrets: Option<PathBuf>,
}

/// The options of `serve`.
#[derive(Debug)]
pub(crate) struct Serve {
    pub(crate) data: PathBuf,
    pub(crate) listen: SocketAddr,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) assets: Option<PathBuf>,
    pub(crate) secrets: Option<PathBuf>,
    pub(crate) vars: Option<PathBuf>,
    pub(crate) threads: usize,
    /// `None` runs no scheduled jobs.
    pub(crate) jobs_every: Option<Duration>,
    pub(crate) with_parent: bool,
    pub(crate) console: bool,
    /// The entrance of the tests, which is not for use.
    pub(crate) entrance: bool,
}

impl Serve {
    fn source(self) -> Source {
        Source { vars: self.vars, secrets: self.secrets }
    }
}

/// The command of a command line.
///
/// # Errors
///
/// The command line is wrong.
pub(crate) fn parse(mut args: Parser) -> Result<Command> {
    let mut words = Vec::new();
    let mut data = None;
    let mut cell = 0;
    let processors = thread::available_parallelism().map_or(2, usize::from);
    let mut serve = Serve {
        data: PathBuf::new(),
        listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
        metrics: None,
        assets: None,
        secrets: None,
        vars: None,
        threads: processors.max(2),
        jobs_every: Some(Duration::from_secs(60)),
        with_parent: false,
        console: true,
        entrance: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("data") => data = Some(PathBuf::from(args.value()?)),
            Arg::Long("listen") => serve.listen = args.value()?.parse()?,
            Arg::Long("metrics") => serve.metrics = Some(args.value()?.parse()?),
            Arg::Long("assets") => serve.assets = Some(args.value()?.into()),
            Arg::Long("secrets") => serve.secrets = Some(args.value()?.into()),
            Arg::Long("vars") => serve.vars = Some(args.value()?.into()),
            Arg::Long("threads") => serve.threads = args.value()?.parse()?,
            Arg::Long("jobs-every") => {
                let every: u64 = args.value()?.parse()?;
                serve.jobs_every = (every > 0).then(|| Duration::from_secs(every));
            }
            Arg::Long("cell") => cell = args.value()?.parse()?,
            Arg::Long("with-parent") => serve.with_parent = true,
            Arg::Long("without-console") => serve.console = false,
            Arg::Long("entrance") => serve.entrance = true,
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            Arg::Value(word) => words.push(word),
            other => return Err(other.unexpected().into()),
        }
    }
    let mut words = words.into_iter();
    let command = words.next().unwrap_or_default();
    let file = words.next();
    let data = || data.ok_or("name the data folder with --data DIR");
    let command = match (command.to_str(), file) {
        (Some("serve"), None) => {
            serve.data = data()?;
            serve.threads = serve.threads.clamp(1, 256);
            Command::Serve(Box::new(serve))
        }
        (Some("health"), None) => Command::Health { at: serve.listen },
        (Some("migrate"), None) => Command::Migrate { data: data()?, keys: serve.source() },
        (Some("backup"), Some(file)) => Command::Backup { data: data()?, file: file.into() },
        (Some("execute"), Some(file)) => Command::Execute { data: data()?, file: file.into(), cell },
        (Some("check"), None) => Command::Check { data: data()?, keys: serve.source() },
        (Some("export"), Some(folder)) => Command::Copy { from: data()?, to: folder.into(), keys: serve.source() },
        (Some("import"), Some(folder)) => Command::Copy { from: folder.into(), to: data()?, keys: serve.source() },
        (Some("export" | "import"), None) => return Err("name the folder".into()),
        (Some("backup" | "execute"), None) => return Err("name the file".into()),
        _ => return Ok(Command::Help),
    };
    match words.next() {
        None => Ok(command),
        Some(_) => Err("too many words; see --help".into()),
    }
}
