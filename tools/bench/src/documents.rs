//! Measures uploads and downloads of documents beside a Worker that only pipes them to R2 and back, and the memory of
//! eight uploads at once.

use crate::options::Options;
use crate::rounds::{median, ratio};
use crate::table::Table;
use crate::worker::{Which, Worker};
use overturn_service::auth::role::Role;
use overturn_tests::client::Client;
use overturn_tests::person::Person;
use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::Tenant;
use overturn_tests::wire::Connection;
use serde_json::{Value, json};
use std::thread;
use std::time::Instant;

const DOCUMENTS: &str = "/api/v1/documents";
/// The bytes of a document.
const SIZE: usize = 50 * 1024 * 1024;
const MB: f64 = 1_000_000.0;
/// How many are sent at once.
const AT_ONCE: [usize; 2] = [1, 8];
const WORKERS: [Which; 2] = [Which::Overturn, Which::Pipe];

/// The goals: throughput as a share of the pipe's, CPU milliseconds a megabyte above the pipe's, and megabytes of memory
/// above idle with eight uploads.
const THROUGHPUT: f64 = 0.6;
const CPU_MS: f64 = 3.0;
const MEMORY_MB: f64 = 24.0;

/// What is done with documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    Upload,
    Download,
}

/// Megabytes a second and CPU milliseconds a megabyte, one value for each round.
#[derive(Clone, Default)]
struct Series {
    rate: Vec<f64>,
    cpu: Vec<f64>,
}

pub(crate) fn run(options: &Options) {
    let (state, token, reader) = practice();
    let upload = upload(&token);
    let workers = WORKERS.map(|which| Worker::start(which, state.copy()));
    let stored = workers.each_ref().map(|worker| send(worker.port, &upload));
    let mut table = Table::new(&[
        "documents of 50 MiB",
        "at once",
        "worker",
        "MB/s",
        "CPU ms/MB",
        "throughput / pipe",
        "goal",
        "CPU ms/MB above pipe",
        "goal",
    ]);
    for doing in [Doing::Upload, Doing::Download] {
        for at_once in AT_ONCE {
            let mut series: [Series; 2] = Default::default();
            for round in 0..options.rounds {
                for n in 0..WORKERS.len() {
                    // Each round starts with a different one.
                    let n = (n + round) % WORKERS.len();
                    let request = match doing {
                        Doing::Upload => upload.clone(),
                        Doing::Download => download(&reader, &stored[n]),
                    };
                    measure(&workers[n], doing, &request, at_once, &mut series[n]);
                }
            }
            rows(&mut table, doing, at_once, &series);
            eprintln!("measured: {doing:?}, {at_once} at once");
        }
    }
    println!("## Documents\n\n{table}");
    drop(workers);
    memory(options, &state, &upload);
}

/// A state with a practice, a token that uploads for it, and a member who reads its documents.
fn practice() -> (State, String, Client) {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let owner = Person::of(&tenant, Role::Owner).client();
    let body = json!({ "name": "Bench", "scopes": ["documents:write"], "expires_in_days": 30 });
    let made = owner.post("/api/v1/settings/api_tokens", body.to_string());
    let token = made.json["token"].as_str().unwrap().to_owned();
    let reader = Person::of(&tenant, Role::Member).client();
    (server.stop(), token, reader)
}

/// A form with a TIFF of noise, which nothing can shorten.
fn upload(token: &str) -> Vec<u8> {
    let mut seed = 1_u64;
    let noise = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33).to_le_bytes()[0]
    });
    let mut body =
        b"--frontier\r\nContent-Disposition: form-data; name=\"file\"; filename=\"fax.tiff\"\r\n\r\n".to_vec();
    body.extend_from_slice(b"II*\0\x08\0\0\0");
    body.extend(noise.take(SIZE - 8));
    body.extend_from_slice(b"\r\n--frontier--\r\n");
    let head = format!(
        "POST {DOCUMENTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         CF-Connecting-IP: 198.51.100.1\r\nContent-Type: multipart/form-data; boundary=frontier\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body].concat()
}

fn download(reader: &Client, id: &str) -> Vec<u8> {
    let head = reader.head("GET", &format!("{DOCUMENTS}/{id}/content"));
    format!("{head}CF-Connecting-IP: 198.51.100.1\r\n\r\n").into_bytes()
}

/// Sends a form. Returns the id of the document.
fn send(port: u16, upload: &[u8]) -> String {
    let mut connection = Connection::open(port).unwrap();
    connection.write(upload).unwrap();
    let answer = connection.read(false).unwrap();
    let text = String::from_utf8_lossy(&answer.body);
    assert_eq!(answer.status, 201, "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    json["id"].as_str().unwrap().to_owned()
}

fn receive(port: u16, download: &[u8]) {
    let mut connection = Connection::open(port).unwrap();
    connection.write(download).unwrap();
    let answer = connection.read(false).unwrap();
    assert_eq!(answer.status, 200);
    assert!(answer.body.len() >= SIZE);
}

fn together(port: u16, doing: Doing, request: &[u8], at_once: usize) {
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| match doing {
                Doing::Upload => drop(send(port, request)),
                Doing::Download => receive(port, request),
            });
        }
    });
}

fn measure(worker: &Worker, doing: Doing, request: &[u8], at_once: usize, into: &mut Series) {
    let (began, before) = (Instant::now(), worker.cpu_ms());
    together(worker.port, doing, request, at_once);
    let megabytes = (SIZE * at_once) as f64 / MB;
    into.rate.push(megabytes / began.elapsed().as_secs_f64());
    into.cpu.push((worker.cpu_ms() - before) / megabytes);
}

fn rows(table: &mut Table, doing: Doing, at_once: usize, series: &[Series; 2]) {
    let [ours, pipe] = series;
    let above: Vec<f64> = ours.cpu.iter().zip(&pipe.cpu).map(|(ours, pipe)| ours - pipe).collect();
    let beside = [
        format!("{:.2}", ratio(&ours.rate, &pipe.rate)),
        THROUGHPUT.to_string(),
        format!("{:.1}", median(&above)),
        CPU_MS.to_string(),
    ];
    for (which, series) in WORKERS.iter().zip(series) {
        let start = [format!("{doing:?}").to_lowercase(), at_once.to_string()];
        let cells =
            [which.name().to_owned(), format!("{:.0}", median(&series.rate)), format!("{:.1}", median(&series.cpu))];
        let beside = match which {
            Which::Overturn => beside.clone(),
            _ => Default::default(),
        };
        table.row(&start, &[&cells[..], &beside[..]].concat());
    }
}

/// Prints the most memory of the isolate above idle, with eight uploads at once.
fn memory(options: &Options, state: &State, upload: &[u8]) {
    let worker = Worker::watched(Which::Overturn, state.copy());
    let most = AT_ONCE.into_iter().max().unwrap();
    send(worker.port, upload);
    let mut table = Table::new(&["round", "idle MB", "most MB above idle", "goal"]);
    for round in 1..=options.rounds {
        let idle = worker.idle_bytes();
        together(worker.port, Doing::Upload, upload, most);
        let above = worker.most_bytes().saturating_sub(idle);
        let cells = [idle, above].map(|bytes| format!("{:.1}", bytes as f64 / MB));
        table.row(&[round.to_string()], &[&cells[..], &[MEMORY_MB.to_string()]].concat());
    }
    println!("## Memory of the isolate, {most} uploads of 50 MiB at once\n\n{table}");
}
