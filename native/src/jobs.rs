//! The thread of jobs: the queue of webhook messages, and the service's scheduled jobs.

use crate::http::STOP_TIME;
use crate::log::tell;
use crate::queue::Due;
use crate::thread::Shared;
use overturn_service::config::ConfigError;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::spawn_local;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// Works until a stop is asked for, and then finishes what was begun. Without an interval, nobody
/// runs the scheduled jobs: tests run them when they want.
pub(crate) async fn work(shared: Shared, mut queued: Due, stop: watch::Receiver<bool>, every: Option<Duration>) {
    let limits = shared.limiter.clone();
    let thread = shared.thread();
    let Ok(service) = thread.service.inspect_err(ConfigError::log) else {
        return;
    };
    let consume = async {
        while let Some(Some(told)) = unless(&stop, queued.next()).await {
            let service = Rc::clone(&service);
            apart(async move { service.consume(&told).await }).await;
        }
    };
    let sweep = async {
        let Some(every) = every else { return };
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick comes at once.
        ticks.tick().await;
        while unless(&stop, ticks.tick()).await.is_some() {
            limits.tidy();
            let service = Rc::clone(&service);
            apart(async move { service.sweep().await }).await;
        }
    };
    let too_long = async {
        stopped(stop.clone()).await;
        sleep(STOP_TIME).await;
    };
    tokio::select! {
        _ = async { tokio::join!(consume, sweep) } => {}
        () = too_long => {}
    }
}

/// Does a job. If it panics, the others go on.
async fn apart(job: impl Future<Output = ()> + 'static) {
    if spawn_local(job).await.is_err() {
        tell("a job panicked");
    }
}

/// Waits for something. `None` if a stop is asked for.
async fn unless<T>(stop: &watch::Receiver<bool>, wanted: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        () = stopped(stop.clone()) => None,
        wanted = wanted => Some(wanted),
    }
}

/// Waits until a stop is asked for.
async fn stopped(mut stop: watch::Receiver<bool>) {
    // If nobody can ask any more, the program is at its end.
    let _asked = stop.wait_for(|stop| *stop).await;
}
