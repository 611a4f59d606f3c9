//! `overturn send`: the claims of a file, in requests of up to a hundred.

mod held;
mod tally;

use crate::address::Service;
use crate::answer::{self, ResultItem, Sent};
use crate::batch::Batcher;
use crate::call::{Answer, Call, Wire};
use crate::check::{self, Claim, Judged};
use crate::error::{CommandError, End};
use crate::frame::Frames;
use crate::input::{self, Entry, Place};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::retry::{self, Clock};
use crate::screen::Screen;
use crate::{args, feed, system, validate};
use held::Held;
use overturn_core::base::token::ApiKey;
use overturn_core::request::problem::read_item;
use std::collections::BTreeMap;
use tally::Tally;

/// Runs the command.
///
/// # Errors
///
/// The errors of [`retry::deliver`], and [`CommandError::Usage`] for a mistake of the user. The results known by then are
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
        key: &service.key,
        wire: &http,
        clock: interrupt,
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
    key: &'a ApiKey,
    wire: &'a dyn Wire,
    clock: &'a dyn Clock,
    screen: &'a mut Screen,
    held: Held,
    waiting: Batcher,
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
        while let Some(batch) = self.waiting.next() {
            self.send(batch)?;
        }
        Ok(())
    }

    /// Sends claims until each has a result.
    fn send(&mut self, mut batch: Vec<Claim>) -> Result<(), CommandError> {
        while !batch.is_empty() {
            let body = check::body(batch.iter().map(|claim| claim.item.as_str()));
            let note = |text: &str, wait| self.screen.note_wait(text, wait);
            let answer = retry::deliver(&Call::Send(body.into()), self.wire, self.clock, &note)?;
            batch = match answer.status {
                200 | 201 => return self.settle(&batch, &answer),
                422 => self.without_invalid(batch, &answer)?,
                429 => self.without_stopped(batch, &answer)?,
                _ => return Err(answer::explain(&answer, self.key)),
            };
        }
        Ok(())
    }

    fn settle(&mut self, batch: &[Claim], answer: &Answer) -> Result<(), CommandError> {
        let sent: Sent = answer::read(answer)?;
        let same = |(claim, result): (&Claim, &ResultItem)| claim.number == result.claim_number;
        if sent.claims.len() != batch.len() || !batch.iter().zip(&sent.claims).all(same) {
            return Err(answer::not_the_service());
        }
        for (claim, result) in batch.iter().zip(&sent.claims) {
            self.tally.settle(claim, result, self.screen);
        }
        // The service accepted the key.
        self.screen.release();
        self.tick();
        Ok(())
    }

    /// Removes the claims that the service found invalid, and sends the rest again. The service's clock or rules may
    /// differ from ours.
    fn without_invalid(&mut self, batch: Vec<Claim>, answer: &Answer) -> Result<Vec<Claim>, CommandError> {
        let mut named: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for problem in answer::problems(&answer.body) {
            let (index, text) = read_item(&problem).ok_or_else(|| answer::explain(answer, self.key))?;
            named.entry(index).or_default().push(text.to_owned());
        }
        // The service accepted the key, because it judged the claims.
        self.screen.release();
        let mut rest = Vec::with_capacity(batch.len());
        let before = batch.len();
        for (index, claim) in batch.into_iter().enumerate() {
            if let Some(problems) = named.get(&index) {
                self.tally.unanswered = self.tally.unanswered.saturating_sub(1);
                self.invalid(claim.place, problems);
            } else {
                rest.push(claim);
            }
        }
        if rest.len() == before {
            return Err(answer::explain(answer, self.key));
        }
        Ok(rest)
    }

    /// Reports the claims that cannot be sent again today as refused, and sends the rest again.
    fn without_stopped(&mut self, batch: Vec<Claim>, answer: &Answer) -> Result<Vec<Claim>, CommandError> {
        let (items, why) = answer::stopped(answer).ok_or_else(answer::not_the_service)?;
        let mut rest = Vec::with_capacity(batch.len());
        let before = batch.len();
        for (index, claim) in batch.into_iter().enumerate() {
            if items.contains(&index) {
                let refused = ResultItem {
                    claim_number: claim.number.clone(),
                    created: false,
                    id: None,
                    status: None,
                    error: Some(why.to_owned()),
                };
                self.tally.settle(&claim, &refused, self.screen);
            } else {
                rest.push(claim);
            }
        }
        if rest.len() == before {
            return Err(answer::not_the_service());
        }
        Ok(rest)
    }

    fn invalid(&mut self, place: Place, problems: &[String]) {
        self.tally.invalid = self.tally.invalid.saturating_add(1);
        validate::invalid(place, problems, self.screen);
    }
}
