//! The order of the functions in a module: similar ones next to each other.
//!
//! gzip finds a repetition only in the last 32 KiB. Many functions come from the same generic source and differ in a few bytes, but
//! wasm-opt orders functions by how often they are called. wasm-opt can also sort them by name, so [`named`] names each function after
//! its place, and wasm-opt does the rest.

use std::collections::{BTreeSet, HashMap, VecDeque};

/// How many bytes before a function count as near. gzip looks back a little further.
const WINDOW: usize = 30_000;

/// One of this many parts of a function is compared.
const SAMPLE: u64 = 4;

/// A part of more functions than this says nothing about similarity.
const COMMON: usize = 400;

/// Added to the size of a function, so that a tiny one does not look similar to everything.
const SMALL: usize = 100;

const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const CODE: u8 = 10;

/// Kinds of imports.
const FUNCTION: u8 = 0;
const TAG: u8 = 4;

/// The module with a name for each of its functions. The order of the names is the best order of the functions. `None` if the module is
/// malformed or imports anything but functions and tags of exceptions.
pub(crate) fn named(module: &[u8]) -> Option<Vec<u8>> {
    let functions = Functions::of(module)?;
    let mut places = vec![0; functions.bodies.len()];
    for (place, function) in order(&functions.bodies).into_iter().enumerate() {
        *places.get_mut(function)? = place;
    }
    let mut names = Vec::new();
    write_number(&mut names, places.len());
    for (index, place) in (functions.imported..).zip(places) {
        write_number(&mut names, index);
        write_bytes(&mut names, format!("{place:08}").as_bytes());
    }
    let mut section = Vec::new();
    write_bytes(&mut section, b"name");
    // The part of the section with the names of functions.
    section.push(1);
    write_bytes(&mut section, &names);
    let mut module = module.to_vec();
    module.push(CUSTOM);
    write_bytes(&mut module, &section);
    Some(module)
}

/// The functions of a module.
struct Functions<'a> {
    /// How many it imports. Their indices come first.
    imported: usize,
    /// The code of the others.
    bodies: Vec<&'a [u8]>,
}

impl<'a> Functions<'a> {
    fn of(module: &'a [u8]) -> Option<Self> {
        let (_magic_and_version, mut rest) = module.split_at_checked(8)?;
        let mut functions = Self { imported: 0, bodies: Vec::new() };
        while let Some((&id, after)) = rest.split_first() {
            rest = after;
            let mut section = bytes(&mut rest)?;
            let of_interest = id == IMPORTS || id == CODE;
            let count = if of_interest { number(&mut section)? } else { 0 };
            for _ in 0..count {
                if id == CODE {
                    functions.bodies.push(bytes(&mut section)?);
                } else {
                    let (_module, _name) = (bytes(&mut section)?, bytes(&mut section)?);
                    let (kind, after) = section.split_first()?;
                    section = after;
                    match *kind {
                        FUNCTION => functions.imported = functions.imported.checked_add(1)?,
                        TAG => section = section.get(1..)?,
                        _ => return None,
                    }
                    let _its_type = number(&mut section)?;
                }
            }
        }
        Some(functions)
    }
}

/// The best order found: after each function the one that shares most with the functions just before, for its size.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let mut window = Window::over(bodies);
    let mut left: BTreeSet<usize> = (0..bodies.len()).collect();
    let mut order = Vec::new();
    loop {
        let similarities = left.iter().rev().map(|&n| (window.similarity(n), n));
        let Some((_, next)) = similarities.max_by(|(a, _), (b, _)| a.total_cmp(b)) else {
            return order;
        };
        left.remove(&next);
        order.push(next);
        window.push(next);
    }
}

/// The last functions in the order, and what each function shares with them.
struct Window<'a> {
    bodies: &'a [&'a [u8]],
    /// The compared parts of each function.
    parts: Vec<BTreeSet<u64>>,
    /// The functions that have a part.
    owners: HashMap<u64, Vec<usize>>,
    /// How many functions of the window have a part.
    counts: HashMap<u64, usize>,
    /// How many parts of each function are in the window.
    shared: Vec<u32>,
    last: VecDeque<usize>,
    size: usize,
}

impl<'a> Window<'a> {
    fn over(bodies: &'a [&'a [u8]]) -> Self {
        let parts: Vec<BTreeSet<u64>> = bodies.iter().map(|body| parts(body)).collect();
        let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
        for (function, parts) in parts.iter().enumerate() {
            for part in parts {
                owners.entry(*part).or_default().push(function);
            }
        }
        owners.retain(|_, functions| (2..=COMMON).contains(&functions.len()));
        Self {
            bodies,
            parts,
            owners,
            counts: HashMap::new(),
            shared: vec![0; bodies.len()],
            last: VecDeque::new(),
            size: 0,
        }
    }

    fn size_of(&self, function: usize) -> usize {
        self.bodies.get(function).map_or(0, |body| body.len())
    }

    fn similarity(&self, function: usize) -> f64 {
        let shared = self.shared.get(function).copied().unwrap_or_default();
        let size = self.size_of(function).saturating_add(SMALL);
        f64::from(shared) / f64::from(u32::try_from(size).unwrap_or(u32::MAX)).sqrt()
    }

    fn push(&mut self, function: usize) {
        self.last.push_back(function);
        self.size = self.size.saturating_add(self.size_of(function));
        self.count(function, true);
        while self.size > WINDOW
            && self.last.len() > 1
            && let Some(oldest) = self.last.pop_front()
        {
            self.size = self.size.saturating_sub(self.size_of(oldest));
            self.count(oldest, false);
        }
    }

    /// Counts the parts of a function that enters or leaves the window.
    fn count(&mut self, function: usize, enters: bool) {
        for part in self.parts.get(function).into_iter().flatten() {
            let Some(owners) = self.owners.get(part) else {
                continue;
            };
            let count = self.counts.entry(*part).or_default();
            let before = *count;
            *count = if enters { before.saturating_add(1) } else { before.saturating_sub(1) };
            if before.min(*count) > 0 {
                continue;
            }
            for owner in owners {
                if let Some(shared) = self.shared.get_mut(*owner) {
                    *shared = if enters { shared.saturating_add(1) } else { shared.saturating_sub(1) };
                }
            }
        }
    }
}

/// A sample of the eight-byte parts of a function: the same parts in each function.
fn parts(body: &[u8]) -> BTreeSet<u64> {
    let parts = body.windows(8).filter_map(|part| part.try_into().ok());
    parts
        .map(u64::from_le_bytes)
        .filter(|part| (part.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32).is_multiple_of(SAMPLE))
        .collect()
}

/// Takes a LEB128 number from the start of the bytes.
fn number(from: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= usize::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Takes bytes that have their length before them.
fn bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(from)?;
    let (bytes, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

fn write_number(to: &mut Vec<u8>, mut number: usize) {
    while let high @ 1.. = number >> 7 {
        to.push(low(number) | 128);
        number = high;
    }
    to.push(low(number));
}

/// The lowest seven bits.
fn low(number: usize) -> u8 {
    u8::try_from(number & 127).unwrap_or_default()
}

fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    write_number(to, bytes.len());
    to.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests;
