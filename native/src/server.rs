//! Serves: threads that answer requests, one thread for jobs, and a stop in good order.

use crate::assets::FolderAssets;
use crate::authorities::Authorities;
use crate::bucket::FileBucket;
use crate::cache::Memory;
use crate::clock::Wall;
use crate::config::Settings;
use crate::database::{self, Sqlite, Sync, Threads};
use crate::entrance::Entrance;
use crate::error::{Context as _, Result};
use crate::files::Files;
use crate::http::{self, Edge};
use crate::identity::OwnChecks;
use crate::jobs;
use crate::limiter::{Addresses, Limits};
use crate::lock::Lock;
use crate::log;
use crate::mailer::{Printed, Smtp};
use crate::metrics::Metrics;
use crate::network::Sockets;
use crate::options::Serve;
use crate::outbound::{Reach, Requests};
use crate::queue::{Due, queue};
use crate::thread::{Mail, Shared};
use serde_json::json;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::{io, thread};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::LocalSet;

/// The server for emails.
const SMTP_URL: &str = "SMTP_URL";

/// Serves until a signal.
///
/// # Errors
///
/// A setting or a file cannot be used, or the address is taken.
pub(crate) fn serve(options: &Serve) -> Result<()> {
    log::begin();
    let _ours = Lock::take(&options.data)?;
    let (shared, queued, database) = shared(options)?;
    // Names the setting that is wrong before any request does.
    shared.thread().service.map_err(|wrong| wrong.to_string())?;
    let (listener, port) = listen(options.listen)?;
    let (stop, stopped) = watch::channel(false);
    let mut threads = Vec::new();
    for n in 0..options.threads {
        let (shared, stopped) = (shared.clone(), stopped.clone());
        let listener = listener.try_clone().context(|| "cannot share the listener".into())?;
        threads.push(spawn(&format!("requests {n}"), move |runtime, local| {
            local.block_on(runtime, async move {
                let thread = Rc::new(shared.thread());
                // The system made the listener, so this cannot fail but in a runtime without IO.
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    http::listen(listener, thread, stopped).await;
                }
            });
        })?);
    }
    let mut metrics = None;
    if let Some(address) = options.metrics {
        let (shared, stopped) = (shared.clone(), stopped.clone());
        let (listener, port) = listen(address)?;
        metrics = Some(port);
        threads.push(spawn("metrics", move |runtime, local| {
            local.block_on(runtime, http::tell_metrics(listener, shared, stopped));
        })?);
    }
    let every = options.jobs_every;
    threads.push(spawn("jobs", move |runtime, local| {
        local.block_on(runtime, jobs::work(shared, queued, stopped, every));
    })?);
    let listening = json!({ "event": "listening", "port": port, "metrics": metrics });
    writeln!(io::stdout(), "{listening}").context(|| "cannot write".into())?;
    wait(options.with_parent).context(|| "cannot wait for signals".into())?;
    drop(listener);
    let _all_are_gone = stop.send(true);
    for thread in threads {
        let _panicked = thread.join();
    }
    database.join();
    Ok(())
}

/// A listener, and its port.
fn listen(address: SocketAddr) -> Result<(TcpListener, u16)> {
    let cannot = || format!("cannot listen at {address}");
    let listener = TcpListener::bind(address).context(cannot)?;
    listener.set_nonblocking(true).context(cannot)?;
    let port = listener.local_addr().context(cannot)?.port();
    Ok((listener, port))
}

fn shared(options: &Serve) -> Result<(Shared, Due, Threads)> {
    let settings = Settings::load(options.vars.as_deref(), options.secrets.clone())?;
    let data = &options.data;
    let folder = || format!("cannot use {}", data.display());
    let clock = Wall::default();
    let sync = match options.entrance {
        true => Sync::Off,
        false => Sync::Full,
    };
    let files = database::files(data, settings.cells()?)?;
    let (cells, threads) = Sqlite::open_all(&files, sync)?;
    let documents = database::documents(data);
    let entrance = options.entrance.then(|| Entrance::new(&files, documents.clone()));
    let reach = match settings.reaches_house() {
        true => Reach::Everywhere,
        false => Reach::Internet,
    };
    let assets = options.assets.clone().unwrap_or_else(beside_program);
    let (webhooks, due) = queue();
    let authorities = Authorities::of_system();
    if !settings.is_dev() {
        authorities.check()?;
    }
    let shared = Shared {
        cells,
        limiter: Limits::new(clock.clone()),
        addresses: Addresses::new(clock.clone(), settings.address_limit()),
        bans: Memory::new(clock.clone()),
        sessions: Memory::new(clock.clone()),
        documents: FileBucket::open(&documents).context(folder)?,
        webhooks,
        mail: mail(&settings, data)?,
        network: Sockets::new(authorities.roots()).context(|| "TLS".into())?,
        outbound: Requests::new(reach, authorities.of_requests()),
        identity: OwnChecks::new(),
        assets: FolderAssets::new(&assets),
        files: Arc::new(match options.console {
            true => Files::read(&assets),
            false => Files::default(),
        }),
        edge: Edge {
            address_header: settings.address_header()?,
            is_https: settings.get("PUBLIC_URL").is_some_and(|url| url.starts_with("https:")),
        },
        metrics: Metrics::default(),
        entrance: entrance.transpose()?,
        clock,
        settings: Arc::new(settings),
    };
    Ok((shared, due, threads))
}

/// The folder `assets` beside the program.
fn beside_program() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.with_file_name("assets")
}

/// Emails go to the server that `SMTP_URL` names. Only in dev it may be missing.
fn mail(settings: &Settings, data: &Path) -> Result<Mail> {
    match settings.get(SMTP_URL) {
        Some(url) => match Smtp::new(&url, settings.is_dev()) {
            Ok(smtp) => Ok(Mail::Smtp(smtp)),
            Err(problem) => Err(format!("{SMTP_URL} {problem}").into()),
        },
        None if settings.is_dev() => Ok(Mail::Printed(Printed::new(data.join("mail")))),
        None => Err(format!("{SMTP_URL} is missing").into()),
    }
}

/// A thread with a runtime of its own. Nothing of the service moves between threads.
fn spawn(name: &str, work: impl FnOnce(&Runtime, &LocalSet) + Send + 'static) -> Result<thread::JoinHandle<()>> {
    let cannot = || "cannot start a thread".to_owned();
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context(cannot)?;
    let thread = thread::Builder::new().name(name.to_owned());
    let begun = thread.spawn(move || {
        work(&runtime, &LocalSet::new());
        // A request to a server that hangs is not waited for.
        runtime.shutdown_background();
    });
    begun.context(cannot)
}

/// Waits for a signal to stop, or for the end of the parent.
fn wait(with_parent: bool) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let parent = async {
            if with_parent {
                let read = || io::copy(&mut io::stdin().lock(), &mut io::sink());
                let _closed = tokio::task::spawn_blocking(read).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            () = parent => {}
        }
        Ok(())
    });
    // A thread may still wait for standard input.
    runtime.shutdown_background();
    ended
}
