//! `overturn rotate`: a new API key in place of the old one, which is revoked only after a send with the new one.
//!
//! At every moment at least one of the two keys works, and the caller has its value: the old key until the new one is
//! printed or written, and has sent claims. The service makes no second replacement of a key beside one that works, so a new
//! key whose value was lost is replaced and revoked.

mod file;
mod place;

use crate::address::Service;
use crate::args;
use crate::call::{Call, Http};
use crate::error::{CommandError, End};
use crate::interrupt::Interrupt;
use crate::person::{PersonService, refused};
use crate::screen::Screen;
use crate::text::shown;
use crate::{answer, retry, send, system};
use overturn_core::base::token::ApiKey;
use place::Place;
use serde::Deserialize;
use serde_json::json;

const KEYS: &str = "/api/v1/settings/api_keys";
const SCOPES: &str = "settings:read and api_keys:rotate";
/// No practice has a claim of this number. The read only shows whether the service takes the key.
const CHECK: &str = "overturn-rotate-checks-its-key";
const UNCHANGED: &str = "nothing was changed; the old key works";
const AGAIN: &str = "Run this again with --lost, which revokes it and makes another one";
/// How many keys may be lost before we give up.
const LOST_MAX: usize = 3;

/// A key in the list.
#[derive(Deserialize)]
struct ListedKey {
    id: String,
    prefix: String,
    scopes: Vec<String>,
    /// In the one form of the service, so texts compare as times.
    created_at: String,
    revoked_at: Option<String>,
    replaced_by: Option<String>,
}

#[derive(Deserialize)]
struct KeyPage {
    api_keys: Vec<ListedKey>,
    next_cursor: Option<String>,
}

/// A new key. Its value is missing in the answer to a repeated request.
#[derive(Deserialize)]
struct MadeKey {
    id: String,
    expires_at: String,
    key: Option<String>,
}

/// Runs the command.
///
/// # Errors
///
/// Why it ended, after a note about which keys work.
pub(crate) fn command(args: &args::Rotate, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let own = Service::find(&args.service, |name| std::env::var(name).ok())?;
    let person = PersonService::find(&args.service, SCOPES, interrupt)?;
    let mut rotation = Rotation { args, own, person, interrupt, screen };
    match &args.end {
        Some(old) => rotation.end_old(&shown_id(old)?),
        None => rotation.rotate(),
    }
}

struct Rotation<'a> {
    args: &'a args::Rotate,
    /// The service with the key of the environment.
    own: Service,
    person: PersonService,
    interrupt: &'a Interrupt,
    screen: &'a mut Screen,
}

