//! Reports edits of the Worker's sources.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::failure::{Context, Result};
use crate::paths::Paths;

/// The sources of the Worker. Folders are watched recursively.
const SOURCES: [&str; 7] = [
    "api",
    "core",
    "store",
    "edge",
    "docs",
    "Cargo.toml",
    "wrangler.toml",
];

/// Edits end after this long without another one. An editor may save several files, or one file in several steps.
const PAUSE: Duration = Duration::from_millis(150);

/// How long [`Watch::edited`] waits.
const TURN: Duration = Duration::from_millis(250);

/// Watches the sources until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    edits: Receiver<()>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches from now on.
    pub(crate) fn start(paths: &Paths) -> Result<Self> {
        let (sender, edits) = channel();
        let root = paths.root.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_edit(&root, &event)) {
                // The receiver is gone only when the watch has ended.
                let _ = sender.send(());
            }
        })
        .context(|| "cannot watch the sources".to_owned())?;
        for source in SOURCES {
            watcher
                .watch(&paths.root.join(source), RecursiveMode::Recursive)
                .context(|| format!("cannot watch {source}"))?;
        }
        Ok(Self {
            edits,
            _watcher: watcher,
        })
    }

    /// Waits a moment. Returns true if a source was edited since the last call. Edits in quick succession count as one.
    pub(crate) fn edited(&self) -> bool {
        if self.edits.recv_timeout(TURN).is_err() {
            return false;
        }
        while !matches!(
            self.edits.recv_timeout(PAUSE),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)
        ) {}
        true
    }
}

/// Reads, and files that an editor keeps beside the source, are not edits.
fn is_edit(root: &Path, event: &Event) -> bool {
    let changes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    changes && event.paths.iter().any(|path| is_source(root, path))
}

fn is_source(root: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let hidden = |part: &std::ffi::OsStr| {
        let name = part.to_string_lossy();
        name.starts_with('.') || name.ends_with('~') || name == "target"
    };
    !inside.iter().any(hidden)
}

#[cfg(test)]
mod tests {
    use super::is_source;
    use std::path::Path;

    #[test]
    fn sources_count_and_what_editors_leave_beside_them_does_not() {
        let root = Path::new("/home/me/.code/overturn");
        let seen = |name: &str| is_source(root, &root.join(name));
        assert!(seen("core/src/claims/intake/mod.rs"));
        assert!(seen("edge/migrations/0001_claims.sql"));
        for name in [
            "core/src/.intake.rs.swp",
            "core/src/claims/intake/mod.rs~",
            "core/target/x",
        ] {
            assert!(!seen(name), "{name}");
        }
        assert!(is_source(root, Path::new("elsewhere/lib.rs")));
    }
}
