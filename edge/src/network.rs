//! Connections. They write to the platform's streams themselves: the `AsyncWrite` of the `worker` crate copies each buffer
//! once more.

use crate::byte_reader::release;
use bytes::Bytes;
use overturn_service::host::{self, PlatformError, Step};
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{Object, Reflect, Uint8Array};
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::{ReadableStreamDefaultReader, WritableStreamDefaultWriter};
use worker::worker_sys::{Socket, connect};

/// The sockets of the platform.
pub(crate) struct Sockets;

impl host::Network for Sockets {
    fn connect(&self, host: &str, port: u16, tls: bool) -> Option<Box<dyn host::Connection>> {
        let socket = socket(host, port, tls).ok()?;
        let writer = socket.writable().ok()?.get_writer().ok()?;
        let reader = socket.readable().ok()?.get_reader();
        let reader: ReadableStreamDefaultReader = reader.dyn_into().ok()?;
        Some(Box::new(Connection { socket, writer, reader }))
    }
}

/// A socket with its streams.
struct Connection {
    socket: Socket,
    writer: WritableStreamDefaultWriter,
    reader: ReadableStreamDefaultReader,
}

impl host::Connection for Connection {
    fn opened(&mut self) -> Step<'static, Result<(), PlatformError>> {
        let opened = self.socket.opened().map(JsFuture::from);
        Box::pin(async move {
            let opened = opened.map_err(|_| PlatformError)?.await;
            opened.map(drop).map_err(|_| PlatformError)
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Step<'static, Result<(), PlatformError>> {
        let bytes = Uint8Array::from(bytes);
        let written = JsFuture::from(self.writer.write_with_chunk(&bytes));
        Box::pin(async move {
            let written = written.await;
            release(&bytes);
            written.map(drop).map_err(|_| PlatformError)
        })
    }

    fn read(&mut self) -> Step<'static, Result<Bytes, PlatformError>> {
        let read = JsFuture::from(self.reader.read());
        Box::pin(async move {
            let read = read.await.map_err(|_| PlatformError)?;
            let value = Reflect::get(&read, &JsValue::from_str("value"));
            let value = value.map_err(|_| PlatformError)?;
            // The end of the stream has no bytes.
            let bytes = value.dyn_into::<Uint8Array>();
            Ok(bytes.map_or_else(|_| Bytes::new(), |bytes| bytes.to_vec().into()))
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The future takes a refusal of the platform, which otherwise would be logged as unhandled.
        let _closing = self.socket.close().map(JsFuture::from);
    }
}

fn socket(host: &str, port: u16, tls: bool) -> Result<Socket, JsValue> {
    let object = |fields: &[(&str, JsValue)]| -> Result<JsValue, JsValue> {
        let object = Object::new();
        for (name, value) in fields {
            Reflect::set(&object, &JsValue::from_str(name), value)?;
        }
        Ok(object.into())
    };
    let transport = if tls { "on" } else { "off" };
    connect(
        object(&[("hostname", JsValue::from_str(host)), ("port", JsValue::from(port))])?,
        // The stream ends for both sides at once: clamd answers before it closes.
        object(&[("secureTransport", JsValue::from_str(transport)), ("allowHalfOpen", JsValue::FALSE)])?,
    )
}
