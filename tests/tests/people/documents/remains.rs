//! What uploads leave in the bucket and in the database of a server that one test has for itself.

use overturn_tests::host;
use overturn_tests::prelude::*;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The folder of the native program's objects.
const OBJECTS: &str = "documents";

/// How many objects the bucket has.
pub(crate) fn objects(server: &Server) -> usize {
    let raw = server.client().exchange("POST", "/.tests/bucket", Some(b""));
    let names: Vec<String> = serde_json::from_slice(&raw.body).unwrap();
    names.len()
}

/// The files of the bucket. On workerd there is one for each object or part, and those of parts that were cut off, which the
/// local bucket forgets. On the native program there is one for each object or upload.
pub(crate) fn blobs(state: &State) -> Vec<PathBuf> {
    let folders: &[&str] = match host::is_native() {
        true => &[OBJECTS],
        false => &["r2", "blobs"],
    };
    let is_blob = |path: &PathBuf| {
        let below = path.strip_prefix(state.folder()).unwrap();
        let mut names = below.components().map(|part| part.as_os_str());
        folders.iter().all(|folder| names.any(|name| name == OsStr::new(folder)))
    };
    let mut files = state.files();
    files.retain(is_blob);
    files.sort();
    files
}

/// How many objects of several parts were begun and neither completed nor aborted. No server may be using the state.
pub(crate) fn unfinished(state: &State) -> i64 {
    if host::is_native() {
        let uploads = state.folder().join(OBJECTS).join(".parts");
        let files = blobs(state).into_iter();
        let left = files.filter(|file| file.starts_with(&uploads));
        return left.count().try_into().unwrap();
    }
    let is_bucket = |path: &&PathBuf| {
        let text = path.to_string_lossy();
        text.contains("R2BucketObject") && text.ends_with(".sqlite") && !text.contains("metadata")
    };
    let files = state.files();
    let bucket = rusqlite::Connection::open(files.iter().find(is_bucket).unwrap()).unwrap();
    let sql = "SELECT count(*) FROM _mf_multipart_uploads WHERE state = 0";
    bucket.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The rows of objects that no document has.
pub(crate) fn loose(server: &Server) -> i64 {
    let sql = "SELECT count(*) AS n FROM loose_objects";
    server.database().number(sql, &[])
}

/// The documents of the practice, in any state.
pub(crate) fn documents(tenant: &Tenant<'_>) -> i64 {
    tenant.count("documents")
}

/// Runs the scheduled job.
pub(crate) fn sweep(server: &Server) {
    let client = server.client();
    let raw = client.exchange("POST", "/.tests/sweep", Some(b""));
    assert_eq!(raw.status, 204, "{}", String::from_utf8_lossy(&raw.body));
}

/// Runs the scheduled job as if every object that no document has were due.
pub(crate) fn sweep_due(server: &Server) {
    let due = "UPDATE loose_objects SET due_at = 1";
    server.database().change(due, &[]);
    sweep(server);
}

/// The bucket has this many objects, and no row tells of an object without a document.
pub(crate) fn settled(server: &Server, count: usize) {
    let is_so = || loose(server) == 0 && objects(server) == count;
    wait::until("no object and no row is left", is_so);
}

/// After the sweep the bucket has this many objects, and no row tells of an object without a document. It sweeps again
/// while a broken upload is still about to end.
pub(crate) fn settled_by_sweep(server: &Server, count: usize) {
    let is_so = || {
        sweep_due(server);
        loose(server) == 0 && objects(server) == count
    };
    wait::until("the sweep leaves no object and no row", is_so);
    wait::quiet();
    settled(server, count);
}

/// A practice on a server, and a client of a member.
pub(crate) fn member(server: &Server) -> (Tenant<'_>, Client) {
    let tenant = Tenant::new(server);
    let member = tenant.member();
    (tenant, member)
}
