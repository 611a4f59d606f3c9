//! A form (multipart/form-data, RFC 7578) that is read as its body streams.
//!
//! The crate `multer` finds the parts. It reads from its stream as long as the stream has something, and sets no limit
//! to the headers of a part. So its stream here is a slot, which gets a short piece of the body only when `multer` can
//! do nothing without it. Thus a form holds at most 192 KiB of its body.

mod form_error;
mod parameters;

pub(crate) use form_error::{FormError, PARTS_MAX};

use bytes::Bytes;
use futures_util::future::poll_fn;
use futures_util::stream::{Stream, StreamExt};
use multer::{Field, Multipart};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

#[cfg(test)]
mod tests;

/// The longest piece of the body that `multer` gets at once.
const PIECE: usize = 64 * 1024;
/// How many bytes may come before a part's headers are complete, and after the last boundary.
const HEADERS_MAX: usize = 64 * 1024;
/// How many bytes of the body a form holds at most: the headers that are awaited, and a piece before and behind them.
#[cfg(test)]
const BUFFERED_MAX: usize = HEADERS_MAX + 2 * PIECE;
/// The longest boundary (RFC 2046).
const BOUNDARY_MAX: usize = 70;

/// Where the body comes from.
pub(crate) trait Source {
    /// The next bytes, `None` at the end.
    ///
    /// # Errors
    ///
    /// [`FormError::Disconnected`] or [`FormError::TooSlow`].
    async fn read(&mut self) -> Result<Option<Bytes>, FormError>;
}

/// What `multer` reads from: at most one piece, or the end.
#[derive(Clone, Default)]
struct Slot(Arc<Mutex<Next>>);

#[derive(Default)]
enum Next {
    #[default]
    Nothing,
    Piece(Bytes),
    End,
}

impl Slot {
    fn fill(&self, next: Next) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Stream for Slot {
    type Item = Result<Bytes, multer::Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // No one is woken: the form asks `multer` again after it has filled the slot.
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *next) {
            Next::Nothing => Poll::Pending,
            Next::Piece(piece) => Poll::Ready(Some(Ok(piece))),
            Next::End => {
                *next = Next::End;
                Poll::Ready(None)
            }
        }
    }
}

/// A form whose parts are read one after the other.
pub(crate) struct Form<S> {
    source: S,
    slot: Slot,
    multipart: Multipart<'static>,
    /// The part that is being read.
    field: Option<Field<'static>>,
    /// Bytes of the source that are longer than a piece.
    held: Bytes,
    ended: bool,
    /// True if `multer` knows the end.
    said_end: bool,
    parts: usize,
    /// How many bytes `multer` got since it gave something.
    awaited: usize,
    /// How many bytes of the body may come, if the request says so, and how many were given as parts.
    length: Option<u64>,
    given: u64,
    /// How many bytes may be given.
    max: u64,
}

impl<S: Source> Form<S> {
    /// The form in a body of a request with these headers.
    ///
    /// # Errors
    ///
    /// [`FormError::NotForm`].
    pub(crate) fn open(
        content_type: Option<&str>,
        (content_length, max): (Option<u64>, u64),
        source: S,
    ) -> Result<Self, FormError> {
        let boundary = content_type.and_then(|value| multer::parse_boundary(value).ok());
        let boundary =
            boundary.filter(|boundary| (1..=BOUNDARY_MAX).contains(&boundary.len())).ok_or(FormError::NotForm)?;
        let slot = Slot::default();
        Ok(Self {
            source,
            multipart: Multipart::new(slot.clone(), boundary),
            slot,
            field: None,
            held: Bytes::new(),
            ended: false,
            said_end: false,
            parts: 0,
            awaited: 0,
            length: content_length,
            given: 0,
            max,
        })
    }

