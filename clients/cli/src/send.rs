//! `overturn send`: the claims of a file, in requests of up to a hundred.

mod held;
mod tally;

use crate::address::Service;
use crate::batch::Batcher;
use crate::check::{self, Claim, Judged};
use crate::error::{CommandError, End};
use crate::frame::Frames;
use crate::input::{self, Entry, Place};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::retry::Wait;
use crate::screen::Screen;
use crate::{args, feed, system, validate};
use held::Held;
use overturn_client::Outcome;
use overturn_client::send::{self, Line, Results};
use serde_json::json;
use tally::Tally;

/// Runs the command.
///
/// # Errors
///
/// The errors of [`send::send`], and [`CommandError::Usage`] for a mistake of the user. The results known by then are
/// printed.
pub(crate) fn command(args: &args::Send, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let service = Service::find(&args.service, |name| std::env::var(name).ok())?;
    with(&service, &args.source, interrupt, screen)
}

/// Sends a file with the key of a service.
///
/// # Errors
///
/// Those of [`command`].
pub(crate) fn with(
    service: &Service,
    source: &args::Source,
    interrupt: &Interrupt,
    screen: &mut Screen,
) -> Result<End, CommandError> {
    let shape = source.shape()?;
    let file = feed::open(&source.file, interrupt)?;
    screen.show(Progress::new(file.length, file.read));
    // If the service refuses the key, that is printed before anything else.
    screen.hold();
    let http = service.http(interrupt);
    let mut sender = Sender {
        line: Line { key: &service.key, wire: &http, clock: interrupt },
        screen,
        held: Held::default(),
        waiting: Batcher::default(),
        tally: Tally::default(),
        frames: Frames::default(),
    };
    let read = input::read(file.bytes, &shape, &mut |place, entry| {
        interrupt.check()?;
        sender.take(place, entry)
    });
    // After an interruption, the reader's own error only repeats it.
    let sent = interrupt.check().and(read).and_then(|()| sender.finish());
    sender.screen.fail_first(&sent);
    sender.screen.hide();
    sender.screen.release();
    let tally = &mut sender.tally;
    tally.torn = sent.is_ok() && !sender.frames.problems().is_empty();
    tally.report(sent.is_ok(), sender.screen);
    let (settled, problems) = (tally.settled(), tally.problems());
    sent.and_then(|()| sender.frames.end(settled, problems, sender.screen))
}

struct Sender<'a> {
    line: Line<'a>,
    screen: &'a mut Screen,
    held: Held,
    waiting: Batcher<Claim>,
    tally: Tally,
    frames: Frames,
}

impl Sender<'_> {
    /// Takes one entry of the file.
    fn take(&mut self, place: Place, entry: Entry<'_>) -> Result<(), CommandError> {
        let judged = check::judge(place, entry, &system::ctx());
        if matches!(judged, Judged::Valid(..) | Judged::Invalid(_)) {
            self.frames.count_claim();
        }
        match (entry, judged) {
            (Entry::Stray(_), Judged::Valid(..)) => self.held.withhold(),
            (Entry::Item(_), Judged::Valid(claim, _)) => {
                self.tally.unanswered = self.tally.unanswered.saturating_add(1);
                let free = self.held.push(claim);
                self.queue(free);
            }
            (_, Judged::Valid(claim, _)) => {
                self.tally.unanswered = self.tally.unanswered.saturating_add(1);
                self.waiting.push(claim);
            }
            (Entry::Envelope(_), Judged::Invalid(problems)) => self.drop_batch(place, problems),
            (_, Judged::Invalid(problems)) => self.invalid(place, &problems),
            (_, Judged::Unread(problems)) => {
                let free = self.held.release();
                self.queue(free);
                self.tally.unread = true;
                self.invalid(place, &problems);
            }
            (_, Judged::Frame(frame)) => self.frames.take(frame),
            (_, Judged::Nothing) => {
                let free = self.held.release();
                self.queue(free);
            }
        }
        while let Some(batch) = self.waiting.full() {
            self.send(batch)?;
        }
        self.tick();
        Ok(())
    }

    fn tick(&mut self) {
        let done = self.tally.settled();
        self.screen.tick(done, done.saturating_add(self.tally.unanswered));
    }

    fn queue(&mut self, claims: Vec<Claim>) {
        for claim in claims {
            self.waiting.push(claim);
        }
    }

    /// Drops a batch that is wrong as a whole: its held claims are not sent.
    fn drop_batch(&mut self, place: Place, mut problems: Vec<String>) {
        let dropped = self.held.drop_batch();
        self.tally.unanswered = self.tally.unanswered.saturating_sub(dropped.unsent);
        if let Some(hint) = dropped.hint() {
            check::add_hint(&mut problems, &hint);
        }
        self.invalid(place, &problems);
    }

    /// Sends what is left at the end of the file.
    fn finish(&mut self) -> Result<(), CommandError> {
        while let Some(batch) = self.waiting.rest() {
            self.send(batch)?;
        }
        Ok(())
    }

    /// Sends claims until each has a result.
    fn send(&mut self, batch: Vec<Claim>) -> Result<(), CommandError> {
        let Self { line, tally, screen, .. } = self;
        let sent = send::send(batch, line, &mut Printed { tally, screen });
        self.tick();
        sent
    }

    fn invalid(&mut self, place: Place, problems: &[String]) {
        self.tally.invalid = self.tally.invalid.saturating_add(1);
        validate::invalid(place, problems, self.screen);
    }
}

/// Counts and prints results.
struct Printed<'a, 's> {
    tally: &'a mut Tally,
    screen: &'a mut &'s mut Screen,
}

impl Results<Claim> for Printed<'_, '_> {
    fn waits(&self, why: &str, wait: Wait) {
        self.screen.note_wait(why, wait);
    }

    fn accepted(&mut self) {
        self.screen.release();
    }

    fn settle(&mut self, claim: Claim, outcome: Outcome) {
        match outcome {
            Outcome::Answered(result) => {
                self.tally.settle(&claim, &result, self.screen);
                for advice in &result.advice {
                    validate::advise(claim.place, &json!(advice), self.screen);
                }
            }
            Outcome::Invalid(problems) => {
                self.tally.unanswered = self.tally.unanswered.saturating_sub(1);
                self.tally.invalid = self.tally.invalid.saturating_add(1);
                validate::invalid(claim.place, &problems, self.screen);
            }
        }
    }
}
