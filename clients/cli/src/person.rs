//! Calls with a person's API token, to the parts of the service that no API key reaches.

use crate::address::{self, key_of};
use crate::answer;
use crate::args;
use crate::call::{Answer, Call, CallError, Http, Wire as _};
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::retry;
use crate::screen::Screen;
use crate::text::shown;
use overturn_core::base::token::ApiToken;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The variable that holds the token.
const TOKEN: &str = "OVERTURN_API_TOKEN";

/// The service for a person.
#[derive(Debug)]
pub(crate) struct PersonService {
    http: Http,
    interrupt: Interrupt,
}

impl PersonService {
    /// # Errors
    ///
    /// [`CommandError::Usage`], which says what to set. `scopes` are those that the token needs.
    pub(crate) fn find(args: &args::Service, scopes: &str, interrupt: &Interrupt) -> Result<Self, CommandError> {
        let env = |name: &str| std::env::var(name).ok();
        let address = address::find(args, env)?;
        let who = format!(
            "an API token with the permission {scopes}; an owner or admin creates one in the practice settings under API tokens"
        );
        let token: ApiToken = key_of(TOKEN, &who, env)?;
        Ok(Self { http: Http::new(&address, token.expose(), interrupt), interrupt: interrupt.clone() })
    }

    /// Reads something once.
    pub(crate) fn once(&self, path: &str) -> Result<Answer, CallError> {
        self.http.exchange(&Call::Get(path.into()))
    }

    /// Reads something, with retries.
    ///
    /// # Errors
    ///
    /// Those of [`retry::deliver`], and a refusal.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str, screen: &Screen) -> Result<T, CommandError> {
        let answer = self.deliver(&Call::Get(path.into()), screen)?;
        if answer.status != 200 {
            return Err(refused(&answer));
        }
        answer::read(&answer)
    }

    /// Writes something without a body. `once` is the idempotency key, which a repetition keeps.
    ///
    /// # Errors
    ///
    /// Those of [`retry::deliver`].
    pub(crate) fn post(&self, path: &str, once: &str, screen: &Screen) -> Result<Answer, CommandError> {
        self.deliver(&Call::Post { path: path.into(), once: once.into() }, screen)
    }

    fn deliver(&self, call: &Call, screen: &Screen) -> Result<Answer, CommandError> {
        let note = |text: &str, wait| screen.note_wait(text, wait);
        retry::deliver(call, &self.http, &self.interrupt, &note)
    }
}

#[derive(Default, Deserialize)]
struct Problem {
    error: Option<Said>,
}

#[derive(Default, Deserialize)]
struct Said {
    code: Option<String>,
    message: Option<String>,
}

/// The failure for an answer that is no success. It says what to do.
pub(crate) fn refused(answer: &Answer) -> CommandError {
    let said: Problem = serde_json::from_slice(&answer.body).unwrap_or_default();
    let said = said.error.and_then(|said| said.message.or(said.code));
    let said = said.map_or_else(|| format!("status {}", answer.status), |said| shown(&said));
    CommandError::Service(match answer.status {
        300..=399 => {
            "the address answers with a redirect, and the token is not sent on. Use the address that it leads to".into()
        }
        401 => format!(
            "the service does not know the token ({said}): it was revoked, has expired, or belongs to another service"
        ),
        403 => format!(
            "the token does not allow this ({said}). Its permissions are in the practice settings under API tokens"
        ),
        404 | 405 => format!("there is nothing at this address ({said}). Check it"),
        _ => format!("the service refuses the call ({said})"),
    })
}
