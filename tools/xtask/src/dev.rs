//! `cargo xtask dev`: serves the Worker with demo data, from a fresh clone, until Ctrl-C.

use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use lexopt::{Arg, ValueExt};
use serde_json::Value;

use crate::build::{self, Profile};
use crate::clamd::Scanner;
use crate::demo::Demo;
use crate::error::{CommandError, Result};
use crate::paths::Paths;
use crate::providers::Providers;
use crate::serve::{Server, check_port, free_port};
use crate::state::State;
use crate::watch::{Edited, Watch};
use crate::{console, migrations, npm, say, secrets};

mod native;

struct Options {
    port: u16,
    state: PathBuf,
    fresh: bool,
    unlimited: bool,
    unscanned: bool,
    sso: bool,
    release: bool,
    /// True for the native program in place of the Worker.
    native: bool,
    /// True if the demo practices get no claims.
    empty: bool,
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, args: lexopt::Parser) -> Result {
    let options = options(&paths, args)?;
    if !options.release {
        paths.profile = Profile::Development;
    }
    if options.native {
        return native::serve(&paths, &options);
    }
    serve(&paths, &options)
}

fn serve(paths: &Paths, options: &Options) -> Result {
    let port = if options.port == 0 { free_port()? } else { options.port };
    check_port(port)?;
    let state = State::open(&options.state, options.fresh)?;
    let _alone = state.lock()?;
    secrets::ensure(paths)?;
    let mut scanner = match options.unscanned {
        true => None,
        false => Some(Scanner::start(paths, &state)?),
    };
    let base_url = format!("http://127.0.0.1:{port}");
    let mut vars = vars(options, scanner.as_ref());
    let mut demo = prepare(paths, &state, (&base_url, &vars), options.empty)?;
    let providers = match options.sso {
        true => Some(Providers::start(paths, &state, &demo)?),
        false => None,
    };
    if let Some(providers) = &providers {
        providers.configure(&mut vars);
    }
    let mut served = Served { build: build::built(paths), migrations: migrations::digest(paths)? };
    let watch = Watch::start(paths)?;
    let mut server = Server::start(paths, &state, port, &vars)?;
    demo.upload_documents(paths, &state)?;
    if let Some(providers) = &providers {
        providers.add_to_practice(paths, &state, &mut demo)?;
    }
    say::out(&demo.introduction(&state));
    say::out(&people(&demo, &state));
    while server.goes_on()? {
        if let Some(scanner) = &mut scanner {
            scanner.check(paths)?;
        }
        let Some(edited) = watch.edited() else {
            continue;
        };
        let start = Instant::now();
        if rebuilt(paths, &state, &mut served, edited)? {
            server.stop()?;
            server = Server::start(paths, &state, port, &vars)?;
            say::err(&format!("the new build answers {:.1} s after the edit", start.elapsed().as_secs_f32()));
        }
    }
    Ok(())
}

/// Builds the Worker and fills the database at the same time, so that both cores have work. demo.json is complete before the
/// service answers.
fn prepare(paths: &Paths, state: &State, (base_url, vars): (&str, &Value), empty: bool) -> Result<Demo> {
    let fill = || {
        npm::ensure(paths, &npm::TOOLS)?;
        state.migrate(paths)?;
        let demo = Demo::ensure(paths, state, base_url, vars)?;
        if !empty {
            demo.ensure_history(paths, state, vars)?;
        }
        Ok(demo)
    };
    let (built, demo) = thread::scope(|scope| {
        let filling = scope.spawn(fill);
        (build::build(paths), filling.join())
    });
    built?;
    demo.unwrap_or_else(|_| Err("loading the demo data panicked".into()))
}

/// The people of the demo data, for the console.
fn people(demo: &Demo, state: &State) -> String {
    let cast = [
        ("owner", "an owner of the practice"),
        ("member", "a member of the practice"),
        ("staff", "staff, who work on its claims"),
        ("second_staff", "another of the staff"),
    ];
    let lines = cast.map(|(label, what)| {
        let text = |of: &str| demo.text(&format!("/users/{label}/{of}")).to_owned();
        let (email, password) = (text("email"), text("password"));
        format!("  {label:<13} {email:<36} {password}   {what}\n")
    });
    // Browsers have passkeys at a host name only.
    let console = demo.text("/base_url").replace("127.0.0.1", "localhost");
    format!(
        "Open the console in a browser: {console}
Sign in as one of these (label, email address, password):
{lines}Then enter a code. A second terminal in this folder prints it:
  cargo xtask code owner --state {state}

Ctrl-C ends it.
",
        lines = lines.concat(),
        state = state.folder.display()
    )
}

/// What the running server was started with.
struct Served {
    build: Value,
    migrations: String,
}

