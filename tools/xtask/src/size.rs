//! The total size of files.

use std::fmt;
use std::path::PathBuf;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::run;

/// A size in bytes, plain and gzipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    plain: u64,
    /// All files compressed as one stream.
    pub(crate) gzipped: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [plain, gzipped] = [self.plain, self.gzipped].map(|bytes| bytes.div_ceil(1000));
        write!(f, "{plain} KB, {gzipped} KB gzipped")
    }
}

/// The total size of these files.
pub(crate) fn of(paths: &Paths, files: impl IntoIterator<Item = PathBuf>) -> Result<Size> {
    const COUNT: &str = "cat \"$@\" | wc -c && cat \"$@\" | gzip -9 | wc -c";
    let printed = run::output(paths.command("sh").args(["-ec", COUNT, "sh"]).args(files))?;
    let numbers: std::result::Result<Vec<u64>, _> = printed.split_whitespace().map(str::parse).collect();
    match numbers.context(|| "the size".to_owned())?[..] {
        [plain, gzipped] => Ok(Size { plain, gzipped }),
        _ => Err("wc counted something else".into()),
    }
}
