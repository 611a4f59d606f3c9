//! Reads a file or standard input in a separate thread, so that Ctrl-C works while no input comes.

use crate::error::CommandError;
use crate::interrupt::{GLANCE, Interrupt};
use crate::text::shown;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;

const CHUNK: usize = 64 * 1024;
/// How many chunks are read ahead.
const AHEAD: usize = 4;

/// An input that ends with an error when the user stops the program.
#[derive(Debug)]
pub(crate) struct Feed {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    interrupt: Interrupt,
}

/// An input that counts the bytes taken from it.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    input: R,
    taken: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    fn count(&self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or_default();
        self.taken.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.count(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.count(bytes);
    }
}

/// An open input.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) bytes: Counted<BufReader<Feed>>,
    /// The length in bytes, if it is known.
    pub(crate) length: Option<u64>,
    /// How many bytes were taken out of the buffer: the bytes of the claims read so far.
    pub(crate) read: Arc<AtomicU64>,
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
///
/// [`CommandError::Usage`] when it cannot be opened, and [`CommandError::Interrupted`].
pub(crate) fn open(name: &str, interrupt: &Interrupt) -> Result<Opened, CommandError> {
    let (to, chunks) = sync_channel(AHEAD);
    let length = if name == "-" {
        // The thread is not joined, here as below: it may be blocked in a read when the program ends.
        drop(thread::spawn(move || pump(io::stdin(), &to)));
        None
    } else {
        open_file(name, to, interrupt)?
    };
    let read = Arc::new(AtomicU64::new(0));
    let feed = Feed { chunks, chunk: io::Cursor::default(), interrupt: interrupt.clone() };
    Ok(Opened {
        bytes: Counted { input: BufReader::with_capacity(CHUNK, feed), taken: Arc::clone(&read) },
        length,
        read,
    })
}

/// Opens a file in a thread as well, since opening a named pipe waits for a writer. Returns its length.
fn open_file(
    name: &str,
    to: SyncSender<io::Result<Vec<u8>>>,
    interrupt: &Interrupt,
) -> Result<Option<u64>, CommandError> {
    let (say, said) = channel();
    let path = name.to_owned();
    drop(thread::spawn(move || {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (about, file) = match opened {
            Ok((about, file)) => (Ok(about), Some(file)),
            Err(error) => (Err(error), None),
        };
        // After an interruption the channel is closed.
        let heard = say.send(about);
        if let (Ok(()), Some(file)) = (heard, file) {
            pump(file, &to);
        }
    }));
    let about = loop {
        interrupt.check()?;
        match said.recv_timeout(GLANCE) {
            Ok(about) => break about,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break Err(io::Error::other("it broke off")),
        }
    };
    let about = about.map_err(|error| CommandError::Usage(format!("cannot read {}: {error}", shown(name))))?;
    if about.is_dir() {
        return Err(CommandError::Usage(format!("{} is a folder; name a file", shown(name))));
    }
    Ok(about.is_file().then_some(about.len()))
}

/// Reads until the end, an error, or until the receiver is gone.
fn pump(mut from: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let chunk = match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer.get(..length).unwrap_or_default().to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = chunk.is_err();
        if to.send(chunk).is_err() || failed {
            return;
        }
    }
}

impl Feed {
    /// The next chunk, empty at the end.
    fn next(&self) -> io::Result<Vec<u8>> {
        loop {
            if self.interrupt.is_set() {
                return Err(io::Error::other("interrupted"));
            }
            match self.chunks.recv_timeout(GLANCE) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            }
        }
    }
}

impl Read for Feed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut count = self.chunk.read(into)?;
        if count == 0 {
            self.chunk = io::Cursor::new(self.next()?);
            count = self.chunk.read(into)?;
        }
        Ok(count)
    }
}
