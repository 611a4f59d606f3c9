//! The fields of the records of a ZIP file.

use sha2::{Digest, Sha256};

/// A size or an offset that is in the extra fields, because it needs 64 bits.
const LARGE: u32 = u32::MAX;
/// The flag of an entry whose sizes follow its data.
const DESCRIPTOR: u16 = 1 << 3;
/// The flags of an encrypted entry or directory.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;

/// How many bytes the data of an entry has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Sizes {
    pub(super) packed: u64,
    pub(super) unpacked: u64,
}

/// The header before an entry's data.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) start: u64,
    pub(super) method: u16,
    flags: u16,
    packed: u32,
    unpacked: u32,
    name: usize,
    /// The length of the name and the extra fields.
    pub(super) variable: usize,
}

impl Local {
    /// The header of an entry that starts here, without its signature.
    pub(super) fn read(record: &[u8], start: u64) -> Option<Self> {
        let name = usize::from(short(record, 22)?);
        Some(Self {
            start,
            flags: short(record, 2)?,
            method: short(record, 4)?,
            packed: long(record, 14)?,
            unpacked: long(record, 18)?,
            name,
            variable: name.saturating_add(usize::from(short(record, 24)?)),
        })
    }

    pub(super) const fn encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// The name, and the sizes of the data if the header knows them.
    pub(super) fn name_and_sizes<'a>(&self, variable: &'a [u8]) -> Option<(&'a [u8], Option<Sizes>)> {
        let (name, extra) = variable.split_at_checked(self.name)?;
        if self.flags & DESCRIPTOR != 0 {
            return Some((name, None));
        }
        let sizes = sizes(self.packed, self.unpacked, &mut large_fields(extra))?;
        Some((name, Some(sizes)))
    }
}

/// An entry of the directory.
#[derive(Debug)]
pub(super) struct Central {
    method: u16,
    packed: u32,
    unpacked: u32,
    offset: u32,
    name: usize,
    extra: usize,
    /// The length of the name, the extra fields and the comment.
    pub(super) variable: usize,
}

impl Central {
    /// The record without its signature.
    pub(super) fn read(record: &[u8]) -> Option<Self> {
        let (name, extra) = (usize::from(short(record, 24)?), usize::from(short(record, 26)?));
        let comment = usize::from(short(record, 28)?);
        Some(Self {
            method: short(record, 6)?,
            packed: long(record, 16)?,
            unpacked: long(record, 20)?,
            offset: long(record, 38)?,
            name,
            extra,
            variable: name.saturating_add(extra).saturating_add(comment),
        })
    }

    /// The name, and the digest of the entry.
    pub(super) fn digest<'a>(&self, variable: &'a [u8]) -> Option<(&'a [u8], u128)> {
        let (name, rest) = variable.split_at_checked(self.name)?;
        let mut large = large_fields(rest.get(..self.extra)?);
        let sizes = sizes(self.packed, self.unpacked, &mut large)?;
        let mut start = u64::from(self.offset);
        if self.offset == LARGE {
            start = large.next()?;
        }
        Some((name, digest(start, self.method, sizes, name)))
    }
}

/// The sizes of the data, which are in the extra fields if they need 64 bits.
fn sizes(packed: u32, unpacked: u32, large: &mut impl Iterator<Item = u64>) -> Option<Sizes> {
    let mut size = |short: u32| match short {
        LARGE => large.next(),
        short => Some(short.into()),
    };
    let unpacked = size(unpacked)?;
    Some(Sizes { packed: size(packed)?, unpacked })
}

/// What an entry and its record in the directory must have in common, as one number.
pub(super) fn digest(start: u64, method: u16, sizes: Sizes, name: &[u8]) -> u128 {
    let mut hash = Sha256::new();
    hash.update(start.to_le_bytes());
    hash.update(method.to_le_bytes());
    hash.update(sizes.packed.to_le_bytes());
    hash.update(sizes.unpacked.to_le_bytes());
    hash.update(name);
    let hash = hash.finalize();
    hash.first_chunk().copied().map_or(0, u128::from_le_bytes)
}

/// True if the end record, without its signature, is for a directory that starts here and no comment follows.
pub(super) fn end_fits(record: &[u8], directory: Option<u64>) -> bool {
    let start = long(record, 12).filter(|start| *start != LARGE);
    short(record, 16) == Some(0) && start.is_none_or(|start| Some(u64::from(start)) == directory)
}

/// The numbers of the extra field for sizes of 64 bits.
fn large_fields(extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut rest = extra;
    let mut fields: &[u8] = &[];
    while let (Some(id), Some(length)) = (short(rest, 0), short(rest, 2)) {
        let after = rest.get(4..).unwrap_or_default();
        let Some((field, after)) = after.split_at_checked(usize::from(length)) else {
            break;
        };
        if id == 1 {
            fields = field;
            break;
        }
        rest = after;
    }
    fields.chunks_exact(8).filter_map(|field| large(field, 0))
}

fn short(record: &[u8], at: usize) -> Option<u16> {
    let field = record.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*field))
}

/// The field of 32 bits at this place.
pub(super) fn long(record: &[u8], at: usize) -> Option<u32> {
    let field = record.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*field))
}

/// The field of 64 bits at this place.
pub(super) fn large(record: &[u8], at: usize) -> Option<u64> {
    let field = record.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*field))
}
