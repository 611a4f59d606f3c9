//! The folder of what a server keeps: a local D1, KV, R2 and Durable Objects, or the data of the native program.

use crate::host;
use crate::project;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The database of the native program.
const DATABASE: &str = "overturn.db";

/// A fresh state with the migrations applied, removed when dropped.
#[derive(Debug)]
pub struct State {
    folder: PathBuf,
}

impl State {
    pub fn fresh() -> Self {
        Self::copy_of(&template())
    }

    /// The same with several databases under workerd. The native program makes its own.
    pub fn of_cells(cells: u16) -> Self {
        let state = Self::fresh();
        let migrations = project::root().join("edge/migrations");
        let database = |cell| {
            let name = if cell == 0 { "overturn-dev".to_owned() } else { format!("overturn-dev-{cell:03}") };
            format!(
                "\n[[d1_databases]]\nbinding = \"DB_{cell:03}\"\ndatabase_name = \"{name}\"\ndatabase_id = \"{name}\"\nmigrations_dir = {migrations:?}\n"
            )
        };
        let head = "name = \"overturn-dev\"\ncompatibility_date = \"2026-11-01\"\n".to_owned();
        let config = state.folder.join("cells.toml");
        fs::write(&config, std::iter::once(head).chain((0..cells).map(database)).collect::<String>()).unwrap();
        (1..cells).for_each(|cell| apply(&format!("DB_{cell:03}"), &state.folder, Some(&config)));
        state
    }

    /// A folder with nothing in it.
    pub fn empty() -> Self {
        let folder = Self::next();
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// A copy of this state, which no server may be using.
    pub fn copy(&self) -> Self {
        Self::copy_of(&self.folder)
    }

    fn copy_of(from: &Path) -> Self {
        let folder = Self::next();
        copy(from, &folder);
        Self { folder }
    }

    fn next() -> PathBuf {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        project::scratch().join(format!("state-{}-{number}", process::id()))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the SQLite database. Open it for writing only while no server uses it.
    pub fn database(&self) -> PathBuf {
        if host::is_native() {
            return self.folder.join(DATABASE);
        }
        let files = self.files().into_iter();
        let mut databases = files.filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            path.components().any(|part| part.as_os_str() == "d1")
                && name.ends_with(".sqlite")
                && name != "metadata.sqlite"
        });
        databases.next().unwrap()
    }

    /// True for a file of the database, with what is beside it.
    pub fn is_of_database(&self, file: &Path) -> bool {
        if host::is_native() {
            let name = file.file_name().unwrap().to_string_lossy();
            return name.starts_with("overturn") && name.contains(".db");
        }
        let part = file.strip_prefix(&self.folder).unwrap();
        part.components().any(|name| name.as_os_str() == "d1")
    }

    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    files.push(entry.path());
                }
            }
        }
        files
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.folder);
    }
}

/// A state with the migrations applied. It is made once for each set of migrations, because wrangler takes seconds, and the
/// native program has more to do than to copy a file.
fn template() -> PathBuf {
    static MAKING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = MAKING.lock();
    let host = if host::is_native() { "native-" } else { "" };
    let folder = project::scratch().join(format!("template-{host}{:016x}", digest()));
    if !folder.is_dir() {
        let draft = folder.with_extension(process::id().to_string());
        migrate(&draft);
        // Another process may have made it first.
        if fs::rename(&draft, &folder).is_err() {
            fs::remove_dir_all(&draft).unwrap();
        }
    }
    folder
}

fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
    let migrations = fs::read_dir(project::root().join("edge/migrations")).unwrap();
    let mut inputs: Vec<PathBuf> = migrations.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    inputs.push(project::root().join("wrangler.toml"));
    inputs.push(project::root().join("package-lock.json"));
    for path in inputs {
        fs::read(path).unwrap().hash(&mut hasher);
    }
    hasher.finish()
}

fn migrate(folder: &Path) {
    if host::is_native() {
        let mut command = project::native();
        let done = command.args(["migrate", "--data"]).arg(folder).output();
        let done = done.unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "overturn-server migrate: {said}");
        return;
    }
    apply("DB_000", folder, None);
}

/// Applies the migrations to a database of workerd.
fn apply(binding: &str, folder: &Path, config: Option<&Path>) {
    let mut command = project::command("wrangler");
    command.args(["d1", "migrations", "apply", binding, "--local", "--persist-to"]).arg(folder);
    command.args(config.iter().flat_map(|config| ["--config".as_ref(), config.as_os_str()]));
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "wrangler: {said}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
