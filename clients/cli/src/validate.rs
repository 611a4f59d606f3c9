//! `overturn validate`: applies the rules of the service without calling it.

mod repeats;

use crate::check::{self, Judged};
use crate::error::{CommandError, End};
use crate::frame::Frames;
use crate::input::{self, Place};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::screen::Screen;
use crate::text::shown;
use crate::{args, feed, system, table};
use repeats::Repeats;
use serde_json::{Value, json};

/// What to do about a part of the file that could not be read.
pub(crate) const PART: &str = "a part of the file was not read, as said above: set it right there and run this again";

#[derive(Default)]
struct Tally {
    valid: u64,
    invalid: u64,
    advice: u64,
    /// True if a part of the file could not be read.
    unread: bool,
}

impl Tally {
    fn claims(&self) -> u64 {
        self.valid.saturating_add(self.invalid)
    }
}

/// Runs the command.
///
/// # Errors
///
/// [`CommandError::Usage`] when the file cannot be read or has no claim, and [`CommandError::Interrupted`].
pub(crate) fn command(args: &args::Validate, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    check(&args.source, Says::All, interrupt, screen)
}

/// What is printed about a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    All,
    /// Nothing about a file that is fine, and only what is wrong with another.
    Problems,
}

/// Reads a file and applies the rules.
///
/// # Errors
///
/// Those of [`command`].
pub(crate) fn check(
    source: &args::Source,
    says: Says,
    interrupt: &Interrupt,
    screen: &mut Screen,
) -> Result<End, CommandError> {
    let shape = source.shape()?;
    let file = feed::open(&source.file, interrupt)?;
    screen.show(Progress::new(file.length, file.read));
    let mut tally = Tally::default();
    let mut repeats = Repeats::default();
    let mut frames = Frames::default();
    let read = input::read(file.bytes, &shape, &mut |place, entry| {
        interrupt.check()?;
        match check::judge(place, entry, &system::ctx()) {
            Judged::Valid(claim, advice) => {
                tally.valid = tally.valid.saturating_add(1);
                frames.count_claim();
                let again = repeats.is_again(&claim).then(repeats::advice);
                for piece in advice.iter().map(|advice| json!(advice)).chain(again) {
                    tally.advice = tally.advice.saturating_add(1);
                    if says == Says::All {
                        advise(place, &piece, screen);
                    }
                }
            }
            Judged::Invalid(problems) => {
                tally.invalid = tally.invalid.saturating_add(1);
                frames.count_claim();
                invalid(place, &problems, screen);
            }
            Judged::Unread(problems) => {
                tally.unread = true;
                tally.invalid = tally.invalid.saturating_add(1);
                invalid(place, &problems, screen);
            }
            Judged::Frame(frame) => frames.take(frame),
            Judged::Nothing => {}
        }
        screen.tick(tally.claims(), tally.claims());
        Ok(())
    });
    let read = interrupt.check().and(read);
    screen.fail_first(&read);
    screen.hide();
    screen.count_rest();
    let is_whole = !tally.unread && frames.problems().is_empty();
    let complete = read.is_ok() && is_whole;
    if says == Says::All || !complete || tally.invalid > 0 {
        summary(&tally, complete, screen);
    }
    if tally.unread {
        screen.note(PART);
    }
    read.and_then(|()| frames.end(tally.claims(), tally.invalid, screen))
}

pub(crate) fn invalid(place: Place, problems: &[String], screen: &mut Screen) {
    let texts: Vec<(String, String)> = problems.iter().map(|text| (shown(text), String::new())).collect();
    let fields = json!({ "line": place.line, "index": place.index, "problems": problems });
    screen.repeatable("invalid", fields, place, &texts);
}

/// Prints advice: an object with `code`, `message`, and a `field` if it is about one.
pub(crate) fn advise(place: Place, advice: &Value, screen: &mut Screen) {
    let text = |name: &str| advice.get(name).and_then(Value::as_str).unwrap_or_default();
    let fields = json!({
        "line": place.line,
        "index": place.index,
        "code": advice.get("code"),
        "field": advice.get("field"),
        "message": advice.get("message"),
    });
    let field = if text("field").is_empty() { String::new() } else { format!("{} ", text("field")) };
    let text = shown(&format!("advice: {field}{}", text("message")));
    screen.repeatable("advice", fields, place, &[(text, String::new())]);
}

fn summary(tally: &Tally, complete: bool, screen: &mut Screen) {
    let counts = [("valid", tally.valid), ("invalid", tally.invalid), ("advice", tally.advice)];
    let fields = json!({
        "complete": complete,
        "valid": tally.valid,
        "invalid": tally.invalid,
        "advice": tally.advice,
    });
    screen.event("summary", fields, Some(table::counts(&counts)));
}