impl Rotation<'_> {
    fn rotate(&mut self) -> Result<End, CommandError> {
        let unchanged = |this: &Self| this.screen.note(UNCHANGED);
        let file = self.args.send.as_deref();
        let checked = file.map(|name| file::check(name, self.interrupt, self.screen)).transpose();
        if checked.inspect_err(|_| unchanged(self))? == Some(End::Problems) {
            unchanged(self);
            return Ok(End::Problems);
        }
        let (old, mut lost) = self.old_key().inspect_err(|_| unchanged(self))?;
        // Before the key is made: it must have a place to go to.
        let mut place = self.args.out.as_deref().map(Place::new).transpose().inspect_err(|_| unchanged(self))?;
        let made = self.made(&old, &mut lost)?;
        let new = self.checked(&made).inspect_err(|_| {
            let (id, prefix) =
                (shown(&made.id), shown(made.key.as_deref().and_then(|key| key.get(..13)).unwrap_or("")));
            self.screen.note(&format!("the old key works. The new key {prefix}… ({id}) is not shown. {AGAIN}"));
        })?;
        self.hand_over(&new, &made, place.as_mut());
        for id in lost {
            self.end(&id, "and the one that was lost is revoked").inspect_err(|_| {
                self.screen.note(&format!("the key {} was lost: revoke it in the practice settings", shown(&id)));
                self.both(&old);
            })?;
        }
        if self.args.send.is_none() {
            self.both(&old);
            return Ok(End::Fine);
        }
        self.own.key = new;
        self.send_and_end(&old)
    }

    /// Ends an old key, by the new one in the environment.
    fn end_old(&mut self, id: &str) -> Result<End, CommandError> {
        let old = self.listed()?.into_iter().find(|key| key.id == id);
        let old = old.ok_or_else(|| usage("the practice has no API key of this id that works"))?;
        if self.own.key.hint() == old.prefix {
            return Err(usage("OVERTURN_API_KEY holds the key that is to end. Put the new key into it"));
        }
        if !old.sends() {
            self.check(self.own.key.clone(), false).inspect_err(|_| self.both(&old))?;
            return self.end_replaced(&old);
        }
        if self.args.send.is_none() {
            return Err(usage(
                "name a file of claims with --send: the old key is revoked after a send with the new one. Claims that were sent before are fine",
            ));
        }
        // The file may have no claim.
        self.check(self.own.key.clone(), true).inspect_err(|_| self.both(&old))?;
        self.send_and_end(&old)
    }

    /// Sends with the key that the service now has, and then ends the old one.
    fn send_and_end(&mut self, old: &ListedKey) -> Result<End, CommandError> {
        let source = self.args.send.as_deref().map(args::Source::of);
        let source = source.ok_or_else(|| usage("there is no file to send"))?;
        match send::with(&self.own, &source, self.interrupt, self.screen) {
            Ok(End::Fine) => self.end_replaced(old),
            Ok(End::Problems) => {
                self.both(old);
                Ok(End::Problems)
            }
            Err(failure) => {
                self.both(old);
                Err(failure)
            }
        }
    }

    fn end_replaced(&mut self, old: &ListedKey) -> Result<End, CommandError> {
        let text = format!("and the old one {}… is revoked", shown(&old.prefix));
        self.end(&old.id, &text).inspect_err(|_| {
            let again = format!("the new key works, and the old one may still work. Run: {}", self.again(old));
            self.screen.note(&again);
        })?;
        Ok(End::Fine)
    }

    /// Revokes a key that was replaced.
    fn end(&mut self, id: &str, text: &str) -> Result<(), CommandError> {
        let answer = self.person.post(&format!("{KEYS}/{}/rotate/finish", shown_id(id)?), &once()?, self.screen)?;
        if answer.status != 204 {
            return Err(refused(&answer));
        }
        self.screen.event("revoked", json!({ "id": id }), Some(format!("the new key works, {text}")));
        Ok(())
    }

    fn both(&self, old: &ListedKey) {
        self.screen.note(&format!("both keys work. With the new one in OVERTURN_API_KEY, run: {}", self.again(old)));
    }

    fn again(&self, old: &ListedKey) -> String {
        let send = if old.sends() {
            format!(" --send {}", self.args.send.as_deref().unwrap_or("FILE"))
        } else {
            String::new()
        };
        format!("overturn rotate --end {}{send}", shown(&old.id))
    }

    /// The key of the environment in the list, and the ids of keys that have replaced it and were lost, the newest last.
    fn old_key(&self) -> Result<(ListedKey, Vec<String>), CommandError> {
        let hint = self.own.key.hint();
        let (mut found, others): (Vec<_>, Vec<_>) = self.listed()?.into_iter().partition(|key| key.prefix == hint);
        let old = match (found.pop(), found.is_empty()) {
            (Some(key), true) => key,
            (None, _) => return Err(usage("OVERTURN_API_KEY is no key that works of the token's practice")),
            (Some(_), false) => {
                return Err(usage(
                    "several keys of the practice begin as OVERTURN_API_KEY does. Make the new key in the practice settings",
                ));
            }
        };
        let Some(by) = others.iter().find(|key| old.replaced_by.as_ref() == Some(&key.id)) else {
            return Ok((old, Vec::new()));
        };
        if !self.args.lost {
            return Err(CommandError::Usage(format!(
                "the key {}… ({}) has replaced it. If you have that one, put it into OVERTURN_API_KEY and run: {}. If nobody has it: {AGAIN}",
                shown(&by.prefix),
                shown(&by.id),
                self.again(&old)
            )));
        }
        // One that was lost before, in a run that did not end. An older key may be in use elsewhere.
        let is_newer = |key: &&ListedKey| key.created_at > old.created_at;
        let between = others.iter().filter(|key| key.replaced_by == old.replaced_by).filter(is_newer);
        let lost = between.chain([by]).map(|key| key.id.clone()).collect();
        Ok((old, lost))
    }

    /// The keys that were not revoked.
    fn listed(&self) -> Result<Vec<ListedKey>, CommandError> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page: KeyPage = self.person.get(&format!("{KEYS}?limit=100{cursor}"), self.screen)?;
            found.extend(page.api_keys.into_iter().filter(|key| key.revoked_at.is_none()));
            match page.next_cursor {
                Some(next) if is_plain(&next) => cursor = format!("&cursor={next}"),
                Some(_) => return Err(answer::not_the_service()),
                None => return Ok(found),
            }
        }
    }

    /// A new key with its value. One whose value was lost is replaced, too, and joins the list.
    fn made(&self, old: &ListedKey, lost: &mut Vec<String>) -> Result<MadeKey, CommandError> {
        let before = lost.len();
        loop {
            let made = self.replaced(lost.last().unwrap_or(&old.id), lost.len() == before)?;
            if made.key.is_some() || lost.len() >= LOST_MAX {
                return Ok(made);
            }
            self.screen.note("the answer with the new key was lost, and it is shown only once: making another one");
            lost.push(made.id);
        }
    }

    fn replaced(&self, id: &str, is_first: bool) -> Result<MadeKey, CommandError> {
        let path = format!("{KEYS}/{}/rotate", shown_id(id)?);
        let answer = self.person.post(&path, &once()?, self.screen).inspect_err(|_| {
            self.screen.note(&format!("the old key works. A new key may have been made, which nobody has. {AGAIN}"));
        })?;
        if answer.status != 201 {
            let lost = format!("the old key works. A new key was made, which nobody has. {AGAIN}");
            self.screen.note(if is_first { UNCHANGED } else { &lost });
            return Err(refused(&answer));
        }
        answer::read(&answer).inspect_err(|_| self.screen.note(&format!("the old key works. {AGAIN}")))
    }

    /// The value of the new key, once the service takes it.
    fn checked(&self, made: &MadeKey) -> Result<ApiKey, CommandError> {
        let lost = || CommandError::Service("the answer with the new key was lost, and it is shown only once".into());
        let key: ApiKey = made.key.as_deref().ok_or_else(lost)?.parse().map_err(|_| answer::not_the_service())?;
        self.check(key.clone(), true)?;
        Ok(key)
    }

    /// Fails unless the service takes the key. One that only sends may be refused the read.
    fn check(&self, key: ApiKey, may_only_send: bool) -> Result<(), CommandError> {
        let http = Http::new(&self.own.address, key.expose(), self.interrupt);
        let note = |text: &str, wait| self.screen.note_wait(text, wait);
        let answer = retry::deliver(&Call::Status(CHECK.into()), &http, self.interrupt, &note)?;
        match answer.status {
            200 => Ok(()),
            403 if may_only_send => Ok(()),
            _ if answer::is_unknown_claim(&answer) => Ok(()),
            _ => Err(answer::explain(&answer, &key)),
        }
    }

    /// Writes the key to the file, or prints it. A key that cannot be written is printed: it is shown only once.
    fn hand_over(&mut self, key: &ApiKey, made: &MadeKey, place: Option<&mut Place>) {
        let written = place.map(|place| place.keep(&format!("{}\n", key.expose())));
        let (id, ends) = (shown(&made.id), shown(&made.expires_at));
        match written {
            Some(Ok(())) => {
                let text = format!("the new key {id} is in the file. It ends on {ends}");
                self.screen.event("key", json!({ "id": made.id, "expires_at": made.expires_at }), Some(text));
            }
            failed => {
                if failed.is_some() {
                    self.screen.note("the file cannot be written, so the new key is here");
                }
                let fields = json!({ "id": made.id, "expires_at": made.expires_at, "key": key.expose() });
                self.screen.event("key", fields, Some(key.expose().into()));
                self.screen.note(&format!("this is the new key {id}, shown only now. It ends on {ends}"));
            }
        }
    }
}

impl ListedKey {
    fn sends(&self) -> bool {
        self.scopes.iter().any(|scope| scope == "claims:write")
    }
}

/// An id as a part of a path.
fn shown_id(id: &str) -> Result<String, CommandError> {
    if is_plain(id) { Ok(id.to_owned()) } else { Err(usage("an id has letters, digits and hyphens only")) }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A fresh idempotency key.
fn once() -> Result<String, CommandError> {
    Ok(system::fresh()?.request_id.to_string())
}

fn usage(message: &str) -> CommandError {
    CommandError::Usage(message.into())
}
