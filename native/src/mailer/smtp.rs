//! Emails by SMTP.

use data_encoding::HEXLOWER;
use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::Error;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use overturn_service::host::{Letter, Mailer, Step};
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// How long the server may take for a step.
const TIME_OUT: Duration = Duration::from_secs(20);

const NO_URL: &str = "must be the URL of a server for emails, such as smtps://user:password@smtp.example";
const NO_TLS: &str = "must begin with smtps:// or end with ?tls=required, unless the server is on this machine";

/// The mail server of the operator. Each email has a connection of its own, so that threads can share this, and a send
/// that is given up leaves no connection in the middle of an email.
#[derive(Clone)]
pub(crate) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

impl Smtp {
    /// The server of a URL: `smtps://user:password@host`, or `smtp://user:password@host:587?tls=required`. User and password
    /// are percent-encoded, and a path is the name that the server is greeted with.
    ///
    /// # Errors
    ///
    /// What is wrong with the URL. Emails hold links that open accounts, so outside dev they leave the machine by TLS only.
    pub(crate) fn new(url: &str, is_dev: bool) -> Result<Self, &'static str> {
        let parsed = Url::parse(url).map_err(|_| NO_URL)?;
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| NO_URL)?;
        if !is_dev && !has_tls(&parsed) && !is_here(&parsed) {
            return Err(NO_TLS);
        }
        Ok(Self { transport: builder.timeout(Some(TIME_OUT)).build() })
    }
}

impl Mailer for Smtp {
    fn send<'a>(&'a self, from: (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>> {
        Box::pin(async move {
            let message = message(from, letter).ok_or("SMTP_ADDRESS")?;
            let sent = self.transport.send(message).await;
            sent.map(drop).map_err(|error| code(&error).to_owned())
        })
    }
}

/// True if TLS protects all emails. The library reads the first `tls` as well.
fn has_tls(url: &Url) -> bool {
    let mut pairs = url.query_pairs();
    let tls = pairs.find(|(name, _)| name == "tls");
    url.scheme() == "smtps" || tls.is_some_and(|(_, value)| value == "required")
}

/// True for a server on this machine.
fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// `None` if an address cannot be used, or there is no entropy for an id.
fn message((name, address): (&str, &str), letter: &Letter) -> Option<Message> {
    let from = Mailbox::new(Some(name.to_owned()), address.parse().ok()?);
    let to = Mailbox::new(None, letter.to.parse().ok()?);
    let id = format!("<{}@{}>", random()?, from.email.domain());
    let message = Message::builder()
        .from(from)
        .to(to)
        .subject(letter.subject.clone())
        .message_id(Some(id))
        .header(ContentType::TEXT_PLAIN)
        .body(letter.text.clone());
    message.ok()
}

#[expect(clippy::disallowed_methods, reason = "the host is where entropy comes from")]
fn random() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(HEXLOWER.encode(&bytes))
}

/// The server's own words stay out: they may repeat the address.
fn code(error: &Error) -> &'static str {
    if error.is_permanent() || error.is_client() {
        "SMTP_REFUSED"
    } else if error.is_transient() {
        "SMTP_TRANSIENT"
    } else {
        "SMTP_AWAY"
    }
}

#[cfg(test)]
mod tests;
