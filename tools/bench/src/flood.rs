//! Measures how much longer a status read takes while unknown devices try passwords.
//!
//! As a comparison, it also measures the same number of requests to a path that does not exist. It costs no password
//! hash, so what it adds to a read is the price of the requests themselves.
//!
//! Reads come at a fixed pace, whether or not the one before was answered. Each is timed from the moment when it was
//! due, so a short stall of the Worker delays every read of that moment.

use crate::options::Options;
use crate::rounds::{median, ratio};
use crate::senders;
use crate::table::Table;
use crate::worker::{Which, Worker};
use overturn_tests::client::{CLAIMS, status_of};
use overturn_tests::wire::Connection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Status reads a second, and the connections that they come over.
const READS: u32 = 100;
const READERS: u32 = 10;
/// Attempts per second, each from a different network while there are unused ones.
const ATTEMPTS: u32 = 200;
const NETWORKS: u32 = 200;
/// Connections of the flood: more than the number of attempts that wait for a hash.
const DEVICES: u32 = 40;
/// The shortest turn. The limit for unknown devices is counted per minute, so a shorter turn would see only its beginning.
const TURN: Duration = Duration::from_secs(20);
/// Where the devices send their attempts, and a path of which the Worker knows nothing.
const SIGN_IN: &str = "/api/v1/auth/session";
const NO_ROUTE: &str = "/api/v1/auth/nothing";

/// How long the flood runs before the measurement.
const WARM_UP: Duration = Duration::from_secs(1);

/// The measurements of one kind of request.
#[derive(Default)]
struct Seen {
    latencies: Vec<Duration>,
    refused: usize,
}

impl Seen {
    fn percentile(&self, share: f64) -> f64 {
        let at = ((self.latencies.len() - 1) as f64 * share).ceil() as usize;
        self.latencies[at].as_secs_f64() * 1000.0
    }
}

pub(crate) fn run(options: &Options) {
    let (state, senders) = senders::fresh(READERS as usize);
    let keys = senders::keys(&senders);
    let worker = Worker::start(Which::Overturn, state);
    for (n, key) in keys.iter().enumerate() {
        send_claim(worker.port, key, n);
    }
    let turn = options.turn.max(TURN);
    // The runtime compiles the hash function during the first calls, which take twice as long.
    attempt(worker.port, SIGN_IN, WARM_UP);
    let mut series: [Vec<f64>; 6] = Default::default();
    let (mut cpu, mut hashed) = (Vec::new(), 0);
    for round in 0..options.rounds {
        let before = worker.cpu_ms();
        let calm = read(worker.port, &keys, turn);
        let between = worker.cpu_ms();
        let beside = |target| {
            thread::scope(|scope| {
                let crowd = scope.spawn(|| attempt(worker.port, target, turn));
                (read(worker.port, &keys, turn), crowd.join().unwrap())
            })
        };
        let (flooded, flood) = beside(SIGN_IN);
        let spent = worker.cpu_ms() - between - (between - before);
        cpu.push(spent / flood.latencies.len() as f64);
        hashed += flood.latencies.len() - flood.refused;
        let (crowded, _) = beside(NO_ROUTE);
        let turns = [&calm, &crowded, &flooded];
        let of = |share| turns.map(|turn| turn.percentile(share));
        let (p50, p99) = (of(0.50), of(0.99));
        for (series, value) in series.iter_mut().zip(p50.into_iter().chain(p99)) {
            series.push(value);
        }
        eprintln!(
            "round {}: p99 {:.2} ms, {:.2} ms beside other requests, {:.2} ms under the flood",
            round + 1,
            p99[0],
            p99[1],
            p99[2],
        );
    }
    let [calm50, crowded50, flooded50, calm99, crowded99, flooded99] = &series;
    let mut table = Table::new(&["status reads", "p50 ms", "p99 ms"]);
    for (name, p50, p99) in [
        ("calm", calm50, calm99),
        ("beside as many unknown paths", crowded50, crowded99),
        ("under the flood", flooded50, flooded99),
    ] {
        let cells = [p50, p99].map(|values| format!("{:.2}", median(values)));
        table.row(&[name.to_owned()], &cells);
    }
    for (name, p50, p99) in [("flood / calm", calm50, calm99), ("flood / unknown paths", crowded50, crowded99)] {
        let ratios = [ratio(flooded50, p50), ratio(flooded99, p99)];
        table.row(&[name.to_owned()], &ratios.map(|ratio| format!("{ratio:.2}")));
    }
    println!(
        "## Sign-in flood, {ATTEMPTS} attempts a second from {NETWORKS} networks, {READS} status reads a second\n\n{table}\n\
         Passwords checked: {hashed} in {} s of flood. CPU of one attempt, those that were checked included: {:.2} ms.\n",
        turn.as_secs() * options.rounds as u64,
        median(&cpu),
    );
}

