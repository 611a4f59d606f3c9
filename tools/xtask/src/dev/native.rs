//! `cargo xtask dev --native`: serves the native program. It needs neither Node nor a toolchain for wasm; without Node it has
//! no console.

use super::{Options, people, vars, went_well};
use crate::demo::Demo;
use crate::error::Result;
use crate::paths::Paths;
use crate::serve::{Server, check_port, free_port};
use crate::state::{Host, State};
use crate::watch::{Edited, Watch};
use crate::{assets, build, native, npm, say, secrets};
use serde_json::Value;
use std::time::Instant;

pub(super) fn serve(paths: &Paths, options: &Options) -> Result {
    if options.sso {
        return Err("the demo providers need workerd: leave --native or --sso out".into());
    }
    let port = if options.port == 0 { free_port()? } else { options.port };
    check_port(port)?;
    let state = State::open_on(Host::Native, &options.state, options.fresh)?;
    let _alone = state.lock()?;
    secrets::ensure(paths)?;
    let mut vars = vars(options, None);
    if let Some(vars) = vars.as_object_mut() {
        vars.insert("SCANNER".to_owned(), Value::from("none"));
    }
    native::program(paths, native::SERVER)?;
    assets::ensure(paths)?;
    state.migrate(paths)?;
    let base_url = format!("http://127.0.0.1:{port}");
    let demo = Demo::ensure(paths, &state, &base_url, &vars)?;
    if !options.empty {
        demo.ensure_history(paths, &state, &vars)?;
    }
    let watch = Watch::start(paths)?;
    let start = || Server::start(paths, &state, port, &vars);
    let mut server = start()?;
    say::out(&demo.introduction(&state));
    let has_console = npm::is_there(paths);
    if has_console {
        // It needs a toolchain for wasm, so it comes after the API.
        build::console(paths)?;
        server.stop()?;
        server = start()?;
        say::out(&people(&demo, &state));
    } else {
        say::out("there is no Node on this machine, so only the API is served, and no console");
    }
    while server.goes_on()? {
        let Some(edited) = watch.edited() else {
            continue;
        };
        let began = Instant::now();
        let ended = match edited {
            Edited::Console if has_console => build::console(paths),
            Edited::Console => continue,
            Edited::Worker => native::program(paths, native::SERVER).map(drop),
        };
        if !went_well(ended.and_then(|()| assets::ensure(paths)))? {
            continue;
        }
        // Its start migrates the database, which nobody may do while the server before it runs.
        server.stop()?;
        server = start()?;
        say::err(&format!("the new build answers {:.1} s after the edit", began.elapsed().as_secs_f32()));
    }
    Ok(())
}
