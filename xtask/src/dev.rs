//! `cargo xtask dev`: the Worker with demo data, from a fresh clone, until Ctrl-C.

use std::path::PathBuf;

use lexopt::{Arg, ValueExt};
use serde_json::{Value, json};

use crate::demo::Demo;
use crate::failure::Result;
use crate::paths::Paths;
use crate::serve::{self, Server};
use crate::state::State;
use crate::{build, say, secrets};

struct Options {
    port: u16,
    state: PathBuf,
    fresh: bool,
    unlimited: bool,
}

/// The command line.
pub(crate) fn command(paths: &Paths, args: lexopt::Parser) -> Result {
    let options = options(paths, args)?;
    let port = if options.port == 0 {
        serve::free_port()?
    } else {
        options.port
    };
    serve::check_port(port)?;
    let state = State::open(&options.state, options.fresh)?;
    let _alone = state.lock()?;
    build::build(paths)?;
    secrets::ensure(paths)?;
    state.migrate(paths)?;
    // Written before the service answers, so that whoever waits for an answer finds it.
    let (base_url, vars) = (format!("http://127.0.0.1:{port}"), vars(&options));
    let demo = Demo::ensure(paths, &state, &base_url, &vars)?;
    let server = Server::start(paths, &state, port, &vars)?;
    say::out(&demo.introduction(&state));
    server.until_stopped()
}

fn options(paths: &Paths, mut args: lexopt::Parser) -> Result<Options> {
    let mut options = Options {
        port: 8787,
        // Where a plain `wrangler dev` looks, too.
        state: paths.root.join(".wrangler/state"),
        fresh: false,
        unlimited: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("port") => options.port = args.value()?.parse()?,
            Arg::Long("state") => options.state = args.value()?.into(),
            Arg::Long("fresh") => options.fresh = true,
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
