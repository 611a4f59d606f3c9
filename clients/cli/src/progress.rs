//! The progress bar. It is drawn only on a terminal, and only if the command takes long enough to read it.

use crate::pace::{Pace, words};
use crate::retry::Wait;
use crate::system;
use crate::text::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A command that ends within this time shows no bar.
const QUIET: Duration = Duration::from_millis(500);
/// How often the bar is drawn while nothing changes, as in a wait.
const BEAT: Duration = Duration::from_secs(1);
/// The length of the bar. The progress is a fraction of it.
const WHOLE: u32 = 1_000_000;

/// A bar for a file of known length, else a counter.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    read: Arc<AtomicU64>,
    length: Option<u64>,
    pace: Arc<Mutex<Pace>>,
    /// No bar is drawn before this instant.
    quiet: Option<Instant>,
}

impl Progress {
    /// `read` counts the bytes that were read, of `length`.
    pub(crate) fn new(length: Option<u64>, read: Arc<AtomicU64>) -> Self {
        let now = system::instant();
        let whole = length.map(|_| u64::from(WHOLE));
        let bar = ProgressBar::with_draw_target(whole, ProgressDrawTarget::hidden());
        let pace = Arc::new(Mutex::new(Pace::new(now)));
        let template = if length.is_some() { "{bar:40} {percent:>3} %  {msg}  {left}" } else { "{spinner}  {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let shared = Arc::clone(&pace);
            let left = move |_: &ProgressState, to: &mut dyn std::fmt::Write| {
                if let Some(left) = lock(&shared).left(system::instant()) {
                    // Writing to a string cannot fail.
                    let _written = write!(to, "{} left", words(left));
                }
            };
            bar.set_style(style.with_key("left", left));
        }
        Self { bar, read, length, pace, quiet: now.checked_add(QUIET) }
    }

    /// Updates the bar: `done` of the `read` claims are finished.
    pub(crate) fn tick(&mut self, done: u64, read: u64) {
        self.bar.set_message(counted(done, "claim"));
        if let Some(length) = self.length {
            let share = of(self.read.load(Ordering::Relaxed), length) * of(done, read);
            lock(&self.pace).reach(share);
            self.bar.set_position(position(share));
        }
        let over = |quiet: &mut Instant| system::instant() >= *quiet;
        if self.quiet.take_if(over).is_some() {
            self.draw();
        }
    }

    /// Records a wait.
    pub(crate) fn wait(&self, wait: Wait) {
        lock(&self.pace).wait(system::instant(), wait);
        self.draw();
    }

    fn draw(&self) {
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(BEAT);
        }
    }

    /// Hides the bar while `print` runs.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn lock(pace: &Mutex<Pace>) -> MutexGuard<'_, Pace> {
    pace.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A part of a whole, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "what is lost of so large numbers is less than a bar can show")]
fn of(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64).min(1.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1,000,000")]
fn position(share: f64) -> u64 {
    (share * f64::from(WHOLE)) as u64
}
