//! SQLite: one thread writes, others read beside it.
//!
//! The writer runs the batches that wait in one outer transaction, each in a savepoint, so that one `fsync` commits all of
//! them. A batch is answered only after that. Batches that only read run on connections of their own, each on one
//! snapshot.

mod backup;
mod cells;
mod log;
mod migrations;
mod reader;
#[cfg(test)]
pub(crate) mod tests;
mod trial;
mod writer;

#[cfg(test)]
use backup::backup;
pub(crate) use backup::backup_all;
pub(crate) use cells::{Numbered, file, files, found};
pub(crate) use migrations::{has_all_migrations, migrate, migrate_all};

use crate::error::{Context, Result};
use overturn_service::host::{Database, Ran, Size, Step};
use overturn_service::sqlite::keep_statements;
use overturn_service::store::Statement;
use overturn_service::store::error::DatabaseError;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::oneshot;
use trial::Trial;

/// Earlier versions can lose pages when a write-ahead log is reset.
const LEAST_VERSION: i32 = 3_051_003;
/// How many batches are read at the same time.
const READERS: usize = 3;
/// How long a connection waits for another program that holds the file, such as one that replicates it.
const BUSY: Duration = Duration::from_secs(5);

/// How long a command waits for a server that is busy with writes.
const TIME_OUT: Duration = Duration::from_secs(30);

/// Runs the statements of an SQL file in one transaction, also while a server uses the database.
///
/// # Errors
///
/// A file cannot be read, or a statement failed, and none has an effect.
pub(crate) fn execute(file: &Path, statements: &Path) -> Result<()> {
    let sql = fs::read_to_string(statements);
    let sql = sql.context(|| format!("cannot read {}", statements.display()))?;
    if !file.is_file() {
        return Err(format!("there is no database {}", file.display()).into());
    }
    let mut db = connect(file, Sync::Full)?;
    db.busy_timeout(TIME_OUT)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(&sql)?;
    Ok(transaction.commit()?)
}

/// Where the documents of a data folder are.
pub(crate) fn documents(data: &Path) -> PathBuf {
    data.join("documents")
}

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sync {
    /// It does.
    Full,
    /// Only the process may crash, not the machine: for tests.
    Off,
}

/// A batch that waits.
struct Job {
    statements: Vec<Statement>,
    answer: oneshot::Sender<std::result::Result<Ran, DatabaseError>>,
}

/// What the metrics say of the database.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) reads: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) commits: AtomicU64,
    pub(crate) waiting: AtomicU64,
}

/// The statements that write, by their addresses. A batch with one of them goes to the writer.
type Writing = Arc<RwLock<HashSet<usize>>>;

fn address(statement: &Statement) -> usize {
    statement.sql.as_ptr().addr()
}

/// The database, for any thread.
#[derive(Clone)]
pub(crate) struct Sqlite {
    file: Arc<Path>,
    writer: Sender<Job>,
    readers: Sender<Job>,
    writing: Writing,
    /// True if a batch that reads waits for those that came before it, as in D1. Tests rely on it.
    in_order: bool,
    pub(crate) counts: Arc<Counts>,
}

/// The threads of a database. They end when the last handle is dropped.
#[derive(Default)]
pub(crate) struct Threads(Vec<JoinHandle<()>>);

impl Threads {
    /// Waits until the last batch is committed.
    pub(crate) fn join(self) {
        for thread in self.0 {
            // A thread that panicked has said so.
            let _ended = thread.join();
        }
    }
}

impl Sqlite {
    /// Opens the databases of all cells, and checks that each is that of its cell.
    pub(crate) fn open_all(files: &Numbered<PathBuf>, sync: Sync) -> Result<(Numbered<Self>, Threads)> {
        migrate_all(files)?;
        let all = RefCell::new(Threads::default());
        let cells = files.map(|file| {
            let (database, threads) = Self::open(file, sync)?;
            all.borrow_mut().0.extend(threads.0);
            Ok::<_, crate::error::Error>(database)
        })?;
        Ok((cells, all.into_inner()))
    }

