//! `cargo xtask dev`: serves the Worker or the native program with demo data, from a fresh clone, until Ctrl-C.

use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use lexopt::{Arg, ValueExt};
use serde_json::{Map, Value};

use crate::build::{self, Profile};
use crate::clamd::Scanner;
use crate::demo::Demo;
use crate::error::{CommandError, Result};
use crate::native::{self, Features};
use crate::paths::Paths;
use crate::providers::Providers;
use crate::run::Process;
use crate::serve::{Server, check_port, free_port};
use crate::state::{Host, State};
use crate::watch::{Edited, Watch};
use crate::{assets, console, migrations, npm, say, secrets};

struct Options {
    port: u16,
    state: Option<PathBuf>,
    fresh: bool,
    unlimited: bool,
    unscanned: bool,
    sso: bool,
    host: Host,
    /// True if the demo practices get no claims.
    empty: bool,
    cells: Option<u16>,
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    paths.profile = Profile::Development;
    let mut options = Options {
        port: 8787,
        state: None,
        fresh: false,
        unlimited: false,
        unscanned: false,
        sso: false,
        host: Host::Workerd,
        empty: false,
        cells: None,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("port") => options.port = args.value()?.parse()?,
            Arg::Long("state") => options.state = Some(args.value()?.into()),
            Arg::Long("fresh") => options.fresh = true,
            Arg::Long("sso") => options.sso = true,
            Arg::Long("release") => paths.profile = Profile::Release,
            Arg::Long("native") => options.host = Host::Native,
            Arg::Long("demo") => options.empty = only(&mut args, "empty")?,
            Arg::Long("cells") => options.cells = Some(count(&args.value()?.string()?)?),
            Arg::Long("limits") => options.unlimited = only(&mut args, "unlimited")?,
            Arg::Long("scanner") => options.unscanned = only(&mut args, "none")?,
            other => return Err(other.unexpected().into()),
        }
    }
    if options.host == Host::Native && !native::has_built(&paths)? {
        paths.features = Features::Fewest;
    }
    serve(&paths, &options)
}

/// A number of cells.
fn count(text: &str) -> Result<u16> {
    let count = text.parse().ok().filter(|count| (1..1_000).contains(count));
    count.ok_or_else(|| "--cells is a number from 1 to 999".into())
}

/// True if the value of an option is the one word that it knows.
fn only(args: &mut lexopt::Parser, word: &str) -> Result<bool> {
    match args.value()? == word {
        true => Ok(true),
        false => Err(format!("the option knows only `{word}`; leave it out for what is usual").into()),
    }
}