/// Sends the claim for the reads.
fn send_claim(port: u16, key: &str, n: usize) {
    let body = crate::batch::item(&number(n), 0).to_string();
    let request = format!(
        "POST {CLAIMS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         CF-Connecting-IP: 198.51.100.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = Connection::open(port).unwrap();
    connection.write(request.as_bytes()).unwrap();
    assert_eq!(connection.read(false).unwrap().status, 201);
}

fn number(n: usize) -> String {
    format!("FLOOD-{n}")
}

/// Reads statuses for one turn, at the common pace of all readers.
fn read(port: u16, keys: &[String], turn: Duration) -> Seen {
    let requests = |n: u32| {
        let target = status_of(&format!("{}00000", number(n as usize)));
        let key = &keys[n as usize];
        let text = format!(
            "GET {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
             CF-Connecting-IP: 198.51.100.1\r\n\r\n"
        );
        move |_| text.clone()
    };
    paced(port, (READS, READERS), turn, requests, |status| {
        assert_eq!(status, 200);
        false
    })
}

/// Tries passwords for one turn, at the common pace of all devices. The addresses belong to no account, which costs
/// the same.
fn attempt(port: u16, target: &'static str, turn: Duration) -> Seen {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let requests = |_| {
        |_| {
            let n = COUNT.fetch_add(1, Ordering::Relaxed);
            let network = n % u64::from(NETWORKS);
            let body = format!(r#"{{"email": "s{n}@flood.example", "password": "not the password"}}"#);
            format!(
                "POST {target} HTTP/1.1\r\nHost: localhost\r\nCF-Connecting-IP: 10.{}.{}.9\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                network / 100,
                network % 100,
                body.len()
            )
        }
    };
    paced(port, (ATTEMPTS, DEVICES), turn, requests, |status| {
        assert!([401, 404, 429].contains(&status), "{status}");
        status == 429
    })
}

/// Sends requests at a fixed pace over several connections, and times each from the moment when it was due.
fn paced<R: FnMut(u32) -> String + Send>(
    port: u16,
    (rate, connections): (u32, u32),
    turn: Duration,
    requests: impl Fn(u32) -> R,
    is_refused: impl Fn(u16) -> bool + Copy + Send,
) -> Seen {
    let pause = Duration::from_secs(1) * connections / rate;
    let began = Instant::now() + Duration::from_millis(50);
    let mut seen = Seen::default();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..connections)
            .map(|n| {
                let mut request = requests(n);
                let first = began + pause * n / connections;
                scope.spawn(move || {
                    let mut connection = Connection::open(port).unwrap();
                    let mut seen = Seen::default();
                    for turn_of in 0.. {
                        let due = first + pause * turn_of;
                        if due >= began + turn {
                            break;
                        }
                        thread::sleep(due.saturating_duration_since(Instant::now()));
                        connection.write(request(turn_of).as_bytes()).unwrap();
                        let answer = connection.read(false).unwrap();
                        seen.latencies.push(due.elapsed());
                        seen.refused += usize::from(is_refused(answer.status));
                    }
                    seen
                })
            })
            .collect();
        for thread in threads {
            let Seen { latencies, refused } = thread.join().unwrap();
            seen.latencies.extend(latencies);
            seen.refused += refused;
        }
    });
    seen.latencies.sort_unstable();
    seen
}