    /// The next part, `None` at the end of the form. What was not read of the last part is skipped.
    ///
    /// # Errors
    ///
    /// Why the form cannot be read.
    pub(crate) async fn next_part(&mut self) -> Result<Option<Part<'_, S>>, FormError> {
        while self.chunk().await?.is_some() {}
        self.awaited = 0;
        let field = loop {
            let multipart = &mut self.multipart;
            let next = poll_fn(|context| Poll::Ready(multipart.poll_next_field(context))).await;
            match next {
                Poll::Ready(Ok(Some(field))) => break field,
                Poll::Ready(Ok(None)) => return self.finish().await.map(|()| None),
                Poll::Ready(Err(_)) => return Err(self.malformed()),
                Poll::Pending if self.awaited > HEADERS_MAX => {
                    let part = self.parts.saturating_add(1);
                    return Err(FormError::HeadersTooLarge { part });
                }
                Poll::Pending => self.feed().await?,
            }
        };
        self.parts = self.parts.saturating_add(1);
        if self.parts > PARTS_MAX {
            return Err(FormError::TooManyParts);
        }
        let header = field.headers().get("content-disposition");
        let disposition = header.and_then(|header| parameters::read(header.as_bytes()));
        let disposition = disposition.ok_or(FormError::Unnamed { part: self.parts })?;
        self.field = Some(field);
        Ok(Some(Part { name: disposition.name, file_name: disposition.file_name, form: self }))
    }

    /// Reads what follows the last boundary, so that a body that breaks off there is noticed.
    async fn finish(&mut self) -> Result<(), FormError> {
        let mut after = std::mem::take(&mut self.held).len();
        while !self.ended && after <= HEADERS_MAX {
            match self.source.read().await? {
                Some(bytes) => after = after.saturating_add(bytes.len()),
                None => self.ended = true,
            }
        }
        if after > HEADERS_MAX {
            return Err(self.malformed());
        }
        Ok(())
    }

    /// The next bytes of the part that is being read.
    async fn chunk(&mut self) -> Result<Option<Bytes>, FormError> {
        while let Some(field) = &mut self.field {
            let next = poll_fn(|context| Poll::Ready(field.poll_next_unpin(context))).await;
            match next {
                Poll::Ready(Some(Ok(bytes))) if bytes.is_empty() => {}
                Poll::Ready(Some(Ok(bytes))) => {
                    self.given = self.given.saturating_add(bytes.len() as u64);
                    if self.given > self.max {
                        return Err(FormError::TooLarge);
                    }
                    return Ok(Some(bytes));
                }
                Poll::Ready(Some(Err(_))) => return Err(self.malformed()),
                Poll::Ready(None) => self.field = None,
                Poll::Pending => self.feed().await?,
            }
        }
        Ok(None)
    }

    /// Puts the next piece of the body into the slot.
    async fn feed(&mut self) -> Result<(), FormError> {
        while self.held.is_empty() && !self.ended {
            match self.source.read().await? {
                Some(bytes) => self.held = bytes,
                None => self.ended = true,
            }
        }
        if self.held.is_empty() {
            if self.said_end {
                return Err(self.malformed());
            }
            self.said_end = true;
            self.slot.fill(Next::End);
            return Ok(());
        }
        let piece = self.held.split_to(self.held.len().min(PIECE));
        self.awaited = self.awaited.saturating_add(piece.len());
        self.slot.fill(Next::Piece(piece));
        Ok(())
    }

    /// How many bytes of files can still follow, by the length that the request announced.
    pub(crate) fn remaining_upper_bound(&self) -> Option<u64> {
        Some(self.length?.saturating_sub(self.given))
    }

    const fn malformed(&self) -> FormError {
        let parts = match self.field {
            Some(_) => self.parts.saturating_sub(1),
            None => self.parts,
        };
        FormError::Malformed { parts }
    }
}

/// One part of a form.
pub(crate) struct Part<'f, S> {
    /// Its name as it was sent.
    pub(crate) name: String,
    /// The name of its file as it was sent, for display only. `filename*` goes before `filename`.
    pub(crate) file_name: Option<String>,
    form: &'f mut Form<S>,
}

impl<S: Source> Part<'_, S> {
    /// The next bytes, `None` at the end of the part. They are at most 128 KiB and never none.
    ///
    /// # Errors
    ///
    /// Why the form cannot be read.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, FormError> {
        self.form.chunk().await
    }

    /// The whole part as text of at most `max` bytes.
    ///
    /// # Errors
    ///
    /// Why the form cannot be read, or that the text is too long or not UTF-8.
    pub(crate) async fn text(&mut self, max: usize) -> Result<String, FormError> {
        let mut text = Vec::new();
        while let Some(bytes) = self.form.chunk().await? {
            if text.len().saturating_add(bytes.len()) > max {
                let part = self.form.parts;
                return Err(FormError::TextTooLong { part });
            }
            text.extend_from_slice(&bytes);
        }
        let part = self.form.parts;
        String::from_utf8(text).map_err(|_| FormError::NotText { part })
    }

    /// How many bytes of files can still follow, by the length that the request announced.
    pub(crate) fn remaining_upper_bound(&self) -> Option<u64> {
        self.form.remaining_upper_bound()
    }
}
