//! `cargo run -p overturn-api FOLDER` writes `openapi.json` and `accounts.json`, as the service serves them. It reads the
//! `docs` of the current folder.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder to write openapi.json and accounts.json to")?;
    let folder = Path::new(&folder);
    let docs = Path::new("docs");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("openapi.json"), overturn_api::claims(docs)?.to_string())?;
    fs::write(folder.join("accounts.json"), overturn_api::accounts(docs)?.to_string())?;
    Ok(())
}
