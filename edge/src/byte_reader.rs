//! Reads a stream of the platform into one buffer, in pieces that are as large as the buffer allows.
//!
//! A default reader gives at most 4 KiB at once, and each piece costs a call.

use bytes::Bytes;
use overturn_service::host::PlatformError;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{self, JsCast, JsValue, prelude::wasm_bindgen};
use worker::web_sys::ReadableStream;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = ReadableStreamBYOBReader)]
    type Reader;
    #[wasm_bindgen(method, catch, js_name = readAtLeast)]
    fn read_at_least(this: &Reader, bytes: u32, into: &Uint8Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<Promise, JsValue>;

    type Source;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn reader(this: &Source, options: &Object) -> Result<Reader, JsValue>;

    type Buffer;
    #[wasm_bindgen(method, catch)]
    fn transfer(this: &Buffer, length: u32) -> Result<ArrayBuffer, JsValue>;

    type Piece;
    #[wasm_bindgen(method, getter)]
    fn value(this: &Piece) -> Option<Uint8Array>;
}

/// The size of the buffer, unless a read asks for more.
const BUFFER: u32 = 64 * 1024;

/// A reader with its buffer.
pub(crate) struct ByteReader {
    reader: Reader,
    /// `None` while a read has it.
    buffer: Option<ArrayBuffer>,
}

impl ByteReader {
    /// A reader of a stream. No one else can read the stream from then on.
    ///
    /// # Errors
    ///
    /// Someone else reads the stream.
    pub(crate) fn new(stream: ReadableStream) -> Result<Self, PlatformError> {
        let source: Source = stream.unchecked_into();
        let reader = byob().and_then(|options| source.reader(&options));
        Ok(Self { reader: reader.map_err(|_| PlatformError)?, buffer: None })
    }

    /// The next bytes: at least `least`, fewer only before the end of the stream, and none at the end.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    pub(crate) async fn read(&mut self, least: usize) -> Result<Bytes, PlatformError> {
        let least = u32::try_from(least).map_err(|_| PlatformError)?;
        let size = least.max(BUFFER);
        let buffer = self.buffer.take();
        let buffer = buffer.filter(|buffer| buffer.byte_length() == size).unwrap_or_else(|| ArrayBuffer::new(size));
        let into = Uint8Array::new(&buffer);
        let read = self.reader.read_at_least(least, &into);
        let read = JsFuture::from(read.map_err(|_| PlatformError)?).await;
        let piece: Piece = read.map_err(|_| PlatformError)?.unchecked_into();
        let Some(bytes) = piece.value().filter(|bytes| bytes.length() > 0) else {
            return Ok(Bytes::new());
        };
        self.buffer = Some(bytes.buffer());
        Ok(bytes.to_vec().into())
    }

    /// Says that no more is read.
    pub(crate) fn cancel(&self) {
        if let Ok(canceled) = self.reader.cancel() {
            let _unheard = JsFuture::from(canceled);
        }
    }
}

impl Drop for ByteReader {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            give_back(buffer);
        }
    }
}

fn byob() -> Result<Object, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"mode".into(), &"byob".into())?;
    Ok(options)
}

/// Gives the memory of bytes back at once. Otherwise the platform keeps it until its next collection, which can be tens
/// of megabytes later.
pub(crate) fn release(bytes: &Uint8Array) {
    give_back(bytes.buffer());
}

fn give_back(buffer: ArrayBuffer) {
    let buffer: Buffer = buffer.unchecked_into();
    // Without the method, the collection has to do.
    let _empty = buffer.transfer(0);
}
