//! The progress bar, which is drawn on a terminal only, and only when there is time to read it.

use crate::ambient;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What takes less is over before anybody looks.
const QUIET: Duration = Duration::from_millis(500);

/// A bar over the bytes of a file, or a count where nobody knows how many there are.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    read: Arc<AtomicU64>,
    /// Until when nothing is drawn.
    quiet: Option<Instant>,
}

impl Progress {
    /// `read` counts the bytes that were read of `length`.
    pub(crate) fn new(length: Option<u64>, read: Arc<AtomicU64>) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let template = if length.is_some() {
            "{bar:40} {percent:>3} %  {msg}  {eta} left"
        } else {
            "{spinner} {bytes}  {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self {
            bar,
            read,
            quiet: ambient::instant().checked_add(QUIET),
        }
    }

    /// Moves to where the reader is.
    pub(crate) fn tick(&mut self, claims: u64) {
        self.bar.set_message(format!("{claims} claims"));
        self.bar.set_position(self.read.load(Ordering::Relaxed));
        let over = |quiet: &mut Instant| ambient::instant() >= *quiet;
        if self.quiet.take_if(over).is_some() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Prints without the bar in between.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Takes it away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
