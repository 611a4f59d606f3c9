//! The programs of npm packages that make modules and scripts smaller.

use std::fs;
use std::path::Path;

use super::Profile;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{arrange, run};

/// The features that rustc and wasm-bindgen use for a Worker, and none that the platform does not support.
pub(super) const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-exception-handling",
];

/// Options of wasm-opt: sort the functions as [`arrange`] has named them, without undoing the optimization before.
const ARRANGE: [&str; 5] = [
    "--generate-stack-ir",
    "--optimize-stack-ir",
    "--optimize-level=3",
    "--reorder-functions-by-name",
    "--strip-debug",
];

/// How wasm-opt makes a module for production smaller. For development, it stays as it is.
pub(crate) struct Shrink {
    /// What the module may use.
    pub features: &'static [&'static str],
    /// What wasm-opt does.
    pub options: &'static [&'static str],
}

impl Shrink {
    /// Optimizes a module in place, and puts similar functions next to each other.
    pub(crate) fn run(&self, paths: &Paths, wasm: &Path) -> Result {
        if paths.profile == Profile::Development {
            return Ok(());
        }
        self.rewrite(paths, wasm, self.options)?;
        let unreadable = || format!("cannot arrange {}", wasm.display());
        let module = fs::read(wasm).context(unreadable)?;
        let named = arrange::named(&module).ok_or_else(unreadable)?;
        fs::write(wasm, named).context(unreadable)?;
        self.rewrite(paths, wasm, &ARRANGE)
    }

    /// The same for a copy of a module.
    pub(crate) fn copy(&self, paths: &Paths, wasm: &Path, to: &Path) -> Result {
        fs::copy(wasm, to).context(|| format!("cannot copy {}", wasm.display()))?;
        self.run(paths, to)
    }

    /// What a module must be made anew for if it changes, besides the version of wasm-opt.
    pub(crate) fn inputs(&self, paths: &Paths) -> String {
        let (profile, features, options) = (paths.profile, self.features, self.options);
        let order = include_str!("../arrange.rs");
        format!("{profile:?}{features:?}{options:?}{ARRANGE:?}{order}")
    }

    fn rewrite(&self, paths: &Paths, wasm: &Path, options: &[&str]) -> Result {
        let mut command = paths.command(paths.npm_bin().join("wasm-opt"));
        command.args(self.features).args(options);
        run::output(command.arg(wasm).arg("-o").arg(wasm)).map(drop)
    }
}

/// Runs esbuild on a script.
pub(super) fn bundle(paths: &Paths, script: &Path, outfile: &Path, options: &[&str]) -> Result {
    let mut command = paths.command(paths.npm_bin().join("esbuild"));
    command.arg(script).args(options);
    run::output(command.arg(format!("--outfile={}", outfile.display()))).map(drop)
}
