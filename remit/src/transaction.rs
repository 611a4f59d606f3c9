//! A transaction, and the versions in which files have it: whole, cut off, or edited.
//!
//! Versions have the same segments before their first claim. Each claim has a digest of all that precedes it, so versions
//! share their first claims and then differ: they are the branches of a tree.

use crate::day::Day;
use crate::envelope::CreatedAt;
use crate::text::Digest;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// The order of a payer's decisions: the day of the payment, and when the group was created. Nothing orders transactions that
/// have both in common.
pub(crate) type Time = (Option<Day>, CreatedAt);

/// A transaction that has claims.
pub(crate) struct Transaction {
    /// A hash of the payer's name.
    pub(crate) payer_key: u64,
    pub(crate) payer: Box<str>,
    pub(crate) paid_on: Option<Day>,
    pub(crate) produced_on: Option<Day>,
    /// When the group was created. Of a repeated transaction the earliest counts.
    pub(crate) created: CreatedAt,
    pub(crate) digest: Digest,
    /// True if it came again, so that the digests of its claims are kept.
    pub(crate) is_seen: bool,
    /// In the order of their records.
    pub(crate) versions: Vec<Version>,
}

/// A version of a transaction that has claims of its own, or ends before another one does.
pub(crate) struct Version {
    /// The places of its own records.
    pub(crate) records: Range<u32>,
    /// The version with which it shares its first claims, and how many. The first version shares none with itself.
    pub(crate) parent: usize,
    pub(crate) shared: u32,
    /// The number of its claims.
    pub(crate) count: u32,
    /// True if it has its SE.
    pub(crate) is_complete: bool,
    /// How many of its claims are also those of a complete version.
    complete_to: u32,
}

/// Where the reading of a transaction is.
#[derive(Default)]
pub(crate) struct Progress {
    /// The place of the transaction, once it has a claim.
    pub(crate) transaction: Option<usize>,
    /// True if its header came before.
    pub(crate) again: bool,
    /// The claims so far.
    pub(crate) count: u32,
    /// The record of the last claim that another version has too.
    pub(crate) shared: Option<u32>,
    /// Its version, once it has a record of its own.
    version: Option<usize>,
}

impl Transaction {
    pub(crate) fn time(&self) -> Time {
        let day = self.paid_on.or(self.produced_on).or(self.created.day);
        (day, self.created)
    }

    /// Adds the next record of a version.
    pub(crate) fn add(&mut self, record: u32, progress: &mut Progress) {
        let version = match progress.version {
            Some(version) => version,
            None => {
                let shared = progress.count.saturating_sub(1);
                self.branch(record, progress.shared, shared)
            }
        };
        progress.version = Some(version);
        if let Some(version) = self.versions.get_mut(version) {
            version.records.end = record.saturating_add(1);
            version.count = progress.count;
        }
    }

    /// The version ends with its SE. `next` is the place of the next record.
    pub(crate) fn complete(&mut self, next: u32, progress: &Progress) {
        let parent = progress.shared.map(|record| self.version_of(record));
        let version = match (progress.version, parent) {
            (Some(version), _) => version,
            (None, Some(parent)) if self.count(parent) == progress.count => parent,
            (None, Some(_)) => self.branch(next, progress.shared, progress.count),
            (None, None) => return,
        };
        let mut count = progress.count;
        if let Some(version) = self.versions.get_mut(version) {
            version.is_complete = true;
        }
        // What it shares with others is complete as well.
        let mut at = version;
        while let Some(version) = self.versions.get_mut(at) {
            if version.complete_to >= count {
                break;
            }
            version.complete_to = count;
            (at, count) = (version.parent, version.shared);
        }
    }

    fn branch(&mut self, record: u32, shared_with: Option<u32>, shared: u32) -> usize {
        let place = self.versions.len();
        let parent = shared_with.map_or(place, |record| self.version_of(record));
        self.versions.push(Version {
            records: record..record,
            parent,
            shared,
            count: shared,
            is_complete: false,
            complete_to: 0,
        });
        place
    }

    fn count(&self, version: usize) -> u32 {
        self.versions.get(version).map_or(0, |version| version.count)
    }

    /// The version to which a record belongs.
    pub(crate) fn version_of(&self, record: u32) -> usize {
        let after = self.versions.partition_point(|version| version.records.start <= record);
        after.saturating_sub(1)
    }

    /// True if a version with this record has its SE.
    pub(crate) fn is_complete(&self, record: u32, ordinal: u32) -> bool {
        let version = self.versions.get(self.version_of(record));
        version.is_some_and(|version| version.complete_to >= ordinal)
    }

    /// Counts the complete versions that have a claim.
    pub(crate) fn complete_versions(&self) -> CompleteVersions<'_> {
        let mut counts: Vec<usize> = self.versions.iter().map(|version| usize::from(version.is_complete)).collect();
        // A version comes after the one that it leaves.
        for (at, version) in self.versions.iter().enumerate().rev().filter(|(at, version)| version.parent != *at) {
            let count = counts.get(at).copied().unwrap_or_default();
            if let Some(of_parent) = counts.get_mut(version.parent) {
                *of_parent = of_parent.saturating_add(count);
            }
        }
        let left = self.versions.iter().enumerate().filter(|(at, version)| version.parent != *at);
        let left =
            left.map(|(at, version)| (version.parent, version.shared, counts.get(at).copied().unwrap_or_default()));
        let mut forks: Vec<_> = left.collect();
        forks.sort_unstable();
        let mut sum = 0_usize;
        for (_, _, count) in &mut forks {
            sum = sum.saturating_add(*count);
            *count = sum;
        }
        CompleteVersions { versions: &self.versions, forks }
    }
}

/// How many complete versions of a transaction have a claim.
pub(crate) struct CompleteVersions<'a> {
    versions: &'a [Version],
    /// Where versions leave others, sorted: the version that is left, after how many claims, and how many complete versions
    /// leave here and before.
    forks: Vec<(usize, u32, usize)>,
}

impl CompleteVersions<'_> {
    /// The complete versions with the claim at this place of this version.
    pub(crate) fn with(&self, version: usize, ordinal: u32) -> usize {
        let itself = self.versions.get(version).is_some_and(|version| version.is_complete);
        let before = |key: (usize, u32)| {
            let forks = self.forks.partition_point(|(left, shared, _)| (*left, *shared) < key);
            let last = forks.checked_sub(1).and_then(|last| self.forks.get(last));
            last.map_or(0, |(_, _, count)| *count)
        };
        let after = before((version.saturating_add(1), 0)).saturating_sub(before((version, ordinal)));
        usize::from(itself).saturating_add(after)
    }
}
