//! `overturn validate`: the rules of the service, without the service.

use crate::check::{self, Judged};
use crate::failure::{End, Failure};
use crate::input::{self, Place};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::screen::Screen;
use crate::text::shown;
use crate::{ambient, args, feed, table};
use overturn_core::advice::Advice;
use serde_json::json;

/// What is to be done about a part that was hidden.
pub(crate) const PART: &str =
    "a part of the file was not read, as said above: set it right there and run this again";

#[derive(Default)]
struct Tally {
    valid: u64,
    invalid: u64,
    advice: u64,
    /// Whether something hides what stands behind it.
    unread: bool,
}

/// The command.
///
/// # Errors
///
/// [`Failure::Usage`] when the file cannot be read, and [`Failure::Interrupted`].
pub(crate) fn command(
    args: &args::Validate,
    interrupt: &Interrupt,
    screen: &mut Screen,
) -> Result<End, Failure> {
    let file = feed::open(&args.file, interrupt)?;
    screen.show(Progress::new(file.length, file.read));
    let mut tally = Tally::default();
    let read = input::read(file.bytes, &mut |place, entry| {
        interrupt.check()?;
        match check::judge(place, entry, &ambient::ctx()) {
            Judged::Valid(_, advice) => {
                tally.valid = tally.valid.saturating_add(1);
                for advice in &advice {
                    tally.advice = tally.advice.saturating_add(1);
                    advise(place, advice, screen);
                }
            }
            Judged::Invalid(problems) => {
                tally.invalid = tally.invalid.saturating_add(1);
                invalid(place, &problems, screen);
            }
            Judged::Unread(problems) => {
                tally.unread = true;
                tally.invalid = tally.invalid.saturating_add(1);
                invalid(place, &problems, screen);
            }
            Judged::Nothing => {}
        }
        screen.tick(tally.valid.saturating_add(tally.invalid));
        Ok(())
    });
    let read = interrupt.check().and(read);
    screen.hide();
    summary(&tally, read.is_ok() && !tally.unread, screen);
    if tally.unread {
        screen.note(PART);
    }
    read.map(|()| End::of(tally.invalid))
}

/// Prints what is wrong with a claim.
pub(crate) fn invalid(place: Place, problems: &[String], screen: &mut Screen) {
    let lines: Vec<String> = problems
        .iter()
        .map(|text| format!("{place}{}", shown(text)))
        .collect();
    let fields = json!({ "line": place.line, "index": place.index, "problems": problems });
    screen.event("invalid", fields, Some(lines.join("\n")));
}

fn advise(place: Place, advice: &Advice, screen: &mut Screen) {
    let fields = json!({
        "line": place.line,
        "index": place.index,
        "code": advice.code,
        "field": advice.field,
        "message": advice.message,
    });
    let text = format!("{place}advice: {} {}", advice.field, advice.message);
    screen.event("advice", fields, Some(text));
}

fn summary(tally: &Tally, complete: bool, screen: &mut Screen) {
    let counts = [
        ("valid", tally.valid),
        ("invalid", tally.invalid),
        ("advice", tally.advice),
    ];
    let fields = json!({
        "complete": complete,
        "valid": tally.valid,
        "invalid": tally.invalid,
        "advice": tally.advice,
    });
    screen.event("summary", fields, Some(table::counts(&counts)));
}
