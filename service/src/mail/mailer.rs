//! Sends emails through the host.

use crate::host::Host;
use crate::host::Letter;
use serde_json::json;
use std::rc::Rc;
use std::time::Duration;

/// The sender's name in emails.
const SENDER_NAME: &str = "Overturn";
/// How long a caller waits. After that, the email may or may not have been sent.
const TIME_OUT: Duration = Duration::from_secs(8);

/// Sends emails from one address.
pub(crate) struct Mailer {
    host: Rc<Host>,
    from: String,
}

/// The email may not have been sent. The log has the reason.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the letter was perhaps not sent")]
pub(crate) struct MailError;

impl Mailer {
    pub(crate) fn new(host: Rc<Host>, from: String) -> Self {
        Self { host, from }
    }

    /// Passes an email to the host, which does not report its delivery.
    ///
    /// # Errors
    ///
    /// The host refused it, or did not answer. It may be sent again.
    pub(crate) async fn send(&self, letter: &Letter) -> Result<(), MailError> {
        let sending = self.host.mailer.send((SENDER_NAME, &self.from), letter);
        let reason = match self.host.within(TIME_OUT, sending).await {
            Some(Ok(())) => return Ok(()),
            Some(Err(code)) => code,
            None => "time_out".to_owned(),
        };
        log::error!("{}", json!({ "event": "mail_not_sent", "reason": reason }));
        Err(MailError)
    }
}
