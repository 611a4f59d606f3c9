//! Finds the claim of an 837 that a claim payment answers.

use super::model::SubmittedClaim;
use crate::amount::Amount;
use crate::day::Day;
use crate::text::{self, CUT, cut, given_name, letters};
use alloc::vec::Vec;
use core::cell::OnceCell;
use hashbrown::HashTable;

/// What a claim payment says about its claim.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) number: &'a str,
    pub(crate) last_name: &'a str,
    pub(crate) first_name: &'a str,
    pub(crate) member_id: Option<&'a str>,
    pub(crate) day: Option<Day>,
    pub(crate) charge: Amount,
}

impl Query<'_> {
    fn patient_key(self) -> u64 {
        text::patient_key(self.last_name.as_bytes(), self.first_name.as_bytes())
    }
}

/// A date of birth, or why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BirthDate {
    Known(Day),
    Disagree,
    Unknown,
}

/// Every submitted claim, by its number, and by member id and names.
#[derive(Default)]
pub(crate) struct Index {
    claims: Vec<SubmittedClaim>,
    /// The first claim of each number.
    numbers: HashTable<u32>,
    /// For each length of [`CUT`] the first of the longer claims with the same start.
    cuts: [HashTable<u32>; CUT.len()],
    /// A hash of member id and names, and a date of birth. Made when a claim lacks one.
    members: OnceCell<Vec<(u64, Day)>>,
    /// A hash of member id, names, day and charge, and a place in `claims`. Made when a payer got no number.
    visits: OnceCell<Vec<(u64, usize)>>,
}

impl Index {
    pub(crate) fn add(&mut self, claim: SubmittedClaim) {
        self.claims.push(claim);
    }

    /// Sorts the claims. Must be called before a search.
    pub(crate) fn sort(&mut self) {
        // Claims of a file are often in order already, which this sort uses.
        self.claims.sort();
        self.claims.dedup();
        let hash_at = |at: &u32| text::hash(&[number_at(&self.claims, *at).as_bytes()]);
        self.numbers.reserve(self.claims.len(), hash_at);
        let mut before: Option<&SubmittedClaim> = None;
        for (at, claim) in self.claims.iter().enumerate() {
            let number = claim.number();
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            if before.is_none_or(|before| before.number() != number) {
                insert(&mut self.numbers, number, place, |at| number_at(&self.claims, at));
            }
            for (table, length) in self.cuts.iter_mut().zip(CUT) {
                let Some(start) = cut(number, length) else {
                    continue;
                };
                let known = before.is_some_and(|before| cut(before.number(), length) == Some(start));
                if !known {
                    insert(table, start, place, |at| {
                        let number = number_at(&self.claims, at);
                        cut(number, length).unwrap_or(number)
                    });
                }
            }
            before = Some(claim);
        }
    }

    /// Every claim with this number. Several have one if it was sent again or used again.
    fn exact(&self, number: &str) -> &[SubmittedClaim] {
        let same = |at: &u32| number_at(&self.claims, *at) == number;
        let first = self.numbers.find(text::hash(&[number.as_bytes()]), same);
        self.from(first, |claim| claim.number() == number)
    }

    /// Every claim whose number was cut to this one.
    fn longer(&self, number: &str) -> &[SubmittedClaim] {
        let length = number.chars().count();
        let mut tables = self.cuts.iter().zip(CUT);
        let Some((table, _)) = tables.find(|(_, cut)| *cut == length) else {
            return &[];
        };
        let same = |at: &u32| cut(number_at(&self.claims, *at), length) == Some(number);
        let first = table.find(text::hash(&[number.as_bytes()]), same);
        self.from(first, |claim| claim.number().starts_with(number))
    }

    /// The claims from a place on that fit.
    fn from(&self, first: Option<&u32>, fits: impl Fn(&SubmittedClaim) -> bool) -> &[SubmittedClaim] {
        let first = first.and_then(|at| usize::try_from(*at).ok());
        let rest = first.and_then(|at| self.claims.get(at..)).unwrap_or_default();
        let count = rest.iter().take_while(|claim| fits(claim)).count();
        rest.get(..count).unwrap_or_default()
    }

    fn members(&self) -> &[(u64, Day)] {
        self.members.get_or_init(|| {
            let members = self.claims.iter().filter_map(|claim| {
                let key = member_key(claim.member_id()?, claim.patient_key());
                Some((key, claim.date_of_birth?))
            });
            let mut members: Vec<_> = members.collect();
            members.sort_unstable();
            members.dedup();
            members
        })
    }

