//! `overturn listen`: the webhook messages of a practice on the developer's machine, without a tunnel.
//!
//! It follows the changes of the practice's claims by the cursor that integrations use and their histories, makes the messages
//! that the service makes of such changes, and posts them. Everything is kept in memory: a later start begins with later changes.

mod changes;
mod outbox;

use crate::args;
use crate::endpoint::Endpoint;
use crate::error::{CommandError, End};
use crate::interrupt::Interrupt;
use crate::person::PersonService;
use crate::screen::Screen;
use crate::system;
use crate::text::counted;
use changes::{Changes, Next};
use outbox::Outbox;
use serde_json::json;
use std::time::Duration;

/// How long a wait for the next thing to do is at most, so that an interruption is noticed.
const NAP: Duration = Duration::from_millis(50);
/// The first wait after a lost connection, and the longest.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// Runs the command until the user ends it.
///
/// # Errors
///
/// What has to be set right before it can follow the practice.
pub(crate) fn command(args: &args::Listen, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let person = PersonService::find(&args.service, "denials:read", interrupt)?;
    let endpoint = Endpoint::new(&args.to.forward, args.to.secret.as_deref(), interrupt, screen)?;
    let mut outbox = Outbox::new(&args.events);
    let followed = follow(args, &person, &endpoint, &mut outbox, (interrupt, screen));
    let (delivered, waiting) = (outbox.delivered, outbox.waiting());
    let text = format!("{} delivered, {} waiting", counted(delivered, "message"), waiting);
    screen.event("summary", json!({ "complete": true, "delivered": delivered, "waiting": waiting }), Some(text));
    match followed {
        // The user ends it so.
        Err(CommandError::Interrupted) => Ok(End::Fine),
        other => other.map(|()| End::Fine),
    }
}

fn follow(
    args: &args::Listen,
    person: &PersonService,
    endpoint: &Endpoint,
    outbox: &mut Outbox,
    (interrupt, screen): (&Interrupt, &mut Screen),
) -> Result<(), CommandError> {
    let every = Duration::from_secs(args.every);
    let mut changes = Changes::from_now(person, screen)?;
    let text = format!("listening; messages go to {}", args.to.forward);
    screen.event("listening", json!({ "forward": args.to.forward, "claims": changes.known() }), Some(text));
    let (mut poll_at, mut failures) = (system::instant(), 0_u32);
    loop {
        interrupt.check()?;
        if system::instant() >= poll_at {
            let (told, next) = changes.poll(person, screen)?;
            outbox.add(told)?;
            if !matches!(next, Next::Later(..)) {
                failures = 0;
            }
            let wait = match next {
                Next::More => Duration::ZERO,
                Next::Wait => every,
                Next::Later(why, asked) => {
                    failures = failures.saturating_add(1);
                    let wait = back_off(failures).max(asked);
                    screen.note(&format!("{why}; again in {} s", wait.as_secs()));
                    wait
                }
            };
            poll_at = system::instant() + wait;
        }
        if !outbox.post_one(endpoint, screen)? {
            interrupt.sleep(NAP)?;
        }
    }
}

fn back_off(failures: u32) -> Duration {
    let [first, longest] = WAITS;
    first.saturating_mul(1_u32 << failures.saturating_sub(1).min(5)).min(longest)
}
