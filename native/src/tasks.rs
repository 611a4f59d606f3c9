//! The work of a thread that goes on beside its connections.

use overturn_service::host::{Background, Step};
use std::cell::Cell;
use std::rc::Rc;
use tokio::sync::Notify;
use tokio::task::spawn_local;

/// What is under way.
#[derive(Default)]
pub(crate) struct Tasks {
    count: Cell<usize>,
    ended: Notify,
}

/// One task of them. A task that panics drops this as well.
struct UnderWay(Rc<Tasks>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.count.set(self.0.count.get().saturating_sub(1));
        self.0.ended.notify_waiters();
    }
}

impl Tasks {
    /// Does work, also after its request is gone.
    pub(crate) fn spawn(self: &Rc<Self>, work: impl Future<Output = ()> + 'static) {
        self.count.set(self.count.get().saturating_add(1));
        let under_way = UnderWay(Rc::clone(self));
        spawn_local(async move {
            let _under_way = under_way;
            work.await;
        });
    }

    /// Waits until all work has ended.
    pub(crate) async fn wait(&self) {
        loop {
            let ended = self.ended.notified();
            if self.count.get() == 0 {
                return;
            }
            ended.await;
        }
    }
}

/// The work of a request.
pub(crate) struct AfterAnswer(pub(crate) Rc<Tasks>);

impl Background for AfterAnswer {
    fn go_on(&self, work: Step<'static, ()>) {
        self.0.spawn(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::{LocalSet, yield_now};

    #[test]
    fn a_task_that_panics_is_not_waited_for() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        LocalSet::new().block_on(&runtime.unwrap(), async {
            let tasks = Rc::<Tasks>::default();
            tasks.spawn(async { panic!("as a request may") });
            tasks.spawn(yield_now());
            assert_eq!(tasks.count.get(), 2);
            tasks.wait().await;
            assert_eq!(tasks.count.get(), 0);
        });
    }
}
