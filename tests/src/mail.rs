//! The mail that a server would send.

use crate::log::Log;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

const TIME_OUT: Duration = Duration::from_secs(60);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mail {
    pub subject: String,
    /// The whole text.
    pub text: String,
    pub file: String,
}

impl Mail {
    /// The first link in its text.
    pub fn link(&self) -> &str {
        let mut words = self.text.split_whitespace();
        let link = words.find(|word| word.starts_with("http://") || word.starts_with("https://"));
        link.unwrap_or_else(|| panic!("no link in {self:?}"))
    }

    fn read(line: &Value, to: &str) -> Option<Self> {
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        if line["event"] != "mail" || line["to"] != to {
            return None;
        }
        Some(Self { subject: text("subject")?, text: text("text")?, file: text("file")? })
    }
}

/// The mail to one address since the server's start. Each message is returned once.
#[derive(Debug)]
pub struct Inbox {
    log: Arc<Log>,
    to: String,
    seen: usize,
}

impl Inbox {
    pub(crate) fn new(log: &Arc<Log>, to: &str) -> Self {
        Self { log: Arc::clone(log), to: to.to_owned(), seen: 0 }
    }

    /// The next message. Waits for it.
    pub fn take(&mut self) -> Mail {
        let mail = self.take_within(TIME_OUT);
        mail.unwrap_or_else(|| panic!("no mail to {} after {}", self.to, self.seen))
    }

    /// The next message, if it comes within `time_out`.
    pub fn take_within(&mut self, time_out: Duration) -> Option<Mail> {
        let read = |line: &Value| Mail::read(line, &self.to);
        let mail = self.log.nth(self.seen, time_out, read)?;
        self.seen += 1;
        Some(mail)
    }
}
