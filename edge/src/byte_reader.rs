//! Reads a stream of the platform into one buffer, in pieces that are as large as the buffer allows.
//!
//! A default reader gives at most 4 KiB at once, and each piece costs a call.

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

/// A reader with its buffer.
pub(crate) struct ByteReader {
    reader: Reader,
    /// `None` while a read has it.
    buffer: Option<ArrayBuffer>,
    size: u32,
}

impl ByteReader {
    /// A reader with a buffer of `size` bytes. No one else can read the stream from then on.
    ///
    /// # Errors
    ///
    /// Someone else reads the stream.
    pub(crate) fn new(stream: ReadableStream, size: u32) -> Result<Self, JsValue> {
        let options = Object::new();
        Reflect::set(&options, &"mode".into(), &"byob".into())?;
        let source: Source = stream.unchecked_into();
        Ok(Self {
            reader: source.reader(&options)?,
            buffer: None,
            size,
        })
    }

    /// The next bytes: at least `least`, fewer only before the end of the stream, and none at the end. They are valid
    /// until the next read.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    pub(crate) async fn read(&mut self, least: u32) -> Result<Uint8Array, JsValue> {
        let buffer = self.buffer.take();
        let buffer = buffer.unwrap_or_else(|| ArrayBuffer::new(self.size));
        let read = self
            .reader
            .read_at_least(least, &Uint8Array::new(&buffer))?;
        let piece: Piece = JsFuture::from(read).await?.unchecked_into();
        let bytes = piece
            .value()
            .unwrap_or_else(|| Uint8Array::new_with_length(0));
        if bytes.length() > 0 {
            self.buffer = Some(bytes.buffer());
        }
        Ok(bytes)
    }

    /// Says that no more is read.
    pub(crate) fn cancel(&self) {
        if let Ok(canceled) = self.reader.cancel() {
            let _unheard = JsFuture::from(canceled);
        }
    }
}

/// Gives the memory of bytes back at once. Otherwise the platform keeps it until its next collection, which can be tens
/// of megabytes later.
pub(crate) fn release(bytes: &Uint8Array) {
    let buffer: Buffer = bytes.buffer().unchecked_into();
    // Without the method, the collection has to do.
    let _empty = buffer.transfer(0);
}
