//! What must hold of each answer, checked when it comes.

use crate::clock::{MS, SECOND};
use crate::model::Op;
use crate::network::Reply;
use crate::world::World;

/// The beginning of everything about patients in this world. It is followed by the number of the practice and a letter. What is
/// sealed is base64, which has no such point.
pub(crate) const MARK: &str = "Xylo.";

/// What stands for a sandbox in place of the number of a practice.
pub(crate) const OF_SANDBOX: usize = 5;

/// Who asked.
#[derive(Clone, Copy)]
pub(crate) enum Asker {
    /// A program with the key of this number.
    Key(usize),
    /// A program with the key of this number, of a sandbox.
    Sandbox(usize),
    /// An integration with the token of this number.
    Token(usize),
    /// A person of the practice.
    Person,
    /// A person of the practice with the session of this number, who signed in.
    Session(usize),
}

/// Checks an answer to a practice. The call began and ended at these moments.
pub(crate) fn of_practice(world: &World, practice: usize, asker: Asker, (began, ended): (u64, u64), reply: &Reply) {
    let mut problems = Vec::new();
    let text = &reply.text;
    let is_of_key = matches!(asker, Asker::Key(_) | Asker::Sandbox(_));
    let fails = reply.status >= 400;
    if (is_of_key || fails) && text.contains(MARK) {
        problems.push("an answer without patients names one".to_owned());
    }
    for other in (0..world.practices.len()).filter(|other| *other != practice) {
        if text.contains(&format!("{MARK}{other}")) || text.contains(&world.practices[other].id) {
            problems.push(format!("an answer to practice {practice} has something of practice {other}"));
        }
    }
    if text.contains(&format!("{MARK}{OF_SANDBOX}")) {
        problems.push(format!("an answer to practice {practice} has something of a sandbox"));
    }
    let access = &world.model.borrow().access;
    let credential = match asker {
        Asker::Key(key) => Some((format!("key {key}"), &access.keys[key])),
        Asker::Sandbox(key) => Some((format!("key {key} of a sandbox"), &access.sandbox_keys[key])),
        Asker::Token(token) => Some((format!("token {token}"), &access.tokens[token])),
        Asker::Person | Asker::Session(_) => None,
    };
    if let Some((name, life)) = credential {
        // A sandbox works without the practice's agreement.
        let needs_agreement = !matches!(asker, Asker::Sandbox(_));
        let (revoked, unsigned) = (life.is_revoked(began), access.unsigned_since(practice, ended));
        let unsigned = needs_agreement && unsigned.is_some_and(|since| since < began);
        match reply.status {
            200 | 201 if revoked => problems.push(format!("{name} works after its revocation was answered")),
            200 | 201 if unsigned => {
                problems.push("a call works after the end of the agreement was answered".to_owned())
            }
            401 if !life.may_be_revoked(ended) => problems.push(format!("{name} is refused and was not revoked")),
            403 if !needs_agreement || access.is_signed(practice, began, ended) => {
                problems.push("a call is refused while the agreement is in force".to_owned());
            }
            _ => {}
        }
    }
    if let Asker::Session(session) = asker {
        problems.extend(of_session(world, session, (began, ended), reply));
    }
    // A slow clock may see a record of the future, and says so; everything else has a name.
    if !matches!(reply.status, 200 | 201 | 204 | 400 | 401 | 402 | 403 | 404 | 408 | 409 | 422 | 429 | 500 | 503) {
        problems.push(format!("an answer has status {}", reply.status));
    }
    if reply.status == 500 {
        problems.push(format!("an internal error: {text}"));
    }
    for problem in problems {
        world.wrong(format!("{problem} (the call from {began} to {ended})"));
    }
}

/// Checks an answer to a call with a session.
pub(crate) fn of_session(world: &World, session: usize, (began, ended): (u64, u64), reply: &Reply) -> Option<String> {
    let sessions = &world.model.borrow().sessions;
    match reply.status {
        200 | 201 | 204 if sessions.has_ended(session, began) => {
            Some(format!("session {session} works after its end was answered"))
        }
        401 if !sessions.may_have_ended(session, ended) => {
            Some(format!("session {session} is refused and did not end"))
        }
        _ => None,
    }
}

/// Checks an answer to staff about a practice. They may see all practices, but not one in what is another's.
pub(crate) fn of_staff(world: &World, practice: usize, reply: &Reply) {
    if reply.status == 500 {
        world.wrong(format!("staff get an internal error: {}", reply.text));
    }
    of_one(world, practice, reply);
}

/// Checks a page that a patient of a practice gets.
pub(crate) fn of_patient(world: &World, practice: usize, reply: &Reply) {
    if !matches!(reply.status, 200 | 404 | 409 | 422) {
        world.wrong(format!("a patient gets {}: {}", reply.status, reply.text));
    }
    of_one(world, practice, reply);
}

fn of_one(world: &World, practice: usize, reply: &Reply) {
    if reply.text.contains(&format!("{MARK}{OF_SANDBOX}")) {
        world.wrong(format!("an answer about practice {practice} has something of a sandbox"));
    }
    for other in (0..world.practices.len()).filter(|other| *other != practice) {
        if reply.text.contains(&format!("{MARK}{other}")) || reply.text.contains(&world.practices[other].id) {
            world.wrong(format!("an answer about practice {practice} has something of practice {other}"));
        }
    }
}

/// The longest that an answer takes without faults, in microseconds: writes wait two seconds for a switch.
const LONGEST: u64 = 3 * SECOND;

/// Checks an answer in a world without faults. The operator's calls carry moves on as long as there is something to do, and
/// recorded calls wait for each other.
pub(crate) fn without_faults(world: &World, target: &str, took: u64, reply: Option<&Reply>) {
    let status = reply.map_or(0, |reply| reply.status);
    let is_late = took > LONGEST && world.plan.recorded.is_none() && !target.starts_with("/operations/");
    if is_late || !(1..500).contains(&status) {
        world.wrong(format!("without faults, {target} is answered {status} after {} ms", took / MS));
    }
}

/// Records what was asked about a claim number, and that an id was told.
pub(crate) fn record(world: &World, op: Op, id: Option<&str>) {
    let mut model = world.model.borrow_mut();
    if let Some(other) = id.and_then(|id| model.told(id, op.practice)) {
        let practice = op.practice;
        drop(model);
        world.wrong(format!("a claim of practice {other} is told to practice {practice}"));
        world.model.borrow_mut().record(op);
        return;
    }
    model.record(op);
}
