//! The bodies of requests and responses.

use crate::byte_reader::{ByteReader, release};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::LocalBoxStream;
use overturn_service::host::{Basics, PlatformError, Reader, Step, rest};
use overturn_service::request_body::Unread;
use worker::Context;
use worker::js_sys::Uint8Array;
use worker::js_sys::futures::JsFuture;
use worker::web_sys::{ReadableStream, WritableStreamDefaultWriter};
use worker::worker_sys::FixedLengthStream;

/// The body of a request. It begins to read when it is asked to.
pub(crate) struct RequestReader(State);

enum State {
    Unread(worker::Request),
    Begun(ByteReader),
    Ended,
}

impl RequestReader {
    /// The body of an unread request.
    pub(crate) const fn new(request: worker::Request) -> Self {
        Self(State::Unread(request))
    }
}

impl Reader for RequestReader {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        Box::pin(async move {
            if let State::Unread(request) = &self.0 {
                self.0 = match request.inner().body() {
                    Some(stream) => State::Begun(ByteReader::new(stream)?),
                    None => State::Ended,
                };
            }
            let State::Begun(reader) = &mut self.0 else {
                return Ok(Bytes::new());
            };
            let bytes = reader.read(least).await?;
            if bytes.is_empty() {
                self.0 = State::Ended;
            }
            Ok(bytes)
        })
    }

    fn read_all(&mut self) -> Step<'_, Result<Vec<u8>, PlatformError>> {
        Box::pin(async move {
            if matches!(self.0, State::Begun(_)) {
                return rest(self).await;
            }
            match std::mem::replace(&mut self.0, State::Ended) {
                State::Unread(mut request) => request.bytes().await.map_err(|_| PlatformError),
                State::Begun(_) | State::Ended => Ok(Vec::new()),
            }
        })
    }
}

/// The bytes of an answer as a stream, which gives them at once and ends when the request's body was drained: after the
/// end of its answer, the platform reads nothing more of a request.
pub(crate) fn behind(
    unread: Unread,
    answer: &[u8],
    context: &Context,
    basics: Basics,
) -> worker::Result<ReadableStream> {
    let (stream, writer) = pipe(answer.len() as u64)?;
    let written = writer.write_with_chunk(&Uint8Array::from(answer));
    let written = JsFuture::from(written);
    context.wait_until(async move {
        // If the client is gone, there is nothing to read, either.
        if written.await.is_ok() {
            unread.drain(&basics).await;
        }
        let _ended = JsFuture::from(writer.close()).await;
    });
    Ok(stream)
}

/// The pieces of a body.
type Chunks = LocalBoxStream<'static, Result<Vec<u8>, PlatformError>>;

/// Pieces as a stream. It breaks off if one of them fails.
pub(crate) fn stream(length: u64, chunks: Chunks, context: &Context) -> worker::Result<ReadableStream> {
    let (stream, writer) = pipe(length)?;
    context.wait_until(async move {
        if pump(chunks, &writer).await.is_err() {
            let _unheard = JsFuture::from(writer.abort()).await;
        }
    });
    Ok(stream)
}

async fn pump(mut chunks: Chunks, writer: &WritableStreamDefaultWriter) -> Result<(), PlatformError> {
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        let bytes = Uint8Array::from(&*chunk);
        drop(chunk);
        let written = JsFuture::from(writer.write_with_chunk(&bytes)).await;
        // The client may be gone.
        written.map_err(|_| PlatformError)?;
        release(&bytes);
    }
    let closed = JsFuture::from(writer.close()).await;
    closed.map(drop).map_err(|_| PlatformError)
}

/// A stream of a length, and its writer.
fn pipe(length: u64) -> worker::Result<(ReadableStream, WritableStreamDefaultWriter)> {
    let length = u32::try_from(length);
    let length = length.map_err(|_| worker::Error::RustError("too long".into()))?;
    let stream = FixedLengthStream::new(length)?;
    let writer = stream.writable().get_writer()?;
    Ok((stream.readable(), writer))
}
