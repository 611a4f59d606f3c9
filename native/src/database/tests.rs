//! Real statements on a real file.

use super::*;
use overturn_service::sqlite::run;
use overturn_service::store::Param;
use overturn_service::store::error::FailedGuard;
use std::sync::atomic::AtomicUsize;

/// A folder that is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("overturn-native-{}-{n}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _removed = fs::remove_dir_all(&self.0);
    }
}

/// As many rows split some hundred pages.
const SPLITS: u32 = 10_000;
const TABLE: &str = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT,
    CONSTRAINT record_changed CHECK (text <> 'wrong'))";

fn write(text: &str) -> Statement {
    let sql = "INSERT INTO notes (text) VALUES (?1) RETURNING text";
    let params = vec![Param::Text(text.into())];
    Statement { sql, params }
}

fn read() -> Statement {
    let sql = "SELECT json_group_array(text) FROM notes";
    let params = Vec::new();
    Statement { sql, params }
}

fn block<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

fn open(folder: &Folder) -> (Sqlite, Threads) {
    let file = file(&folder.0);
    let db = connect(&file, Sync::Full).unwrap();
    db.execute_batch(TABLE).unwrap();
    open_file(file)
}

fn open_file(file: PathBuf) -> (Sqlite, Threads) {
    let (cells, threads) = Sqlite::open_all(&all_beside(file, 1), Sync::Full).unwrap();
    (cells.first, threads)
}

fn texts(database: &Sqlite) -> Vec<String> {
    let ran = block(database.batch(&[read()])).unwrap();
    serde_json::from_str(ran.done[0].json.as_deref().unwrap()).unwrap()
}

#[test]
fn a_batch_that_fails_in_a_group_is_rolled_back_alone() {
    let folder = Folder::new();
    let db = connect(&file(&folder.0), Sync::Full).unwrap();
    db.execute_batch(TABLE).unwrap();
    let (sender, jobs) = mpsc::channel();
    let mut answers = Vec::new();
    for texts in [["a", "b"], ["c", "wrong"], ["d", "e"], ["never", "asked"]] {
        let (answer, answered) = oneshot::channel();
        let statements = texts.map(write).into();
        sender.send(Job { statements, answer }).unwrap();
        answers.push(answered);
    }
    // A caller that gave up is not written for.
    drop(answers.pop());
    drop(sender);
    let counts = Counts::default();
    writer::write(&db, &jobs, &counts, None);
    assert_eq!(counts.commits.load(Ordering::Relaxed), 1, "one group");
    let answers: Vec<_> = answers.into_iter().map(|answered| answered.blocking_recv().unwrap()).collect();
    let changed = DatabaseError::Conflict(FailedGuard::Record);
    assert_eq!(answers[1], Err(changed));
    for (place, last) in [(0, "b"), (2, "e")] {
        let ran = answers[place].as_ref().unwrap();
        assert_eq!(ran.rows_written, 2);
        assert_eq!(ran.done[1].json.as_deref(), Some(last));
        assert_eq!(ran.done[1].changes, 1);
    }
    let sql = "SELECT group_concat(text, '') FROM notes";
    let all: String = db.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(all, "abde");
}

#[test]
fn what_was_answered_is_read_at_once_and_statements_that_write_are_known() {
    let folder = Folder::new();
    let (database, threads) = open(&folder);
    assert!(!database.writes(&[write("a")]), "not yet known");
    let ran = block(database.batch(&[read(), write("a"), read()])).unwrap();
    let json: Vec<_> = ran.done.iter().map(|done| done.json.as_deref()).collect();
    assert_eq!(json, [Some("[]"), Some("a"), Some("[\"a\"]")]);
    assert_eq!(texts(&database), ["a"]);
    let snapshot = block(database.batch(&[read(), read()])).unwrap();
    assert_eq!((snapshot.done.len(), snapshot.rows_written), (2, 0));
    let sql = write("").sql;
    let params = vec![Param::Text("b".into())];
    let known = Statement { sql, params };
    assert!(database.writes(std::slice::from_ref(&known)) && !database.writes(&[read()]));
    block(database.batch(&[known])).unwrap();
    assert_eq!(texts(&database), ["a", "b"]);
    assert_eq!(database.counts.waiting.load(Ordering::Relaxed), 0);
    drop(database);
    threads.join();
    let (database, _) = open_file(file(&folder.0));
    assert_eq!(texts(&database), ["a", "b"]);
}

