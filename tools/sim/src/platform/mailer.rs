//! Emails: taken, refused, or sent though the answer says otherwise.

use super::Ground;
use crate::faults::Fault;
use crate::states;
use overturn_service::host::{Letter, Mailer, Step};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone)]
pub(crate) struct Post {
    ground: Ground,
    sent: Rc<RefCell<Vec<Letter>>>,
}

impl Post {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, sent: Rc::default() }
    }

    /// What was sent.
    pub(crate) fn sent(&self) -> Vec<Letter> {
        self.sent.borrow().clone()
    }
}

impl Mailer for Post {
    fn send<'a>(&'a self, _: (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>> {
        Box::pin(async move {
            let Ground { faults, trace, .. } = &self.ground;
            self.ground.trip().await;
            if faults.strike(Fault::MailRefused) {
                return Err("refused".to_owned());
            }
            trace.tell(|| format!("an email: {}", letter.subject));
            trace.sometimes(states::MAILED);
            self.sent.borrow_mut().push(letter.clone());
            Ok(())
        })
    }
}
