//! The checks of what authenticators and identity providers sign, in this process.
//!
//! Their documents come from anybody. So each question has a thread with a large stack, and a panic in it ends only that
//! question.

use overturn_service::host::{AskError, IdentityChecks, Step};
use std::sync::Arc;
use std::thread;
use tokio::sync::{Semaphore, oneshot};

/// How many questions are answered at the same time: RSA is slow.
const AT_ONCE: usize = 4;
/// The stack of a question, of which only what is used takes memory.
const STACK: usize = 16 * 1024 * 1024;

/// The checks, for any thread.
#[derive(Clone)]
pub(crate) struct OwnChecks(Arc<Semaphore>);

impl OwnChecks {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl IdentityChecks for OwnChecks {
    fn ask<'a>(&'a self, path: &'a str, question: String) -> Step<'a, Result<String, AskError>> {
        Box::pin(async move {
            let places = Arc::clone(&self.0);
            let place = places.acquire_owned().await.map_err(|_| AskError::Away)?;
            let path = path.to_owned();
            let (answer, answered) = oneshot::channel();
            let check = move || {
                let _unheard = answer.send(found(&path, &question));
                drop(place);
            };
            let thread = thread::Builder::new().name("identity".to_owned());
            let begun = thread.stack_size(STACK).spawn(check);
            begun.map_err(|_| AskError::Away)?;
            let found = answered.await.map_err(|_| AskError::Failed)??;
            String::from_utf8(found).map_err(|_| AskError::Failed)
        })
    }
}

#[cfg(feature = "identity")]
fn found(path: &str, question: &str) -> Result<Vec<u8>, AskError> {
    overturn_identity::answer(path, question.as_bytes()).map_err(|_| AskError::Failed)
}

#[cfg(not(feature = "identity"))]
fn found(_path: &str, _question: &str) -> Result<Vec<u8>, AskError> {
    Err(AskError::Away)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_question_has_no_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let asked = runtime.unwrap().block_on(async {
            let checks = OwnChecks::new();
            checks.ask("/unknown", "{}".to_owned()).await
        });
        assert_eq!(asked, Err(AskError::Failed));
    }
}