fn serve(paths: &Paths, options: &Options) -> Result {
    let is_native = options.host == Host::Native;
    if is_native && options.sso {
        return Err("the demo providers need workerd: leave --native or --sso out".into());
    }
    let port = if options.port == 0 { free_port()? } else { options.port };
    check_port(port)?;
    // A plain `wrangler dev` uses that of workerd, too.
    let usual = if is_native { ".wrangler/native" } else { ".wrangler/state" };
    let folder = options.state.clone().unwrap_or_else(|| paths.root.join(usual));
    let mut state = State::open_on(options.host, &folder, options.fresh)?;
    if let Some(cells) = options.cells {
        state = state.with_cells(paths, cells)?;
    }
    let _alone = state.lock()?;
    secrets::ensure(paths)?;
    let unscanned = options.unscanned || is_native;
    let scanner = if unscanned { None } else { Scanner::start(paths, &state)? };
    let limits = options.unlimited.then(|| ("LIMITS", "unlimited".to_owned()));
    let scans = unscanned.then(|| ("SCANNER", "none".to_owned()));
    let address = scanner.as_ref().map(|scanner| ("SCANNER_ADDRESS", scanner.address()));
    let vars = [limits, scans, address].into_iter().flatten();
    // They override those of wrangler.toml.
    let mut vars = Value::Object(vars.map(|(name, value)| (name.to_owned(), value.into())).collect::<Map<_, _>>());
    let mut demo = prepare(paths, &state, (&format!("http://127.0.0.1:{port}"), &vars), options.empty)?;
    let providers = if options.sso { Some(Providers::start(paths, &state, &demo)?) } else { None };
    if let Some(providers) = &providers {
        providers.configure(&mut vars);
    }
    let mut migrated = migrations::digest(paths)?;
    let watch = Watch::start(paths)?;
    let mut server = Server::start(paths, &state, port, &vars)?;
    if !is_native {
        demo.upload_documents(paths, &state)?;
    }
    if let Some(providers) = &providers {
        providers.add_to_practice(paths, &state, &mut demo)?;
    }
    say::out(&demo.introduction(&state));
    let has_console = !is_native || npm::is_there(paths);
    if !has_console {
        say::out("there is no Node on this machine, so only the API is served, and no console");
    }
    let complete = paths.with(Features::Own);
    let paths = &complete;
    if is_native {
        beside_answers(paths, has_console)?;
        server.stop()?;
        server = Server::start(paths, &state, port, &vars)?;
    }
    if has_console {
        say::out(&people(&demo, &state));
    }
    // An edit does not wait for it, although the descriptions are then compiled from the start.
    let mut descriptions: Option<Process> = None;
    while server.goes_on()? {
        let Some(edited) = watch.edited() else {
            if let Some(process) = &mut descriptions
                && process.ended()?.is_some()
            {
                descriptions = None;
                went_well(assets::ensure(paths))?;
            }
            continue;
        };
        descriptions = None;
        let start = Instant::now();
        let built = match edited {
            Edited::Console if !has_console => continue,
            // On workerd, its module comes with the Worker.
            Edited::Console if is_native => build::console(paths),
            Edited::Console => console::ensure(paths),
            Edited::Worker => build(paths, options.host),
        };
        // Only the new build itself migrates on the native host, which nobody may do while the server before it runs.
        if went_well(built)? && (is_native || went_well(migrate(paths, &state, &mut migrated))?) {
            server.stop()?;
            server = Server::start(paths, &state, port, &vars)?;
            say::err(&format!("the new build answers {:.1} s after the edit", start.elapsed().as_secs_f32()));
            if is_native {
                descriptions = Some(Process::start(&mut native::compiler(paths, "dev", "--bin", assets::PROGRAM))?);
            }
        }
    }
    Ok(())
}

fn build(paths: &Paths, host: Host) -> Result {
    match host {
        Host::Workerd => build::build(paths),
        Host::Native => native::program(paths, native::SERVER).map(drop),
    }
}

/// Builds what the first answers of the native program do not wait for: the checks of passkeys and single sign-on, the texts, and
/// the console, which needs a toolchain for wasm.
fn beside_answers(paths: &Paths, has_console: bool) -> Result {
    build(paths, Host::Native)?;
    assets::ensure(paths)?;
    if has_console { build::console(paths) } else { Ok(()) }
}

/// Builds the service and fills the database at the same time, so that both cores have work. demo.json is complete before the
/// service answers.
fn prepare(paths: &Paths, state: &State, (base_url, vars): (&str, &Value), empty: bool) -> Result<Demo> {
    let fill = || {
        state.migrate(paths)?;
        let demo = Demo::ensure(paths, state, base_url, vars)?;
        if !empty {
            demo.ensure_history(paths, state, vars)?;
        }
        Ok(demo)
    };
    if state.host == Host::Workerd {
        npm::ensure(paths, &npm::TOOLS)?;
    }
    let (built, demo) = thread::scope(|scope| {
        let filling = scope.spawn(fill);
        (build(paths, state.host), filling.join())
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

/// True if what follows an edit went well. Otherwise its errors are printed, and the previous build stays in service.
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

/// Applies new migrations. wrangler takes seconds even if there are none, so it runs only after one was edited.
fn migrate(paths: &Paths, state: &State, migrated: &mut String) -> Result {
    let digest = migrations::digest(paths)?;
    if *migrated != digest {
        state.migrate(paths)?;
        *migrated = digest;
        if migrations::to_land(paths)?.is_some() {
            say::err("the schema that has not landed reaches only a new state: start again with --fresh");
        }
    }
    Ok(())
}
