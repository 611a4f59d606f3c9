//! What a write of the wider service comes to: a plan, its answer, and what happens once it is committed.

use crate::base::email::EmailAddress;
use crate::base::id::SessionId;
use crate::base::secret::{LinkToken, SessionToken};
use crate::base::time::Time;
use crate::plan::audit::Entry;
use crate::plan::guard::Guard;
use crate::plan::write::Write;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use serde_json::Value;

/// A decided write. One that changes anything has a row of the audit trail, which is also what tells a batch that was
/// carried out.
#[derive(Debug)]
pub struct Change {
    /// What must hold beside the person's own rights.
    pub guards: Vec<Guard>,
    /// What to write.
    pub writes: Vec<Write<'static>>,
    /// What to say.
    pub answer: Answer,
    /// What happens once it is committed.
    pub after: Vec<After>,
}

impl Change {
    /// A change with its row of the audit trail.
    #[must_use]
    pub fn new(audit: Entry, answer: Answer) -> Self {
        Self {
            guards: Vec::new(),
            writes: [Write::Audit(audit)].into(),
            answer,
            after: Vec::new(),
        }
    }

    /// A request for what is so already.
    #[must_use]
    pub const fn nothing(answer: Answer) -> Self {
        Self {
            guards: Vec::new(),
            writes: Vec::new(),
            answer,
            after: Vec::new(),
        }
    }

    /// The same with a guard more.
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guards.push(guard);
        self
    }

    /// The same with a write more.
    #[must_use]
    pub fn write(mut self, write: Write<'static>) -> Self {
        self.writes.push(write);
        self
    }

    /// The same with something more to do once it is committed.
    #[must_use]
    pub fn after(mut self, after: After) -> Self {
        self.after.push(after);
        self
    }
}

/// What a change answers. `Debug` prints the status only.
#[derive(Clone)]
pub struct Answer {
    /// The status: `200`, `201`, `202` or `204`.
    pub status: u16,
    /// The body; [`Value::Null`] for none.
    pub body: Value,
    /// A field of the body that is shown once and never kept: its name and value.
    pub shown_once: Option<(&'static str, Value)>,
}

impl core::fmt::Debug for Answer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Answer({})", self.status)
    }
}

impl Answer {
    /// An answer with a body.
    #[must_use]
    pub fn new(status: u16, body: &impl Serialize) -> Self {
        Self {
            status,
            // What core answers with has text for every key.
            body: serde_json::to_value(body).unwrap_or_default(),
            shown_once: None,
        }
    }

    /// `204`.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            status: 204,
            body: Value::Null,
            shown_once: None,
        }
    }

    /// The same with a field that is shown only this once.
    #[must_use]
    pub fn once(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.shown_once = Some((field, value.into()));
        self
    }

    /// The body with what is shown once.
    #[must_use]
    pub fn first(&self) -> Value {
        self.with(|value| value.clone())
    }

    /// The body to keep: in the place of what is shown once, nothing, and a word on why.
    #[must_use]
    pub fn kept(&self) -> Value {
        let mut body = self.with(|_| Value::Null);
        if let (Some((field, _)), Some(fields)) = (&self.shown_once, body.as_object_mut()) {
            let why = alloc::format!("{field} was shown once, in the first answer to this request");
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

/// What happens once a change is committed.
#[derive(Debug)]
pub enum After {
    /// The browser keeps this session.
    SetSession(SessionId, SessionToken),
    /// The browser forgets its session, known by the hash of its token.
    ClearSession(String),
    /// A letter goes out, behind the answer.
    Mail(Letter),
}

/// A letter to write.
#[derive(Clone, Debug)]
pub struct Letter {
    /// To whom.
    pub to: EmailAddress,
    /// What it says.
    pub says: LetterKind,
}

/// What a letter says.
#[derive(Clone, Debug)]
pub enum LetterKind {
    /// Here is the link to sign in with.
    SignIn(LinkToken),
    /// Here is the link to choose a new password with.
    PasswordReset(LinkToken),
    /// Somebody invites you to a practice.
    Invitation {
        /// The practice's name.
        practice: String,
        /// The name of who invites, or their address.
        inviter: String,
        /// The link.
        token: LinkToken,
    },
    /// Your password was changed.
    PasswordChanged,
    /// Your second factor, or its recovery codes, was changed.
    FactorChanged,
    /// A recovery code let somebody in.
    RecoveryCodeUsed {
        /// When.
        at: Time,
        /// How many codes are left.
        left: usize,
    },
    /// Somebody signed in on a device that was not known.
    NewDevice {
        /// When.
        at: Time,
        /// The address they came from.
        ip: String,
        /// What the browser calls itself.
        agent: String,
    },
    /// Your password is closed: so many in a row were wrong.
    PasswordClosed {
        /// How many.
        failures: i64,
    },
    /// Keys of your practice go on working although who made them was removed, or may make none any more.
    KeysRemain {
        /// How many.
        keys: u32,
        /// Whether who made them was removed.
        removed: bool,
    },
}

impl LetterKind {
    /// Whether there is something to do with it. What only tells of what was done has no link.
    #[must_use]
    pub const fn has_link(&self) -> bool {
        match self {
            Self::SignIn(_) | Self::PasswordReset(_) | Self::Invitation { .. } => true,
            Self::PasswordChanged
            | Self::FactorChanged
            | Self::RecoveryCodeUsed { .. }
            | Self::NewDevice { .. }
            | Self::PasswordClosed { .. }
            | Self::KeysRemain { .. } => false,
        }
    }

    /// Whether the letter is left out where its reader has had several of its kind in the last minutes: signing in can be done
    /// again and again. What can happen a few times only is always told.
    #[must_use]
    pub const fn may_be_left_out(&self) -> bool {
        matches!(self, Self::NewDevice { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use serde_json::json;

    #[test]
    fn what_is_shown_once_is_in_the_first_answer_and_never_kept() {
        let answer = Answer::new(201, &json!({ "id": 1 })).once("key", "secret");
        assert_eq!(answer.first(), json!({ "id": 1, "key": "secret" }));
        let why = "key was shown once, in the first answer to this request";
        let kept = json!({ "id": 1, "key": null, "not_repeated": why });
        assert_eq!(answer.kept(), kept);
        assert!(!alloc::format!("{answer:?}").contains("secret"));
        let plain = Answer::new(200, &json!({ "id": 1 }));
        assert_eq!(plain.kept(), plain.first());
    }
}