impl Served {
    /// Notes how a build after an edit ended. Returns true if there is a new build to serve.
    fn follows(&mut self, ended: Result, build: Value) -> Result<bool> {
        if !went_well(ended)? {
            return Ok(false);
        }
        let is_new = self.build != build;
        self.build = build;
        Ok(is_new)
    }
}

/// True if a build after an edit went well. Otherwise its errors are printed, and the previous build stays in service.
fn went_well(ended: Result) -> Result<bool> {
    match ended {
        Ok(()) => Ok(true),
        Err(CommandError::Message(message)) => {
            say::err(&format!("error: {message}\nthe previous build keeps answering until the next edit"));
            Ok(false)
        }
        Err(CommandError::Signal(_)) => Ok(false),
        Err(said) => Err(said),
    }
}

/// Builds after an edit, and returns true if there is a new build to serve.
fn rebuilt(paths: &Paths, state: &State, served: &mut Served, edited: Edited) -> Result<bool> {
    let ended = match edited {
        Edited::Console => console::ensure(paths),
        Edited::Worker => build::build(paths).and_then(|()| migrate(paths, state, served)),
    };
    served.follows(ended, build::built(paths))
}

/// Applies new migrations. wrangler takes seconds even if there are none, so it runs only after one was edited.
fn migrate(paths: &Paths, state: &State, served: &mut Served) -> Result {
    let digest = migrations::digest(paths)?;
    if served.migrations != digest {
        state.migrate(paths)?;
        served.migrations = digest;
        if migrations::to_land(paths)?.is_some() {
            say::err("the schema that has not landed reaches only a new state: start again with --fresh");
        }
    }
    Ok(())
}

fn options(paths: &Paths, mut args: lexopt::Parser) -> Result<Options> {
    let mut options = Options {
        port: 8787,
        // The folder that a plain `wrangler dev` uses, too.
        state: paths.root.join(".wrangler/state"),
        fresh: false,
        unlimited: false,
        unscanned: false,
        sso: false,
        release: false,
        native: false,
        empty: false,
    };
    let mut named = None;
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("port") => options.port = args.value()?.parse()?,
            Arg::Long("state") => named = Some(PathBuf::from(args.value()?)),
            Arg::Long("fresh") => options.fresh = true,
            Arg::Long("sso") => options.sso = true,
            Arg::Long("release") => options.release = true,
            Arg::Long("native") => options.native = true,
            Arg::Long("demo") => match args.value()?.to_str() {
                Some("empty") => options.empty = true,
                _ => {
                    return Err("--demo knows only `empty`; leave it out for practices with claims".into());
                }
            },
            Arg::Long("limits") => match args.value()?.to_str() {
                Some("unlimited") => options.unlimited = true,
                _ => return Err("--limits knows only `unlimited`; leave it out for the limits of production".into()),
            },
            Arg::Long("scanner") => match args.value()?.to_str() {
                Some("none") => options.unscanned = true,
                _ => return Err("--scanner knows only `none`; leave it out to use the clamd of this machine".into()),
            },
            other => return Err(other.unexpected().into()),
        }
    }
    if options.native {
        options.state = paths.root.join(".wrangler/native");
    }
    options.state = named.unwrap_or(options.state);
    Ok(options)
}

/// The variables that override those of wrangler.toml.
fn vars(options: &Options, scanner: Option<&Scanner>) -> Value {
    let limits = options.unlimited.then(|| ("LIMITS", "unlimited".to_owned()));
    let unscanned = options.unscanned.then(|| ("SCANNER", "none".to_owned()));
    let address = scanner.map(|scanner| ("SCANNER_ADDRESS", scanner.address()));
    let all = [limits, unscanned, address].into_iter().flatten();
    all.map(|(name, value)| (name.to_owned(), Value::from(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn served() -> Served {
        Served { build: json!("old"), migrations: String::new() }
    }

    #[test]
    fn an_edit_that_does_not_compile_leaves_the_previous_build_in_service() {
        let mut served = served();
        let failed = || Err("`cargo build` failed".into());
        assert!(matches!(served.follows(failed(), json!("old")), Ok(false)));
        assert!(matches!(served.follows(Ok(()), json!("old")), Ok(false)));
        assert!(matches!(served.follows(Ok(()), json!("new")), Ok(true)));
    }

    #[test]
    fn a_build_whose_migration_failed_is_served_once_the_migration_works() {
        let mut served = served();
        let failed = Err("`wrangler d1 migrations apply` failed".into());
        assert!(matches!(served.follows(failed, json!("new")), Ok(false)));
        assert!(matches!(served.follows(Ok(()), json!("new")), Ok(true)));
        assert!(matches!(served.follows(Ok(()), json!("new")), Ok(false)));
    }
}
