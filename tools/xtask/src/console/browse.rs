//! A browser before the console, which is served before the service with demo data.

use std::ffi::OsString;

use serde_json::json;

use crate::browser;
use crate::demo::Demo;
use crate::error::Result;
use crate::paths::Paths;
use crate::providers::Providers;
use crate::serve::{self, Server, Serving};
use crate::state::State;
use crate::{npm, run, secrets};

/// What the demo practices have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Identity providers to sign in by, and no claims.
    Providers,
    /// Claims in every state.
    Claims,
}

/// Serves the console with fresh demo data in a folder below `target/console`, and runs Node with `args`. Node finds the path
/// of demo.json and the browser in its environment. The service has been built.
pub(super) fn with_node(paths: &Paths, folder: &str, data: Data, args: &[OsString]) -> Result {
    npm::ensure(paths, &npm::BROWSER)?;
    let browser = browser::ensure(paths)?;
    secrets::ensure(paths)?;
    let mut vars = json!({ "LIMITS": "unlimited", "SCANNER": "none" });
    let state = State::open_on(paths.host, &paths.root.join("target/console").join(folder), true)?;
    state.migrate(paths)?;
    let port = serve::free_port()?;
    // Passkeys need a host name.
    let base_url = format!("http://localhost:{port}");
    let mut demo = Demo::ensure(paths, &state, &base_url, &vars)?;
    if data == Data::Claims {
        demo.ensure_history(paths, &state, &vars)?;
    }
    let providers = match data {
        Data::Providers => Some(Providers::start_for_tests(paths, &state, &demo)?),
        Data::Claims => None,
    };
    if let Some(providers) = &providers {
        providers.configure(&mut vars);
    }
    let serving = Serving::ConsoleUnderTest;
    let server = Server::start_logging(paths, &state, port, &vars, serving, |_| {})?;
    let mut command = paths.command(paths.node());
    let browser = match data {
        Data::Providers => browser.quick_command_line(),
        // These are measured and shown as people have them.
        Data::Claims => browser.command_line(),
    };
    command.args(args).env("OVERTURN_BROWSER", browser).env("OVERTURN_CONSOLE", state.demo());
    if let Some(providers) = &providers {
        providers.add_to_practice(paths, &state, &mut demo)?;
        command.env("OVERTURN_PROVIDER", providers.issuer());
    }
    run::run(&mut command)?;
    server.stop()
}
