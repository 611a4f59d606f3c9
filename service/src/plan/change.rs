//! A write of the wider service: a plan, its answer, and the work after the commit.

use crate::plan::audit::Entry;
use crate::plan::guard::Guard;
use crate::plan::version::RecordVersion;
use crate::plan::write::Write;
use crate::request::email::EmailAddress;
use crate::request::secret::{LinkToken, SessionToken};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{MessageId, PracticeId, SessionId};
use overturn_core::base::time::Time;
use serde::Serialize;
use serde_json::{Map, Value};

/// A decided write. If it changes anything, it has an audit row, which also shows whether its batch ran before.
#[derive(Debug)]
pub struct Change {
    /// The conditions besides the person's own rights.
    pub guards: Vec<Guard>,
    pub writes: Vec<Write>,
    /// Writes in another cell that nothing depends on. They come first: if they fail, nothing is done.
    pub elsewhere: Option<(Cell, Vec<Write>)>,
    pub answer: Answer,
    /// The work after the commit.
    pub after: Vec<After>,
}

impl Change {
    /// A change with its audit row.
    #[must_use]
    pub fn new(audit: Entry, answer: Answer) -> Self {
        Self { writes: [Write::Audit(audit)].into(), ..Self::nothing(answer) }
    }

    /// No change, because the requested state is already there.
    #[must_use]
    pub const fn nothing(answer: Answer) -> Self {
        Self { guards: Vec::new(), writes: Vec::new(), elsewhere: None, answer, after: Vec::new() }
    }

    /// The same with another guard.
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guards.push(guard);
        self
    }

    /// The same with another write.
    #[must_use]
    pub fn write(mut self, write: Write) -> Self {
        self.writes.push(write);
        self
    }

    /// The same with more writes.
    #[must_use]
    pub fn write_all(mut self, writes: impl IntoIterator<Item = Write>) -> Self {
        self.writes.extend(writes);
        self
    }

    /// The same as an edit of a record in the version that was read. The batch is refused if the record has another
    /// version by then, and gives it the next one.
    #[must_use]
    pub fn edits(self, read: RecordVersion) -> Self {
        self.guard(Guard::Version(read)).write(Write::Version(read.next()))
    }

    /// The same with another field in the detail of its audit row.
    #[must_use]
    pub fn also_audit(mut self, field: &str, value: &impl Serialize) -> Self {
        if let Some(Write::Audit(entry)) = self.writes.first_mut() {
            let detail = entry.detail.get_or_insert_with(|| Value::Object(Map::new()));
            if let Some(fields) = detail.as_object_mut() {
                // Ids have text, so this cannot fail.
                let value = serde_json::to_value(value).unwrap_or_default();
                fields.insert(field.into(), value);
            }
        }
        self
    }

    /// The same with more work after the commit.
    #[must_use]
    pub fn after(mut self, after: After) -> Self {
        self.after.push(after);
        self
    }
}

/// The answer of a change. `Debug` prints only the status.
#[derive(Clone)]
pub struct Answer {
    /// The status: `200`, `201`, `202` or `204`.
    pub status: u16,
    /// The body; [`Value::Null`] for none.
    pub body: Value,
    /// A field of the body that is shown once and never kept: its name and value.
    pub shown_once: Option<(&'static str, Value)>,
    /// The body to keep, if it must not have everything that is shown: what is kept is not sealed.
    pub kept_as: Option<Value>,
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Answer({})", self.status)
    }
}

impl Answer {
    /// An answer with a body.
    #[must_use]
    pub fn new(status: u16, body: &impl Serialize) -> Self {
        Self {
            status,
            // Answers have text for every key, so this cannot fail.
            body: serde_json::to_value(body).unwrap_or_default(),
            shown_once: None,
            kept_as: None,
        }
    }

    /// `204`.
    #[must_use]
    pub const fn empty() -> Self {
        Self { status: 204, body: Value::Null, shown_once: None, kept_as: None }
    }

    /// The same with a field that is shown only once.
    #[must_use]
    pub fn once(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.shown_once = Some((field, value.into()));
        self
    }

    /// The same with another body to keep for a repeated request.
    #[must_use]
    pub fn keeping(mut self, body: &impl Serialize) -> Self {
        self.kept_as = serde_json::to_value(body).ok();
        self
    }

    /// The body with the fields that are shown once.
    #[must_use]
    pub fn first(&self) -> Value {
        self.with(|value| value.clone())
    }

