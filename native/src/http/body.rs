//! The bodies of requests and responses.

use bytes::{Bytes, BytesMut};
use futures_util::stream::LocalBoxStream;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use overturn_service::host::{PlatformError, Reader, Step};
use overturn_service::response;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The most bytes that are read at once, unless more are asked for.
const PIECE: usize = 64 * 1024;

/// The body of a request.
pub(super) struct RequestReader {
    body: Incoming,
    held: BytesMut,
}

impl RequestReader {
    pub(super) fn new(body: Incoming) -> Self {
        Self { body, held: BytesMut::new() }
    }

    /// Holds at least so many bytes, or all that are left.
    async fn hold(&mut self, least: usize) -> Result<(), PlatformError> {
        while self.held.len() < least {
            let Some(frame) = self.body.frame().await else {
                return Ok(());
            };
            // The cause says no more. Trailers are not read.
            if let Ok(data) = frame.map_err(|_| PlatformError)?.into_data() {
                self.held.extend_from_slice(&data);
            }
        }
        Ok(())
    }
}

impl Reader for RequestReader {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        Box::pin(async move {
            self.hold(least.max(1)).await?;
            let most = self.held.len().min(least.max(PIECE));
            Ok(self.held.split_to(most).freeze())
        })
    }

    fn read_all(&mut self) -> Step<'_, Result<Vec<u8>, PlatformError>> {
        Box::pin(async move {
            self.hold(usize::MAX).await?;
            Ok(self.held.split().to_vec())
        })
    }
}

/// The body of a response.
pub(crate) enum Sent {
    Bytes(Bytes),
    Stream {
        left: u64,
        /// True once a piece has failed.
        failed: bool,
        chunks: LocalBoxStream<'static, Result<Vec<u8>, PlatformError>>,
    },
}

impl Sent {
    pub(super) const fn bytes(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<response::Body> for Sent {
    fn from(body: response::Body) -> Self {
        match body {
            response::Body::Bytes(bytes) => Self::Bytes(bytes.into()),
            response::Body::Stream { length, chunks } => Self::Stream { left: length, failed: false, chunks },
        }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = PlatformError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, PlatformError>>> {
        match &mut *self {
            Self::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::Stream { failed: true, .. } => Poll::Ready(Some(Err(PlatformError))),
            Self::Stream { left, failed, chunks } => match ready!(chunks.as_mut().poll_next(context)) {
                None => Poll::Ready(None),
                Some(Ok(chunk)) => {
                    *left = left.saturating_sub(chunk.len() as u64);
                    Poll::Ready(Some(Ok(Frame::data(chunk.into()))))
                }
                // The server sends what came before, and then hears of the failure.
                Some(Err(PlatformError)) => {
                    *failed = true;
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
            },
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Stream { left, .. } => *left,
        })
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Bytes(bytes) if bytes.is_empty())
    }
}