#[test]
fn many_threads_write_and_each_batch_is_there_once() {
    let folder = Folder::new();
    let (database, _threads) = open(&folder);
    thread::scope(|scope| {
        for worker in 0..8 {
            let database = database.clone();
            scope.spawn(move || {
                for n in 0..25 {
                    let text = format!("{worker}-{n}");
                    let ran = block(database.batch(&[write(&text), write("wrong")]));
                    assert!(ran.is_err());
                    block(database.batch(&[write(&text)])).unwrap();
                }
            });
        }
    });
    let mut written = texts(&database);
    assert_eq!(written.len(), 200);
    written.sort();
    written.dedup();
    assert_eq!(written.len(), 200);
}

#[test]
fn a_backup_is_made_beside_the_writer_and_never_over_a_file() {
    let folder = Folder::new();
    let (database, _threads) = open(&folder);
    block(database.batch(&[write("a")])).unwrap();
    let copy = folder.0.join("copy.db");
    backup(&file(&folder.0), &copy).unwrap();
    assert!(backup(&file(&folder.0), &copy).is_err());
    block(database.batch(&[write("b")])).unwrap();
    let (copied, _threads) = open_file(copy);
    assert_eq!(texts(&copied), ["a"]);
}

#[test]
fn all_cells_together_keep_as_many_pages_as_one() {
    for (count, expected) in [(1, [65_536, 16_384]), (4, [16_384, 4_096]), (40, [2_000, 2_000])] {
        let folder = Folder::new();
        let files = all_beside(file(&folder.0), count);
        let (cells, _threads) = Sqlite::open_all(&files, Sync::Off).unwrap();
        for database in cells.iter() {
            let kept = |sql| {
                let ran = block(database.batch(&[Statement { sql, params: Vec::new() }])).unwrap();
                let kib: i64 = ran.done[0].json.as_deref().unwrap().parse().unwrap();
                -kib
            };
            let of_writer = "INSERT INTO d1_migrations (name) SELECT 'x' RETURNING (SELECT cache_size FROM pragma_cache_size) || '' AS json";
            let of_reader = "SELECT cache_size || '' AS json FROM pragma_cache_size";
            assert_eq!([kept(of_writer), kept(of_reader)], expected, "{count}");
        }
    }
}

/// How often a text is in a file.
fn found(file: &Path, text: &str) -> usize {
    let bytes = fs::read(file).unwrap_or_default();
    bytes.windows(text.len()).filter(|part| *part == text.as_bytes()).count()
}

