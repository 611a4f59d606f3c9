//! Writes what is made of the routes and of `docs` of the current folder:
//!
//! ```text
//! overturn-api FOLDER          openapi.json and accounts.json, as the service serves them
//! overturn-api clients FOLDER  what is generated of the clients in TypeScript and Python
//! overturn-api pages FOLDER    the pages for developers: the folder docs, and llms.txt
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let docs = Path::new("docs");
    match words.as_slice() {
        [folder] => {
            let folder = Path::new(folder);
            fs::create_dir_all(folder)?;
            fs::write(folder.join("openapi.json"), overturn_api::claims(docs)?.to_string())?;
            fs::write(folder.join("accounts.json"), overturn_api::accounts(docs)?.to_string())?;
            Ok(())
        }
        [what, folder] if what == "clients" => overturn_api::clients::write(docs, Path::new(folder)),
        [what, folder] if what == "pages" => overturn_api::pages::write(docs, Path::new(folder)),
        _ => Err("name what to write, and the folder".into()),
    }
}