    /// The body to keep. A note replaces the fields that are shown once.
    #[must_use]
    pub fn kept(&self) -> Value {
        if let Some(body) = &self.kept_as {
            return body.clone();
        }
        let mut body = self.with(|_| Value::Null);
        if let (Some((field, _)), Some(fields)) = (&self.shown_once, body.as_object_mut()) {
            let why = format!("{field} was shown once, in the first answer to this request");
            fields.insert(String::from("not_repeated"), why.into());
        }
        body
    }

    fn with(&self, show: impl Fn(&Value) -> Value) -> Value {
        let mut body = self.body.clone();
        if let (Some((field, value)), Some(fields)) = (&self.shown_once, body.as_object_mut()) {
            fields.insert(String::from(*field), show(value));
        }
        body
    }
}

/// The work after the commit of a change.
#[derive(Debug)]
pub enum After {
    /// Sets this session in the browser.
    SetSession(SessionId, SessionToken),
    /// Clears the browser's session, known by the hash of its token.
    ClearSession(String),
    /// Sends an email after the answer.
    Mail(PlannedLetter),
    /// Sends messages to a practice's endpoints at once.
    Deliver(PracticeId, Vec<MessageId>),
}

/// An email.
#[derive(Clone, Debug)]
pub struct PlannedLetter {
    /// The recipient.
    pub to: EmailAddress,
    /// The content.
    pub says: LetterKind,
}

/// The content of an email.
#[derive(Clone, Debug)]
pub enum LetterKind {
    SignIn(LinkToken),
    PasswordReset(LinkToken),
    /// An invitation to a practice.
    Invitation {
        practice: String,
        /// The name or address of the person who invites.
        inviter: String,
        /// The link.
        token: LinkToken,
    },
    PasswordChanged,
    /// The second factor or its recovery codes were changed.
    FactorChanged,
    /// A passkey was added to the account, or removed from it.
    PasskeyChanged {
        /// What the person calls it.
        name: String,
        /// True if it was added.
        added: bool,
    },
    /// A recovery code was used to sign in.
    RecoveryCodeUsed {
        at: Time,
        /// How many codes are left.
        left: usize,
    },
    /// A sign-in from an unknown device.
    NewDevice {
        at: Time,
        /// Its IP address.
        ip: String,
        /// The browser's user agent.
        agent: String,
    },
    /// The counter of a passkey was used before, so there may be a copy of it.
    PasskeyCopied {
        /// What the person calls it.
        name: String,
        at: Time,
    },
    /// The password is closed after this many wrong attempts in a row.
    PasswordClosed {
        /// How many.
        failures: i64,
    },
    /// API keys of the practice still work, although the person who made them was removed or may no longer make any.
    KeysRemain {
        /// How many.
        keys: u32,
        /// True if the person was removed.
        removed: bool,
    },
    /// An identity at a provider was joined to the account, or removed from it.
    IdentityChanged {
        /// What people call the provider.
        provider: String,
        /// True if it was joined.
        joined: bool,
    },
}

impl LetterKind {
    /// True if the email has a link. A notice has none.
    #[must_use]
    pub const fn has_link(&self) -> bool {
        match self {
            Self::SignIn(_) | Self::PasswordReset(_) | Self::Invitation { .. } => true,
            Self::PasswordChanged
            | Self::FactorChanged
            | Self::PasskeyChanged { .. }
            | Self::RecoveryCodeUsed { .. }
            | Self::NewDevice { .. }
            | Self::PasskeyCopied { .. }
            | Self::PasswordClosed { .. }
            | Self::KeysRemain { .. }
            | Self::IdentityChanged { .. } => false,
        }
    }

    /// True if the email may be skipped because its reader has just had several such notices: sign-ins can repeat often.
    /// Emails about rare events are always sent.
    #[must_use]
    pub const fn may_be_left_out(&self) -> bool {
        matches!(self, Self::NewDevice { .. } | Self::PasskeyCopied { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_shown_once_is_in_the_first_answer_and_never_stored() {
        let answer = Answer::new(201, &json!({ "id": 1 })).once("key", "secret");
        assert_eq!(answer.first(), json!({ "id": 1, "key": "secret" }));
        let why = "key was shown once, in the first answer to this request";
        let kept = json!({ "id": 1, "key": null, "not_repeated": why });
        assert_eq!(answer.kept(), kept);
        assert!(!format!("{answer:?}").contains("secret"));
        let plain = Answer::new(200, &json!({ "id": 1 }));
        assert_eq!(plain.kept(), plain.first());
    }
}
