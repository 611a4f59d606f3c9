//! A connection to clamd.
//!
//! It writes to the socket's stream itself. The `AsyncWrite` of the `worker` crate copies each buffer once more.

use super::protocol::Answer;
use crate::config::Clamd;
use crate::platform;
use futures_util::future::{Either, select};
use std::time::Duration;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{Object, Reflect, Uint8Array};
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::{ReadableStreamDefaultReader, WritableStreamDefaultWriter};
use worker::worker_sys::{Socket, connect};

/// How long to wait for the answer after a write has failed: clamd may have answered before it closed the connection.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why a write did not go on.
pub(super) enum Stop {
    /// clamd has answered, or has closed the connection.
    Answered,
    /// The connection could not be made in time, or it broke.
    Broken,
    /// clamd reads nothing.
    Slow,
}

/// A connection. Dropping it closes the socket.
pub(super) struct Connection {
    socket: Socket,
    writer: WritableStreamDefaultWriter,
    reader: ReadableStreamDefaultReader,
    /// Until the connection is made.
    opening: Option<JsFuture>,
    /// The write in progress.
    writing: Option<JsFuture>,
    /// The read in progress. There always is one, so that an early answer arrives.
    reading: JsFuture,
    answer: Answer,
    connect_limit: Duration,
    write_limit: Duration,
}

impl Connection {
    /// Begins to connect. `None` if the platform refuses the address.
    pub(super) fn open(clamd: &Clamd) -> Option<Self> {
        let socket = socket(clamd).ok()?;
        let writer = socket.writable().ok()?.get_writer().ok()?;
        let reader = socket.readable().ok()?.get_reader();
        let reader: ReadableStreamDefaultReader = reader.dyn_into().ok()?;
        let opening = JsFuture::from(socket.opened().ok()?);
        Some(Self {
            writer,
            opening: Some(opening),
            writing: None,
            reading: JsFuture::from(reader.read()),
            reader,
            answer: Answer::default(),
            connect_limit: clamd.connect_limit,
            write_limit: clamd.write_limit,
            socket,
        })
    }

    /// Begins to write. The buffer must not change until [`Self::written`].
    pub(super) fn write(&mut self, bytes: &Uint8Array) {
        self.writing = Some(JsFuture::from(self.writer.write_with_chunk(bytes)));
    }

    /// Waits until the connection is made and the write is done.
    pub(super) async fn written(&mut self) -> Result<(), Stop> {
        if let Some(opening) = self.opening.take() {
            match platform::within(self.connect_limit, opening).await {
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(Stop::Broken),
            }
        }
        let limit = self.write_limit;
        let done = platform::within(limit, self.write_done()).await;
        done.unwrap_or(Err(Stop::Slow))
    }

    async fn write_done(&mut self) -> Result<(), Stop> {
        while let Some(writing) = &mut self.writing {
            match select(writing, &mut self.reading).await {
                Either::Left((Ok(_), _)) => self.writing = None,
                Either::Left((Err(_), _)) => return Err(Stop::Broken),
                Either::Right((read, _)) => {
                    self.take(read);
                    if self.answer.is_complete() {
                        return Err(Stop::Answered);
                    }
                }
            }
        }
        Ok(())
    }

    /// Waits for the whole answer. `None` if the time is up.
    pub(super) async fn answer(&mut self, limit: Duration) -> Option<&Answer> {
        platform::within(limit, self.answered()).await?;
        Some(&self.answer)
    }

    /// The answer after a write has stopped.
    pub(super) async fn last_words(&mut self) -> &Answer {
        if self.answer(LAST_WORDS).await.is_none() {
            self.answer.close();
        }
        &self.answer
    }

    async fn answered(&mut self) {
        while !self.answer.is_complete() {
            let read = (&mut self.reading).await;
            self.take(read);
        }
    }

    fn take(&mut self, read: Result<JsValue, JsValue>) {
        let value = read.and_then(|read| Reflect::get(&read, &JsValue::from_str("value")));
        match value.map(JsCast::dyn_into::<Uint8Array>) {
            Ok(Ok(bytes)) => {
                self.answer.push(&bytes.to_vec());
                self.reading = JsFuture::from(self.reader.read());
            }
            // The end of the stream has no bytes. A broken connection sends no more either.
            Ok(Err(_)) | Err(_) => self.answer.close(),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The future takes a refusal of the platform, which otherwise would be logged as unhandled.
        let _closing = self.socket.close().map(JsFuture::from);
    }
}

fn socket(clamd: &Clamd) -> Result<Socket, JsValue> {
    let object = |fields: &[(&str, JsValue)]| -> Result<JsValue, JsValue> {
        let object = Object::new();
        for (name, value) in fields {
            Reflect::set(&object, &JsValue::from_str(name), value)?;
        }
        Ok(object.into())
    };
    let transport = if clamd.tls { "on" } else { "off" };
    connect(
        object(&[
            ("hostname", JsValue::from_str(&clamd.host)),
            ("port", JsValue::from(clamd.port)),
        ])?,
        // The stream ends for both sides at once: clamd answers before it closes.
        object(&[
            ("secureTransport", JsValue::from_str(transport)),
            ("allowHalfOpen", JsValue::FALSE),
        ])?,
    )
}
