//! The platform's mail binding.
//!
//! It takes a message in parts or as finished MIME. With parts, the platform does the error-prone work: encoding a
//! non-ASCII subject, folding, dates and ids. Text is passed as JavaScript strings, so nothing is lost.

use overturn_service::host::Letter;
use overturn_service::host::{Mailer, Step};
use worker::js_sys::{Error, Reflect};
use worker::wasm_bindgen::JsValue;
use worker::{EmailAddress, SendEmail, SendEmailBuilder};

pub(crate) struct MailBinding(SendEmail);

impl MailBinding {
    pub(crate) const fn new(binding: SendEmail) -> Self {
        Self(binding)
    }
}

impl Mailer for MailBinding {
    fn send<'a>(&'a self, (name, address): (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>> {
        Box::pin(async move {
            let from = EmailAddress::new(name, address);
            let message = SendEmailBuilder::new_with_email_address_and_str(&from, &letter.to, &letter.subject);
            message.set_text(&letter.text);
            let sent = self.0.send_with_builder(&message).await;
            sent.map(|_| ()).map_err(|error| code(&error))
        })
    }
}

/// The platform's code of an error, such as `E_SENDER_NOT_VERIFIED`. Its message may hold the address.
fn code(error: &Error) -> String {
    let code = Reflect::get(error, &JsValue::from_str("code"));
    let code = code.ok().and_then(|code| code.as_string());
    code.filter(|code| code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
        .unwrap_or_else(|| "unknown".to_owned())
}
