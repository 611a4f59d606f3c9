//! Connections that send one request after the other, each as soon as the last was answered.

use crate::load::{Load, Requests};
use overturn_tests::wire::Connection;
use std::thread;
use std::time::{Duration, Instant};

/// The measurements of a run.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The latencies, sorted.
    latencies: Vec<Duration>,
    /// How long the run took in all.
    took: Duration,
}

impl Seen {
    /// Requests a second.
    pub(crate) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.took.as_secs_f64()
    }

    /// The latency in milliseconds that this share of the answers did not exceed.
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let last = self.latencies.len() - 1;
        let at = ((last as f64) * share).ceil() as usize;
        self.latencies[at].as_secs_f64() * 1000.0
    }

    /// How many requests were answered.
    pub(crate) fn requests(&self) -> usize {
        self.latencies.len()
    }
}

/// Sends requests for the given time, over one connection for each sender.
pub(crate) fn run(port: u16, load: Load, keys: &[String], turn: Duration) -> Seen {
    let began = Instant::now();
    let mut latencies: Vec<Duration> = thread::scope(|scope| {
        let senders: Vec<_> = keys
            .iter()
            .enumerate()
            .map(|(n, key)| scope.spawn(move || send(port, load, key, n, began + turn)))
            .collect();
        senders.into_iter().flat_map(|sender| sender.join().unwrap()).collect()
    });
    let took = began.elapsed();
    latencies.sort_unstable();
    Seen { latencies, took }
}

fn send(port: u16, load: Load, key: &str, sender: usize, until: Instant) -> Vec<Duration> {
    let mut connection = Connection::open(port).unwrap();
    let mut requests = Requests::new(load, key, sender);
    let mut latencies = Vec::with_capacity(4096);
    loop {
        let bytes = requests.next();
        let began = Instant::now();
        connection.write(bytes).unwrap();
        let answer = connection.read(false).unwrap();
        let now = Instant::now();
        latencies.push(now - began);
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, load.answer(), "{load:?}: {text}");
        if now >= until {
            return latencies;
        }
    }
}

/// Sends each sender's claims for `HundredAgain` and `Status`.
pub(crate) fn prepare(port: u16, keys: &[String]) {
    for (sender, key) in keys.iter().enumerate() {
        let mut connection = Connection::open(port).unwrap();
        let mut requests = Requests::new(Load::HundredAgain, key, sender);
        connection.write(requests.next()).unwrap();
        let answer = connection.read(false).unwrap();
        assert!([200, 201].contains(&answer.status), "port {port}: {}", String::from_utf8_lossy(&answer.body));
    }
}