#[test]
fn a_deleted_row_is_in_no_file_once_the_log_is_emptied() {
    let folder = Folder::new();
    let (database, _threads) = open(&folder);
    let (file, copy) = (file(&folder.0), folder.0.join("copy.db"));
    let marked = format!("CANARY {}", "x".repeat(20_000));
    block(database.batch(&[write(&marked), write("KEPT"), write("CANARY short")])).unwrap();
    // It is in the file itself.
    database.empty_log().unwrap();
    assert_eq!(found(&file, "CANARY"), 2);
    let delete = Statement { sql: "DELETE FROM notes WHERE text LIKE 'CANARY%'", params: Vec::new() };
    block(database.batch(&[delete])).unwrap();
    database.empty_log().unwrap();
    backup(&file, &copy).unwrap();
    for place in [&file, &file.with_extension("db-wal"), &copy] {
        assert_eq!(found(place, "CANARY"), 0, "{}", place.display());
    }
    assert_eq!((found(&file, "KEPT"), found(&copy, "KEPT")), (1, 1));
    // Somebody still reads the log.
    block(database.batch(&[write("later")])).unwrap();
    let reader = connect_to_read(&file).unwrap();
    let snapshot = reader.unchecked_transaction().unwrap();
    let read = |db: &Connection| db.query_row("SELECT count(*) FROM notes", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(read(&snapshot), 2);
    database.empty_log().unwrap();
    assert!(found(&file.with_extension("db-wal"), "later") > 0);
    drop(snapshot);
    database.empty_log().unwrap();
    assert_eq!(fs::metadata(file.with_extension("db-wal")).unwrap().len(), 0);
    assert_eq!(texts(&database), ["KEPT", "later"]);
}

#[test]
fn a_backup_leaves_out_what_split_pages_keep_of_deleted_rows() {
    let folder = Folder::new();
    let (file, copy) = (file(&folder.0), folder.0.join("copy.db"));
    let db = connect(&file, Sync::Off).unwrap();
    db.execute_batch("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID; BEGIN").unwrap();
    // In no order, so that pages are split everywhere.
    let mut id: u64 = 1;
    for n in 0..SPLITS {
        id = id.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let marked = if n % 3 == 0 { "CANARY" } else { "stays" };
        let text = marked.repeat(usize::try_from(5 + id % 120).unwrap());
        let row = (format!("{id:016x}"), text);
        db.execute("INSERT INTO notes VALUES (?1, ?2)", row).unwrap();
    }
    db.execute_batch("COMMIT; DELETE FROM notes WHERE text LIKE 'CANARY%'").unwrap();
    log::empty(&file).unwrap();
    backup(&file, &copy).unwrap();
    assert_ne!(found(&file, "CANARY"), 0, "this test is about what SQLite leaves");
    assert_eq!(found(&copy, "CANARY"), 0);
}

#[test]
fn a_database_of_a_later_version_is_refused() {
    let folder = Folder::new();
    let mut db = connect(&file(&folder.0), Sync::Off).unwrap();
    assert!(!migrate(&mut db).unwrap().is_empty());
    assert!(migrate(&mut db).unwrap().is_empty());
    let later = "INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')";
    db.execute_batch(later).unwrap();
    let refused = migrate(&mut db).unwrap_err().to_string();
    assert!(refused.contains("9999_later.sql"), "{refused}");
}

#[test]
fn on_trial_a_batch_that_adds_each_time_and_a_read_of_a_whole_table_fail() {
    let folder = Folder::new();
    let file = file(&folder.0);
    let db = connect(&file, Sync::Off).unwrap();
    let tables = "CREATE TABLE claims (practice_id TEXT, id TEXT, PRIMARY KEY (practice_id, id)) WITHOUT ROWID;
      CREATE TABLE notes (text TEXT);
      CREATE TABLE keys (practice_id TEXT, id TEXT, name TEXT, PRIMARY KEY (practice_id, id)) WITHOUT ROWID;
      CREATE INDEX keys_by_name ON keys (name);
      CREATE TRIGGER claims_changed AFTER UPDATE ON claims BEGIN
        INSERT INTO notes SELECT id FROM claims; END";
    db.execute_batch(tables).unwrap();
    let mut schema = Connection::open_in_memory().unwrap();
    migrate(&mut schema).unwrap();
    for name in trial::GROWING {
        let is_table = schema.table_exists(None, name).unwrap();
        assert!(is_table, "{name}");
    }
    let params = |sql: &'static str| Statement {
        sql,
        params: (0..sql.matches('?').count()).map(|n| Param::Text(n.to_string())).collect(),
    };
    let judge = |sql| {
        let statements = [params(sql)];
        db.execute_batch("BEGIN").unwrap();
        run(&db, &statements).unwrap();
        let judged = Trial::default().judge(&db, &statements);
        db.execute_batch("ROLLBACK").unwrap();
        judged.err()
    };
    let twice = DatabaseError::Broken("a batch does more when it runs twice");
    assert_eq!(judge("INSERT INTO notes VALUES (?1)"), Some(twice));
    assert_eq!(judge("INSERT INTO claims VALUES (?1, ?2) ON CONFLICT DO NOTHING"), None);
    assert_eq!(judge("SELECT text FROM notes"), None, "it does not grow");
    let all = Some(DatabaseError::Broken("a statement reads all rows"));
    assert_eq!(judge("SELECT id FROM claims"), all);
    assert_eq!(judge("SELECT 'x' WHERE (SELECT count(*) FROM claims) > 1"), all);
    assert_eq!(judge("SELECT id FROM claims WHERE practice_id = ?1"), all);
    assert_eq!(judge("DELETE FROM claims WHERE practice_id = ?1 AND id || '' = ?2"), all);
    // The program of its trigger reads them.
    assert_eq!(judge("INSERT INTO claims VALUES (?1, ?2) ON CONFLICT DO UPDATE SET id = id"), all);
    assert_eq!(judge("SELECT id FROM claims WHERE practice_id = ?1 ORDER BY id LIMIT 20"), None);
    assert_eq!(judge("SELECT id FROM claims WHERE practice_id = ?1 AND id > ?2"), None);
    assert_eq!(judge("SELECT 'x' WHERE EXISTS (SELECT 1 FROM claims WHERE practice_id = ?1)"), None);
    // Another practice can have the row.
    assert_eq!(judge("SELECT 'x' WHERE EXISTS (SELECT 1 FROM keys WHERE practice_id <> ?1 AND id = ?2)"), all);
    assert_eq!(judge("UPDATE keys SET name = 'x' WHERE id = ?1"), all);
    assert_eq!(judge("UPDATE keys SET name = 'x' WHERE practice_id = ?1 AND id = ?2"), None);
    assert_eq!(judge("SELECT 'x' WHERE (SELECT count(*) FROM keys) > 1"), all);
    assert_eq!(judge("SELECT id FROM keys WHERE name = ?1"), None);
}
