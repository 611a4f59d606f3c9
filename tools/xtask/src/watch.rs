//! Reports edits of the sources of the Worker and the console.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::error::{Context, Result};
use crate::paths::Paths;

/// The sources of the console, which are built without cargo.
const CONSOLE: &str = "console/src";

/// The sources of both. Folders are watched recursively.
const SOURCES: [&str; 12] = [
    "tools/api",
    CONSOLE,
    "core",
    "edge",
    "native",
    "service",
    "identity",
    "remit",
    "clients/wasm",
    "docs",
    "Cargo.toml",
    "wrangler.toml",
];

/// Edits end after this long without another one. An editor may save several files, or one file in several steps.
const PAUSE: Duration = Duration::from_millis(150);

/// How long [`Watch::edited`] waits.
const TURN: Duration = Duration::from_millis(250);

/// What was edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edited {
    /// Only sources of the console.
    Console,
    /// Sources of the Worker, and maybe of the console.
    Worker,
}

/// Watches the sources until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    edits: Receiver<Edited>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches from now on.
    pub(crate) fn start(paths: &Paths) -> Result<Self> {
        let (sender, edits) = channel();
        let root = paths.root.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if let Some(edited) = event.ok().and_then(|event| edited(&root, &event)) {
                // The receiver is gone only when the watch has ended.
                let _ = sender.send(edited);
            }
        })
        .context(|| "cannot watch the sources".to_owned())?;
        for source in SOURCES {
            watcher
                .watch(&paths.root.join(source), RecursiveMode::Recursive)
                .context(|| format!("cannot watch {source}"))?;
        }
        Ok(Self { edits, _watcher: watcher })
    }

    /// Waits a moment. Returns what was edited since the last call. Edits in quick succession count as one.
    pub(crate) fn edited(&self) -> Option<Edited> {
        let mut all = self.edits.recv_timeout(TURN).ok()?;
        while let Ok(edited) = self.edits.recv_timeout(PAUSE) {
            if edited == Edited::Worker {
                all = edited;
            }
        }
        Some(all)
    }
}

/// What an event edits. Reads, and files that an editor keeps beside the source, are not edits.
fn edited(root: &Path, event: &Event) -> Option<Edited> {
    let changes = matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_));
    let sources = || event.paths.iter().filter(|path| is_source(root, path));
    if !changes || sources().next().is_none() {
        return None;
    }
    let console = root.join(CONSOLE);
    match sources().all(|path| path.starts_with(&console)) {
        true => Some(Edited::Console),
        false => Some(Edited::Worker),
    }
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
    use super::{Edited, edited};
    use notify::{Event, EventKind, event::CreateKind};
    use std::path::Path;

    #[test]
    fn an_edit_of_the_console_alone_does_not_build_the_worker_and_what_editors_leave_builds_nothing() {
        let root = Path::new("/home/me/.code/overturn");
        let seen = |names: &[&str]| {
            let paths = names.iter().map(|name| root.join(name));
            let event = Event::new(EventKind::Create(CreateKind::File));
            edited(root, &paths.fold(event, Event::add_path))
        };
        assert_eq!(seen(&["console/src/app.tsx"]), Some(Edited::Console));
        let both = ["console/src/app.tsx", "service/src/lib.rs"];
        assert_eq!(seen(&both), Some(Edited::Worker));
        for name in ["docs/.openapi.yaml.swp", "core/src/lib.rs~", "core/target/x"] {
            assert_eq!(seen(&[name]), None, "{name}");
        }
    }
}
