//! Lists the migrations of the database, in their order.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../edge/migrations");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of migrations")
        .map(|entry| entry.expect("a migration").path())
        .filter(|path| path.extension().is_some_and(|found| found == "sql"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy();
        writeln!(
            list,
            "({name:?}, include_str!({:?})),",
            file.display().to_string()
        )
        .expect("text");
    }
    list.push(']');
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("migrations.rs"), list).expect("the list");
}
