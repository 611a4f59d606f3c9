//! `overturn status`: reads the status of claims.

use crate::address::Service;
use crate::answer::ClaimView;
use crate::call::Http;
use crate::error::{CommandError, End};
use crate::interrupt::Interrupt;
use crate::screen::Screen;
use crate::text::shown;
use crate::{args, feed, input, table};
use overturn_client::Found;
use overturn_client::send::Line;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read};

/// Longer than any claim number. The rules refuse such a line, so the rest of it is not kept.
const LINE_MAX: u64 = 4096;

/// Runs the command.
///
/// # Errors
///
/// The errors of [`overturn_client::status::ask`], and [`CommandError::Usage`] for a mistake of the user.
pub(crate) fn command(args: &args::Status, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let service = Service::find(&args.service, |name| std::env::var(name).ok())?;
    let mut desk = Desk {
        http: service.http(interrupt),
        service,
        interrupt,
        screen,
        rows: vec![["NUMBER", "STATUS", "SIGNING", "APPEAL BUTTON"].map(str::to_owned)],
        found: 0,
        missing: 0,
    };
    let asked = desk.ask_all(&args.numbers);
    desk.screen.fail_first(&asked);
    desk.report(asked.is_ok());
    asked.map(|()| End::of(desk.missing))
}

struct Desk<'a> {
    http: Http,
    service: Service,
    interrupt: &'a Interrupt,
    screen: &'a mut Screen,
    rows: Vec<[String; 4]>,
    found: u64,
    missing: u64,
}

impl Desk<'_> {
    fn ask_all(&mut self, numbers: &[String]) -> Result<(), CommandError> {
        for number in numbers {
            if number == "-" {
                self.ask_lines()?;
            } else {
                self.ask(number)?;
            }
        }
        Ok(())
    }

    fn ask_lines(&mut self) -> Result<(), CommandError> {
        let bytes = feed::open("-", self.interrupt)?.bytes;
        // After an interruption, the reader's own error only repeats it.
        let opened = input::without_byte_order_mark(bytes);
        self.interrupt.check()?;
        let mut lines = opened?;
        loop {
            let read = next_line(&mut lines);
            self.interrupt.check()?;
            let read = read.map_err(|error| CommandError::Usage(format!("cannot read standard input: {error}")))?;
            let Some(line) = read else {
                return Ok(());
            };
            let number = String::from_utf8_lossy(&line);
            let number = number.trim_end_matches(['\r', '\n']);
            if !number.trim().is_empty() {
                self.ask(number)?;
            }
        }
    }

    fn ask(&mut self, number: &str) -> Result<(), CommandError> {
        self.interrupt.check()?;
        let line = Line { key: &self.service.key, wire: &self.http, clock: self.interrupt };
        let note = |text: &str, wait| self.screen.note_wait(text, wait);
        match overturn_client::status::ask(number, &line, &note)? {
            Found::Claim(claim) => self.with(number, &claim),
            Found::Nothing(why) => self.without(number, &why),
        }
        Ok(())
    }

    fn with(&mut self, number: &str, claim: &ClaimView) {
        self.found = self.found.saturating_add(1);
        let text = |name: &str| claim.signing.get(name).and_then(Value::as_str).unwrap_or("");
        let button = claim.signing.get("appeal_button").and_then(Value::as_bool);
        self.rows.push([
            shown(number),
            shown(&claim.status),
            shown(text("status")),
            if button == Some(true) { "on" } else { "off" }.into(),
        ]);
        let fields = json!({
            "claim_number": number,
            "id": claim.id,
            "status": claim.status,
            "signing": claim.signing,
        });
        self.screen.event("claim", fields, None);
    }

    fn without(&mut self, number: &str, error: &str) {
        self.missing = self.missing.saturating_add(1);
        self.rows.push([shown(number), shown(error), String::new(), String::new()]);
        self.screen.event("missing", json!({ "claim_number": number, "error": error }), None);
    }

    fn report(&mut self, complete: bool) {
        let fields = json!({ "complete": complete, "found": self.found, "missing": self.missing });
        let table = (self.rows.len() > 1).then(|| table::table(&self.rows));
        self.screen.event("summary", fields, table);
    }
}

/// The next line with its line break, up to the length limit. The rest of the line is skipped.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = lines.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)?;
    if length == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        lines.skip_until(b'\n')?;
    }
    Ok(Some(line))
}
