//! Emails during development and tests. Nothing is sent: each becomes a file and a line of output, as `tools/dev/mail.mjs`
//! does it for the Worker.

use chrono::{DateTime, Utc};
use overturn_service::host::{Letter, Mailer, Step};
use serde_json::json;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// A folder of emails. Threads can share it.
#[derive(Clone)]
pub(crate) struct Printed {
    folder: PathBuf,
    count: Arc<AtomicU32>,
}

impl Printed {
    /// The folder is made with the first email.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, count: Arc::default() }
    }

    /// Writes the file, and returns the line.
    fn keep(&self, from: (&str, &str), letter: &Letter, now: DateTime<Utc>) -> io::Result<String> {
        let count = self.count.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        // File names sort by time, even within a millisecond.
        let name = format!("{}-{count:04}.eml", now.format("%Y%m%dT%H%M%S%3fZ"));
        let file = self.folder.join(name);
        // The links in it open accounts, so only the owner may read it.
        let mut folder = DirBuilder::new();
        folder.recursive(true).mode(0o700).create(&self.folder)?;
        write(&file, &text(from, letter, now))?;
        let Letter { to, subject, text } = letter;
        let file = file.to_string_lossy();
        let line = json!({ "event": "mail", "to": to, "subject": subject, "text": text, "file": file });
        Ok(format!("{line}\n"))
    }
}

impl Mailer for Printed {
    fn send<'a>(&'a self, from: (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>> {
        Box::pin(async move {
            let print = |line: String| io::stdout().write_all(line.as_bytes());
            let kept = self.keep(from, letter, now());
            kept.and_then(print).map_err(|_| "MAIL_NOT_WRITTEN".to_owned())
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the host is where time comes from")]
fn now() -> DateTime<Utc> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let ms = since.map_or(0, |since| since.as_millis());
    DateTime::from_timestamp_millis(ms.try_into().unwrap_or(0)).unwrap_or_default()
}

fn text((name, address): (&str, &str), letter: &Letter, now: DateTime<Utc>) -> String {
    let Letter { to, subject, text } = letter;
    let date = now.format("%a, %d %b %Y %H:%M:%S +0000");
    format!(
        "From: {name} <{address}>\nTo: {to}\nSubject: {subject}\nDate: {date}\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"
    )
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_letter_is_a_file_and_a_line() {
        let folder = std::env::temp_dir().join(format!("overturn-mail-{}", std::process::id()));
        let printed = Printed::new(folder.join("mail"));
        let letter = Letter {
            to: "jane@clinic.example".into(),
            subject: "Läuft".into(),
            text: "Open\n\nhttps://overturn.example/ \"now\"\n".into(),
        };
        let now = DateTime::from_timestamp_millis(1_779_962_706_007).unwrap();
        let from = ("Overturn", "no-reply@overturn.example");
        let line = printed.keep(from, &letter, now).unwrap();
        assert!(line.ends_with("}\n") && line.lines().count() == 1);
        let line: Value = serde_json::from_str(&line).unwrap();
        let file = folder.join("mail/20260528T100506007Z-0001.eml");
        let wanted = json!({
            "event": "mail",
            "to": "jane@clinic.example",
            "subject": "Läuft",
            "text": letter.text,
            "file": file.to_str().unwrap(),
        });
        assert_eq!(line, wanted);
        let text = fs::read_to_string(&file).unwrap();
        let wanted = [
            "From: Overturn <no-reply@overturn.example>",
            "To: jane@clinic.example",
            "Subject: Läuft",
            "Date: Thu, 28 May 2026 10:05:06 +0000",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
            "",
            &letter.text,
        ];
        assert_eq!(text, wanted.join("\n"));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let again = printed.keep(from, &letter, now).unwrap();
        assert!(again.contains("-0002.eml"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
