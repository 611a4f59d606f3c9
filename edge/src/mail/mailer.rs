//! The platform's mail binding.
//!
//! It takes a message in parts or as finished MIME. With parts, the platform does the error-prone work: encoding a
//! non-ASCII subject, folding, dates and ids. Text is passed as JavaScript strings, so nothing is lost.

use super::letter::Letter;
use crate::platform;
use serde_json::json;
use std::time::Duration;
use worker::js_sys::{Error, Reflect};
use worker::wasm_bindgen::JsValue;
use worker::{EmailAddress, SendEmail, SendEmailBuilder};

/// The sender's name in emails.
const SENDER_NAME: &str = "Overturn";
/// How long a caller waits. After that, the email may or may not have been sent.
const TIME_OUT: Duration = Duration::from_secs(8);

/// Sends emails from one address.
pub(crate) struct Mailer {
    binding: SendEmail,
    from: String,
}

/// The email may not have been sent. The log has the reason.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the letter was perhaps not sent")]
pub(crate) struct MailError;

impl Mailer {
    pub(crate) fn new(binding: SendEmail, from: String) -> Self {
        Self { binding, from }
    }

    /// Passes an email to the platform, which does not report its delivery.
    ///
    /// # Errors
    ///
    /// The platform refused it, or did not answer. It may be sent again.
    pub(crate) async fn send(&self, letter: &Letter) -> Result<(), MailError> {
        let from = EmailAddress::new(SENDER_NAME, &self.from);
        let message =
            SendEmailBuilder::new_with_email_address_and_str(&from, &letter.to, &letter.subject);
        message.set_text(&letter.text);
        let sending = self.binding.send_with_builder(&message);
        let reason = match platform::within(TIME_OUT, sending).await {
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => code(&error),
            None => "time_out".to_owned(),
        };
        worker::console_error!("{}", json!({ "event": "mail_not_sent", "reason": reason }));
        Err(MailError)
    }
}

/// The platform's code of an error, such as `E_SENDER_NOT_VERIFIED`. Its message may hold the address.
fn code(error: &Error) -> String {
    let code = Reflect::get(error, &JsValue::from_str("code"));
    let code = code.ok().and_then(|code| code.as_string());
    code.filter(|code| {
        code.bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
    .unwrap_or_else(|| "unknown".to_owned())
}
