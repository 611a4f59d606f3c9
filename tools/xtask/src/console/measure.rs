//! `cargo xtask bench console` and `cargo xtask console picture`.

use lexopt::{Arg, ValueExt};

use super::browse::{self, Data};
use super::sizes;
use crate::build::{self, Profile};
use crate::error::Result;
use crate::paths::Paths;
use crate::state::Host;

/// Measures the console in a browser on a slow machine and network, and prints a table.
pub(crate) fn bench(paths: &mut Paths, mut args: lexopt::Parser) -> Result {
    let mut rounds: u32 = 5;
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("rounds") => rounds = args.value()?.parse()?,
            Arg::Long("dev") => paths.profile = Profile::Development,
            other => return Err(other.unexpected().into()),
        }
    }
    // What people wait for is the Worker.
    paths.host = Host::Workerd;
    build::service_with_console(paths)?;
    let args = ["tools/bench/console.mjs".to_owned(), rounds.to_string(), sizes::table(paths)?];
    browse::with_node(paths, "bench", Data::Claims, &args.map(Into::into))
}

/// Writes docs/console.png, the picture of the README.
pub(super) fn picture(paths: &mut Paths) -> Result {
    // The Worker is not in the picture.
    paths.profile = Profile::Development;
    build::service_with_console(paths)?;
    let args = ["tests/browser/console/picture.mjs", "docs/console.png"];
    browse::with_node(paths, "picture", Data::Claims, &args.map(Into::into))
}
