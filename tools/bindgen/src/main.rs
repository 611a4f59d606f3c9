//! `bindgen MODULE --out-dir DIR [OPTIONS]`: makes the JavaScript side of a compiled module.
//!
//! Each option has the name and the meaning that it has in wasm-bindgen's own program.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::{Arg, ValueExt};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed pipe must not cause a panic.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    let mut folder = None;
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Value(module) => {
                bindgen.input_path(PathBuf::from(module));
            }
            Arg::Long("out-dir") => folder = Some(PathBuf::from(args.value()?)),
            Arg::Long("out-name") => {
                bindgen.out_name(&args.value()?.string()?);
            }
            Arg::Long("target") => target(&mut bindgen, &args.value()?.string()?)?,
            Arg::Long("no-typescript") => {
                bindgen.typescript(false);
            }
            Arg::Long("omit-default-module-path") => {
                bindgen.omit_default_module_path(true);
            }
            Arg::Long("experimental-reset-state-function") => {
                bindgen.reset_state_function(true);
            }
            Arg::Long("force-enable-abort-handler") => {
                bindgen.force_enable_abort_handler(true);
            }
            Arg::Long("remove-producers-section") => {
                bindgen.remove_producers_section(true);
            }
            Arg::Long("remove-name-section") => {
                bindgen.remove_name_section(true);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = folder.ok_or("--out-dir is missing")?;
    // The alternate form repeats the causes.
    bindgen.generate(folder).map_err(|error| format!("{error:#}").into())
}

fn target(bindgen: &mut Bindgen, name: &str) -> Result<(), Box<dyn Error>> {
    match name {
        "module" => bindgen.module(true)?,
        "web" => bindgen.web(true)?,
        _ => return Err(format!("--target must be module or web, not {name}").into()),
    };
    Ok(())
}
