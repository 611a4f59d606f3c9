//! The progress bar, which is drawn on a terminal only, and only when there is time to read it.

use crate::ambient;
use crate::courier::Wait;
use crate::pace::{Pace, words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What takes less is over before anybody looks.
const QUIET: Duration = Duration::from_millis(500);
/// How often the bar is drawn while nothing moves, as in a wait.
const BEAT: Duration = Duration::from_secs(1);
/// The length of the bar, of which a fraction is done.
const WHOLE: u32 = 1_000_000;

/// A bar over a file, or a count where nobody knows how long it is.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    read: Arc<AtomicU64>,
    length: Option<u64>,
    pace: Arc<Mutex<Pace>>,
    /// Until when nothing is drawn.
    quiet: Option<Instant>,
}

impl Progress {
    /// `read` counts the bytes that were read of `length`.
    pub(crate) fn new(length: Option<u64>, read: Arc<AtomicU64>) -> Self {
        let now = ambient::instant();
        let whole = length.map(|_| u64::from(WHOLE));
        let bar = ProgressBar::with_draw_target(whole, ProgressDrawTarget::hidden());
        let pace = Arc::new(Mutex::new(Pace::new(now)));
        let template = if length.is_some() {
            "{bar:40} {percent:>3} %  {msg}  {left}"
        } else {
            "{spinner}  {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let shared = Arc::clone(&pace);
            let left = move |_: &ProgressState, to: &mut dyn std::fmt::Write| {
                if let Some(left) = lock(&shared).left(ambient::instant()) {
                    // The text of a bar is kept in memory, which takes it.
                    let _written = write!(to, "{} left", words(left));
                }
            };
            bar.set_style(style.with_key("left", left));
        }
        Self {
            bar,
            read,
            length,
            pace,
            quiet: now.checked_add(QUIET),
        }
    }

    /// Moves to where the work is: so many claims are done with, of those that were read so far.
    pub(crate) fn tick(&mut self, done: u64, read: u64) {
        self.bar.set_message(format!("{done} claims"));
        if let Some(length) = self.length {
            let share = of(self.read.load(Ordering::Relaxed), length) * of(done, read);
            lock(&self.pace).reach(share);
            self.bar.set_position(position(share));
        }
        let over = |quiet: &mut Instant| ambient::instant() >= *quiet;
        if self.quiet.take_if(over).is_some() {
            self.draw();
        }
    }

    /// Nothing moves for a while.
    pub(crate) fn wait(&self, wait: Wait) {
        lock(&self.pace).wait(ambient::instant(), wait);
        self.draw();
    }

    fn draw(&self) {
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(BEAT);
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

fn lock(pace: &Mutex<Pace>) -> MutexGuard<'_, Pace> {
    pace.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A part of a whole, from 0 to 1.
#[expect(
    clippy::cast_precision_loss,
    reason = "what is lost of so large numbers is less than a bar can show"
)]
fn of(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64).min(1.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 1,000,000"
)]
fn position(share: f64) -> u64 {
    (share * f64::from(WHOLE)) as u64
}
