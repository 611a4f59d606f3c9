//! `cargo xtask dev`: serves the Worker with demo data, from a fresh clone, until Ctrl-C.

use std::path::PathBuf;

use lexopt::{Arg, ValueExt};
use serde_json::{Value, json};

use crate::build::{self, Profile};
use crate::demo::Demo;
use crate::failure::{Failure, Result};
use crate::paths::Paths;
use crate::serve::{Server, check_port, free_port};
use crate::state::State;
use crate::watch::Watch;
use crate::{say, secrets};

struct Options {
    port: u16,
    state: PathBuf,
    fresh: bool,
    unlimited: bool,
    release: bool,
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, args: lexopt::Parser) -> Result {
    let options = options(&paths, args)?;
    if !options.release {
        paths.profile = Profile::Development;
    }
    serve(&paths, &options)
}

fn serve(paths: &Paths, options: &Options) -> Result {
    let port = if options.port == 0 {
        free_port()?
    } else {
        options.port
    };
    check_port(port)?;
    let state = State::open(&options.state, options.fresh)?;
    let _alone = state.lock()?;
    build::build(paths)?;
    secrets::ensure(paths)?;
    state.migrate(paths)?;
    // Saved before the service answers, so that a client that waits for the service finds the file.
    let (base_url, vars) = (format!("http://127.0.0.1:{port}"), vars(options));
    let demo = Demo::ensure(paths, &state, &base_url, &vars)?;
    let watch = Watch::start(paths)?;
    let mut server = Server::start(paths, &state, port, &vars)?;
    say::out(&demo.introduction(&state));
    while server.goes_on()? {
        if watch.edited() && rebuilt(paths, &state)? {
            server.stop()?;
            server = Server::start(paths, &state, port, &vars)?;
            say::err("the new build answers");
        }
    }
    Ok(())
}

/// Builds after an edit. Returns true if there is a new build to serve. Compiler errors are printed, and the previous build stays in service.
fn rebuilt(paths: &Paths, state: &State) -> Result<bool> {
    let before = build::built(paths);
    match build::build(paths).and_then(|()| state.migrate(paths)) {
        Ok(()) => Ok(build::built(paths) != before),
        Err(Failure::Message(message)) => {
            say::err(&format!(
                "error: {message}\nthe build before goes on answering until the next edit"
            ));
            Ok(false)
        }
        Err(Failure::Signal(_)) => Ok(false),
        Err(said) => Err(said),
    }
}

fn options(paths: &Paths, mut args: lexopt::Parser) -> Result<Options> {
    let mut options = Options {
        port: 8787,
        // The folder that a plain `wrangler dev` uses, too.
        state: paths.root.join(".wrangler/state"),
        fresh: false,
        unlimited: false,
        release: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("port") => options.port = args.value()?.parse()?,
            Arg::Long("state") => options.state = args.value()?.into(),
            Arg::Long("fresh") => options.fresh = true,
            Arg::Long("release") => options.release = true,
            Arg::Long("limits") => match args.value()?.to_str() {
                Some("unlimited") => options.unlimited = true,
                _ => return Err(
                    "--limits knows only `unlimited`; leave it out for the limits of production"
                        .into(),
                ),
            },
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(options)
}

fn vars(options: &Options) -> Value {
    if options.unlimited {
        json!({ "LIMITS": "unlimited" })
    } else {
        json!({})
    }
}