    /// Opens the database in a file, which is made if there is none, and applies the migrations.
    pub(crate) fn open(file: &Path, sync: Sync) -> Result<(Self, Threads)> {
        let mut db = connect(file, sync)?;
        migrate(&mut db)?;
        let (writer, jobs) = mpsc::channel();
        let counts = Arc::<Counts>::default();
        let mut threads = Vec::new();
        let writes = Arc::clone(&counts);
        let trial = || (sync == Sync::Off).then(Trial::default);
        let of_writer = trial();
        threads.push(spawn("writer", move || writer::write(&db, &jobs, &writes, of_writer))?);
        let (readers, jobs) = mpsc::channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let writing = Writing::default();
        for _ in 0..READERS {
            let reader = reader::Reader {
                db: connect_to_read(file)?,
                jobs: Arc::clone(&jobs),
                writer: writer.clone(),
                writing: Arc::clone(&writing),
                counts: Arc::clone(&counts),
                trial: trial(),
            };
            threads.push(spawn("reader", move || reader.run())?);
        }
        let database = Self { file: file.into(), writer, readers, writing, in_order: sync == Sync::Off, counts };
        Ok((database, Threads(threads)))
    }

    /// Waits for the batches that came before.
    async fn catch_up(&self) {
        let (answer, answered) = oneshot::channel();
        let statements = Vec::new();
        if self.writer.send(Job { statements, answer }).is_ok() {
            let _ran = answered.await;
        }
    }

    /// Empties the file of the log, in which deleted rows stay readable. It blocks the thread.
    ///
    /// # Errors
    ///
    /// The disk failed.
    pub(crate) fn empty_log(&self) -> Result<()> {
        log::empty(&self.file)
    }

    /// Until a statement is known to write, a reader finds out.
    fn writes(&self, statements: &[Statement]) -> bool {
        let writing = self.writing.read();
        writing.is_ok_and(|writing| statements.iter().any(|s| writing.contains(&address(s))))
    }
}

impl Database for Sqlite {
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, std::result::Result<Ran, DatabaseError>> {
        Box::pin(async move {
            let gone = DatabaseError::Transient("stopped");
            let to = match self.writes(statements) {
                true => &self.writer,
                false => &self.readers,
            };
            if self.in_order {
                self.catch_up().await;
            }
            let (answer, answered) = oneshot::channel();
            let statements = statements.to_vec();
            self.counts.waiting.fetch_add(1, Ordering::Relaxed);
            let sent = to.send(Job { statements, answer });
            let ran = match sent {
                Ok(()) => answered.await.unwrap_or(Err(gone)),
                Err(_) => Err(gone),
            };
            self.counts.waiting.fetch_sub(1, Ordering::Relaxed);
            ran
        })
    }

    fn size(&self) -> Option<Size> {
        Some(Size { bytes: fs::metadata(&self.file).ok()?.len(), most: None })
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(work).context(|| "cannot start a thread".into())
}

/// A connection that may write.
pub(crate) fn connect(file: &Path, sync: Sync) -> Result<Connection> {
    if rusqlite::version_number() < LEAST_VERSION {
        return Err(format!("SQLite {} is too old", rusqlite::version()).into());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    }
    // SQLite gives the files beside it the same mode.
    let made = OpenOptions::new().create(true).append(true).mode(0o600).open(file);
    made.context(|| format!("cannot open {}", file.display()))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    let sync = if sync == Sync::Full { "full" } else { "off" };
    db.pragma_update(None, "synchronous", sync)?;
    db.pragma_update(None, "foreign_keys", true)?;
    // Destroyed data must be gone from the file, and from the backups that are made of it.
    db.pragma_update(None, "secure_delete", true)?;
    db.pragma_update(None, "temp_store", "memory")?;
    db.pragma_update(None, "cache_size", -65_536)?;
    keep_statements(&db)?;
    Ok(db)
}

/// A connection that only reads. It makes no file.
pub(crate) fn connect_to_read(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "temp_store", "memory")?;
    db.pragma_update(None, "cache_size", -16_384)?;
    keep_statements(&db)?;
    Ok(db)
}
