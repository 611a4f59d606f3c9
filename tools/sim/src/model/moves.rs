//! Moves of practices between cells, as the operator was told: one at a time of a practice, each from where it lives, and none
//! goes back once it has switched.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A move that an answer showed.
struct Shown {
    practice: usize,
    cells: [u16; 2],
    step: String,
    /// When it was shown last.
    at: u64,
}

impl Shown {
    fn read(practice: usize, shown: &Value, at: u64) -> Option<(String, Self)> {
        let cell = |name: &str| u16::try_from(shown[name].as_u64()?).ok();
        let (id, step) = (shown["id"].as_str()?.to_owned(), shown["step"].as_str()?.to_owned());
        Some((id, Self { practice, cells: [cell("source")?, cell("target")?], step, at }))
    }

    fn is_over(&self) -> bool {
        ["done", "cancelled"].contains(&&*self.step)
    }

    /// True if the practice lives in the new cell.
    fn has_switched(&self) -> bool {
        ["switched", "done"].contains(&&*self.step)
    }

    /// True if it can go on to a step.
    fn may_become(&self, next: &str) -> bool {
        let later: &[&str] = match &*self.step {
            "copy" => return true,
            // What was found to differ is compared anew.
            "check" | "follow" => &["check", "follow", "switched", "done", "back", "cancelled"],
            "switched" => &["switched", "done"],
            "back" => &["back", "cancelled"],
            _ => &[&self.step],
        };
        later.contains(&next)
    }
}

/// All moves.
#[derive(Default)]
pub(crate) struct Moves {
    shown: BTreeMap<String, Shown>,
    /// The practices of the calls under way that begin, cancel or carry on a move.
    pub(crate) under_way: Vec<usize>,
}

impl Moves {
    fn of(&self, practice: usize) -> impl Iterator<Item = &Shown> {
        self.shown.values().filter(move |shown| shown.practice == practice)
    }

    /// Records a list that a call showed between two moments, with the practice of each move. Returns what is wrong with it.
    pub(crate) fn told(&mut self, list: &[(usize, &Value)], (began, ended): (u64, u64)) -> Vec<String> {
        let (mut problems, mut open) = (Vec::new(), BTreeSet::new());
        for (practice, shown) in list {
            let Some((id, next)) = Shown::read(*practice, shown, ended) else {
                problems.push(format!("a move is shown as {shown}"));
                continue;
            };
            if !next.is_over() && !open.insert(*practice) {
                problems.push(format!("two moves of practice {practice} are open"));
            }
            match self.shown.get(&id) {
                Some(before) if before.may_become(&next.step) => {}
                // The older answer came later.
                Some(before) if before.at > began => continue,
                Some(before) => problems.push(format!("move {id} goes from {} to {}", before.step, next.step)),
                None => {}
            }
            self.shown.insert(id, next);
        }
        problems
    }

    /// True if a practice may be on its way.
    pub(crate) fn is_open(&self, practice: usize) -> bool {
        self.under_way.contains(&practice) || self.of(practice).any(|shown| !shown.is_over())
    }

    /// The target of the open move of a practice.
    pub(crate) fn target(&self, practice: usize) -> Option<u16> {
        self.of(practice).find(|shown| !shown.is_over()).map(|shown| shown.cells[1])
    }

    /// The steps of all moves.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &str> {
        self.shown.values().map(|shown| &*shown.step)
    }

    /// The cells that a practice has entered more often than it left them, if it began in one: where it lives.
    pub(crate) fn places(&self, practice: usize, begun: u16) -> Vec<(u16, i64)> {
        let mut entered = BTreeMap::from([(begun, 1)]);
        for Shown { cells: [source, target], .. } in self.of(practice).filter(|shown| shown.has_switched()) {
            *entered.entry(*source).or_default() -= 1;
            *entered.entry(*target).or_default() += 1;
        }
        entered.into_iter().filter(|(_, times)| *times != 0).collect()
    }

    /// Where a practice lives.
    pub(crate) fn place(&self, practice: usize, begun: u16) -> u16 {
        let places = self.places(practice, begun);
        places.iter().find(|(_, times)| *times > 0).map_or(begun, |(cell, _)| *cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(id: &str, cells: [u16; 2], step: &str) -> Value {
        json!({ "id": id, "source": cells[0], "target": cells[1], "step": step })
    }

    #[test]
    fn a_practice_lives_where_its_last_move_ended_and_moves_from_there() {
        let mut moves = Moves::default();
        let first = shown("a", [0, 1], "done");
        assert_eq!(moves.told(&[(0, &first), (0, &shown("b", [1, 2], "follow"))], (1, 2)), Vec::<String>::new());
        assert_eq!((moves.place(0, 0), moves.target(0), moves.is_open(1)), (1, Some(2), false));
        moves.told(&[(0, &first), (0, &shown("b", [1, 2], "switched"))], (3, 4));
        assert_eq!(moves.places(0, 0), [(2, 1)]);
        moves.told(&[(0, &shown("c", [1, 0], "done"))], (5, 6));
        assert_eq!(moves.places(0, 0), [(0, 1), (1, -1), (2, 1)], "the last one left a cell where it was not");
    }

    #[test]
    fn moves_exclude_each_other_and_do_not_go_back() {
        let mut moves = Moves::default();
        let two = [shown("a", [0, 1], "copy"), shown("b", [0, 2], "copy")];
        assert_eq!(moves.told(&[(0, &two[0]), (0, &two[1])], (1, 2)).len(), 1);
        assert_eq!(moves.told(&[(0, &shown("a", [0, 1], "switched"))], (3, 4)), Vec::<String>::new());
        assert_eq!(moves.told(&[(0, &two[0])], (3, 5)), Vec::<String>::new(), "the answer is older");
        assert_eq!(moves.told(&[(0, &shown("a", [0, 1], "cancelled"))], (6, 7)).len(), 1);
    }
}
