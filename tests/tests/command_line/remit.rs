//! Denials of remittances reach the service through a pipe, each once.

use crate::program::{Ended, end, program};
use crate::send::each_once;
use overturn_payer::{Generated, generate};
use overturn_tests::prelude::*;
use overturn_tests::project;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Claim payments with at least 5,000 denials.
const PAYMENTS: u32 = 12_000;

/// A folder with generated files. Dropping this removes it.
struct Folder(PathBuf);

impl Folder {
    fn of(generated: &Generated) -> Self {
        let path = project::scratch().join(format!("remittances-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let files = generated.remittances.iter().chain(&generated.submissions);
        for (at, file) in files.enumerate() {
            fs::write(path.join(at.to_string()), file).unwrap();
        }
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// `overturn remit FOLDER | overturn COMMAND --json -`.
fn piped(tenant: &Tenant<'_>, folder: &Path, command: &str) -> Ended {
    let port = tenant.server.port();
    let mut remit = program(tenant, port, &["remit", folder.to_str().unwrap()]).stderr(Stdio::null()).spawn().unwrap();
    let claims = remit.stdout.take().unwrap();
    let send = program(tenant, port, &[command, "--json", "-"]).stdin(claims).spawn().unwrap();
    let ended = end(send);
    assert!(remit.wait().unwrap().success());
    ended
}

#[test]
fn five_thousand_denials_arrive_once_although_they_are_sent_twice() {
    let generated = generate(15, PAYMENTS);
    let count = u64::try_from(generated.expected.len()).unwrap();
    assert!(count >= 5_000, "{count}");
    let folder = Folder::of(&generated);
    let tenant = Tenant::shared();

    let checked = piped(&tenant, &folder.0, "validate");
    let results = ["valid", "invalid"].map(|name| checked.count(name));
    assert_eq!((checked.status, results), (Some(0), [count, 0]));

    for (created, there) in [(count, 0), (0, count)] {
        let sent = piped(&tenant, &folder.0, "send");
        let results = ["created", "already_there", "refused", "invalid"].map(|name| sent.count(name));
        assert_eq!(results, [created, there, 0, 0], "{}", sent.notes);
        assert_eq!(sent.status, Some(0));
        let requests = i64::try_from(count.div_ceil(100)).unwrap();
        each_once(&tenant, i64::try_from(count).unwrap(), requests);
    }
}
