//! What Prometheus reads. It has names of this program and counts, and nothing of a request.

use crate::database::{Counts, Numbered, Sqlite};
use crate::queue::Queue;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The requests of a route with a status: how many, and how long they took together.
#[derive(Default)]
struct Took {
    count: u64,
    time: Duration,
}

/// The requests of all threads, by route and status.
#[derive(Clone, Default)]
pub(crate) struct Metrics(Arc<Mutex<BTreeMap<(&'static str, u16), Took>>>);

impl Metrics {
    /// Counts a request.
    pub(crate) fn count(&self, route: Option<&'static str>, status: u16, time: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let took = all.entry((route.unwrap_or("unmatched"), status)).or_default();
        took.count = took.count.saturating_add(1);
        took.time = took.time.saturating_add(time);
    }

    /// The text for Prometheus.
    pub(crate) fn text(&self, cells: &Numbered<Sqlite>, queue: &Queue) -> String {
        let mut text = String::new();
        let requests = [
            ("overturn_requests_total", "Requests by route and status."),
            ("overturn_request_seconds_total", "How long they took together."),
        ];
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (n, (name, help)) in requests.iter().enumerate() {
            head(&mut text, name, help, "counter");
            for ((route, status), took) in all.iter() {
                let value = match n {
                    0 => took.count.to_string(),
                    _ => format!("{:.6}", took.time.as_secs_f64()),
                };
                let _text = writeln!(text, "{name}{{route=\"{route}\",status=\"{status}\"}} {value}");
            }
        }
        let of = |count: fn(&Counts) -> &AtomicU64| -> u64 {
            cells.iter().map(|cell| count(&cell.counts).load(Ordering::Relaxed)).sum()
        };
        for (name, help, kind, value) in [
            ("overturn_reads_total", "Batches that read.", "counter", of(|counts| &counts.reads)),
            ("overturn_writes_total", "Batches that wrote.", "counter", of(|counts| &counts.writes)),
            ("overturn_commits_total", "Commits, each of several batches.", "counter", of(|counts| &counts.commits)),
            ("overturn_batches_waiting", "Batches under way.", "gauge", of(|counts| &counts.waiting)),
            ("overturn_messages_waiting", "Webhook messages that wait.", "gauge", queue.waiting()),
        ] {
            head(&mut text, name, help, kind);
            let _text = writeln!(text, "{name} {value}");
        }
        text
    }
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    let _text = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