    fn all_visits(&self) -> &[(u64, usize)] {
        self.visits.get_or_init(|| {
            let visits = self.claims.iter().enumerate().filter_map(|(at, claim)| {
                let member = member_key(claim.member_id()?, claim.patient_key());
                Some((visit_key(member, claim.day?, claim.charge), at))
            });
            let mut visits: Vec<_> = visits.collect();
            visits.sort_unstable();
            visits
        })
    }

    /// The claims with the number, or with the number before it was cut, whose names do not disagree.
    pub(crate) fn candidates(&self, query: Query<'_>) -> Vec<&SubmittedClaim> {
        let fits = |claim: &&SubmittedClaim| !disagree(claim, query);
        let exact: Vec<_> = self.exact(query.number).iter().filter(fits).collect();
        if exact.is_empty() { self.longer(query.number).iter().filter(fits).collect() } else { exact }
    }

    /// The day of service of the latest claim with exactly this number and these names.
    pub(crate) fn day(&self, number: &str, patient: u64) -> Option<Day> {
        let claims = self.exact(number).iter().rev();
        let mut of_patient = claims.filter(|claim| patient == 0 || claim.patient_key() == patient);
        of_patient.find_map(|claim| claim.day)
    }

    /// The claims of a payment without a claim number: member id, names, day and charge are all the same.
    pub(crate) fn visits(&self, query: Query<'_>) -> Vec<&SubmittedClaim> {
        let (Some(member_id), Some(day)) = (query.member_id, query.day) else {
            return Vec::new();
        };
        let patient = query.patient_key();
        let key = visit_key(member_key(member_id, patient), day, query.charge);
        let visits = self.all_visits();
        let from = visits.partition_point(|(other, _)| *other < key);
        let rest = visits.iter().skip(from).take_while(|(other, _)| *other == key);
        rest.filter_map(|(_, at)| self.claims.get(*at)).collect()
    }

    /// The date of birth that other claims of the same member id and names give.
    pub(crate) fn shared_birth(&self, member_id: &str, patient: u64) -> BirthDate {
        let key = member_key(member_id, patient);
        let members = self.members();
        let from = members.partition_point(|(other, _)| *other < key);
        let mut days = members.iter().skip(from).take_while(|(other, _)| *other == key);
        match (days.next(), days.next()) {
            (Some((_, day)), None) => BirthDate::Known(*day),
            (Some(_), Some(_)) => BirthDate::Disagree,
            (None, _) => BirthDate::Unknown,
        }
    }
}

/// How well a claim fits: names or member id, day, charge. The order of the claims adds the latest.
pub(crate) fn match_quality(claim: &SubmittedClaim, query: Query<'_>) -> (bool, bool, bool) {
    let patient = query.patient_key();
    let named = patient != 0 && patient == claim.patient_key();
    let member = query.member_id.is_some_and(|id| claim.member_id() == Some(id));
    (named || member, query.day.is_some() && claim.day == query.day, claim.charge == query.charge)
}

/// True if the names contradict each other. Payers drop middle names and cut long names.
fn disagree(claim: &SubmittedClaim, query: Query<'_>) -> bool {
    if claim.patient_key() == query.patient_key() {
        return false;
    }
    let apart = |one: &str, other: &str, least: usize| {
        let cut = one.len().min(other.len()) >= least && (one.starts_with(other) || other.starts_with(one));
        !one.is_empty() && !other.is_empty() && one != other && !cut
    };
    apart(&letters(claim.last_name()), &letters(query.last_name), 10)
        || apart(&given_name(claim.first_name()), &given_name(query.first_name), 3)
}

/// The number of the claim at a place.
fn number_at(claims: &[SubmittedClaim], at: u32) -> &str {
    claims.get(text::place(at)).map_or("", SubmittedClaim::number)
}

/// Keeps a place under a text. `text_at` gives the text of a place that is kept.
fn insert<'a>(table: &mut HashTable<u32>, text: &str, place: u32, text_at: impl Fn(u32) -> &'a str) {
    let hash = |text: &str| text::hash(&[text.as_bytes()]);
    table.insert_unique(hash(text), place, |at| hash(text_at(*at)));
}

fn member_key(member_id: &str, patient: u64) -> u64 {
    text::hash(&[letters(member_id).as_bytes(), &patient.to_be_bytes()])
}

fn visit_key(member: u64, day: Day, charge: Amount) -> u64 {
    text::hash(&[&member.to_be_bytes(), &day.digits().to_be_bytes(), &charge.0.to_be_bytes()])
}
