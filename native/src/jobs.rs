//! The thread of jobs: the queue of webhook messages, and the service's scheduled jobs.

use crate::database::Sqlite;
use crate::http::STOP_TIME;
use crate::log::tell;
use crate::queue::Due;
use crate::thread::Shared;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use overturn_service::config::ConfigError;
use overturn_service::service::Service;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::{spawn_blocking, spawn_local};
use tokio::time::{MissedTickBehavior, interval, sleep};

/// Of how many practices messages are sent at the same time.
const AT_ONCE: usize = 16;

/// Works until a stop is asked for, and then finishes what was begun. Without an interval, nobody
/// runs the scheduled jobs: tests run them when they want.
pub(crate) async fn work(shared: Shared, mut queued: Due, stop: watch::Receiver<bool>, every: Option<Duration>) {
    let (limits, cells) = (shared.limiter.clone(), shared.cells.clone());
    let thread = shared.thread();
    let Ok(service) = thread.service.inspect_err(ConfigError::log) else {
        return;
    };
    let consume = consume(&service, &mut queued, &stop);
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
            for database in cells.iter() {
                empty_log(database.clone()).await;
            }
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

/// Sends the messages of the queue. An endpoint that hangs holds up the messages of its own practice alone.
async fn consume(service: &Rc<Service>, queued: &mut Due, stop: &watch::Receiver<bool>) {
    let mut under_way = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            () = stopped(stop.clone()) => break,
            Some(practice) = under_way.next() => queued.done(practice),
            next = queued.next(), if under_way.len() < AT_ONCE => {
                let Some((practice, told)) = next else { break };
                let service = Rc::clone(service);
                under_way.push(async move {
                    apart(async move { service.consume(&told).await }).await;
                    practice
                });
            }
        }
    }
    while under_way.next().await.is_some() {}
}

/// The sweep may have destroyed data. What it cannot do now, the next one does.
async fn empty_log(database: Sqlite) {
    let emptied = spawn_blocking(move || database.empty_log().map_err(|fault| fault.to_string())).await;
    if let Ok(Err(fault)) = emptied {
        tell(&format!("the log of the database was not emptied: {fault}"));
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
