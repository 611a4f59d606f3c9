//! Lists the migrations of the database, in their order.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    // A build script runs in the folder of its package.
    let folder = fs::canonicalize("../edge/migrations")?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={}", folder.display())?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == "sql") {
            files.push(path);
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.file_name().ok_or("a file without a name")?;
        let (name, path) = (name.to_string_lossy(), file.to_string_lossy());
        writeln!(list, "({name:?}, include_str!({path:?})),")?;
    }
    list.push(']');
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("migrations.rs"), list)?;
    Ok(())
}
