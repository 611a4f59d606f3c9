//! Requests that arrive at the same time.

use std::sync::Barrier;
use std::thread;

/// Makes all calls at the same time and returns their results in order.
pub fn at_once<C: FnOnce() -> T + Send, T: Send>(calls: Vec<C>) -> Vec<T> {
    let start = Barrier::new(calls.len());
    let start = &start;
    thread::scope(|scope| {
        let run = |call: C| {
            scope.spawn(move || {
                start.wait();
                call()
            })
        };
        let running: Vec<_> = calls.into_iter().map(run).collect();
        let done = running.into_iter();
        done.map(|call| call.join().unwrap()).collect()
    })
}
