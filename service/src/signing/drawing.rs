//! A drawn signature: strokes of points on a field of fixed size.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The width of the field, in its own units.
pub(super) const WIDTH: u16 = 600;
/// The height of the field.
pub(super) const HEIGHT: u16 = 200;
/// Most strokes.
const STROKES_MAX: usize = 100;
/// The most points of all strokes together: half a minute of a pen that reports a hundred points per second.
const POINTS_MAX: usize = 3000;
/// The longest text that is read: every point takes at most ten characters, every stroke three more.
const TEXT_MAX: usize = POINTS_MAX * 10 + STROKES_MAX * 3 + 2;

/// A point, from the left and from the top.
pub(super) type Point = (u16, u16);

/// Strokes, each of at least one point. At least two points differ. `Debug` prints none of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Drawing(Vec<Vec<Point>>);

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing(…)")
    }
}

/// The text is not a drawing, or is larger than a person draws. The error has no cause, because its text could repeat a
/// part of the patient's drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is not a drawing")]
pub(super) struct DrawingError;

impl Drawing {
    /// Parses `[[[x, y], …], …]`; `None` if nothing was drawn. A single dot counts as nothing.
    ///
    /// # Errors
    ///
    /// [`DrawingError`].
    pub(super) fn parse(text: &str) -> Result<Option<Self>, DrawingError> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if text.len() > TEXT_MAX {
            return Err(DrawingError);
        }
        // The cause stays out: its text could repeat a part of the patient's drawing.
        let strokes: Vec<Vec<Point>> = serde_json::from_str(text).map_err(|_| DrawingError)?;
        let points: usize = strokes.iter().map(Vec::len).sum();
        let mut all = strokes.iter().flatten();
        let first = all.next();
        let fits = strokes.len() <= STROKES_MAX
            && points <= POINTS_MAX
            && strokes.iter().all(|stroke| !stroke.is_empty())
            && strokes.iter().flatten().all(|(x, y)| *x <= WIDTH && *y <= HEIGHT);
        if !fits {
            return Err(DrawingError);
        }
        let is_drawn = all.any(|point| Some(point) != first);
        Ok(is_drawn.then_some(Self(strokes)))
    }

    /// The strokes as the data of an SVG path, in the units of the field.
    #[must_use]
    pub(super) fn path(&self) -> String {
        let stroke = |points: &Vec<Point>| {
            let points = points.iter().map(|(x, y)| format!("{x} {y}"));
            let points: Vec<String> = points.collect();
            // A stroke of one point becomes a dot: a line of length 0.
            format!("M{}h0", points.join("L"))
        };
        self.0.iter().map(stroke).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn strokes(count: usize, points: usize) -> String {
        let stroke = vec![(600, 200); points];
        let mut strokes = vec![stroke; count];
        strokes[0][0] = (0, 0);
        serde_json::to_string(&strokes).unwrap()
    }

    #[test]
    fn a_drawing_has_points_inside_its_field() {
        let drawn = Drawing::parse("[[[0,0],[600,200]],[[3,4]]]").unwrap().unwrap();
        assert_eq!(serde_json::to_string(&drawn).unwrap(), "[[[0,0],[600,200]],[[3,4]]]");
        assert_eq!(drawn.path(), "M0 0L600 200h0M3 4h0");
        for wrong in [
            "x",
            "{}",
            "[[]]",
            "[[[1,2],[3,4]],[]]",
            "[[[601,0],[1,1]]]",
            "[[[0,201],[1,1]]]",
            "[[[-1,0],[1,1]]]",
            "[[[1.5,0],[1,1]]]",
            "[[[1,2,3],[1,1]]]",
            "[[[1],[1,1]]]",
            "[[1,2]]",
            "[[[1,2],[3,4]]] x",
            "null",
        ] {
            assert_eq!(Drawing::parse(wrong), Err(DrawingError), "{wrong}");
        }
    }

    #[test]
    fn a_drawing_without_a_line_is_empty() {
        for blank in ["", " ", "[]", "[[[5,5]]]", "[[[5,5],[5,5]],[[5,5]]]"] {
            assert_eq!(Drawing::parse(blank), Ok(None), "{blank}");
        }
    }

    #[test]
    fn no_drawing_is_larger_than_a_hand_draws() {
        for (count, points, fits) in [(100, 30, true), (101, 1, false), (1, 3000, true), (1, 3001, false)] {
            let read = Drawing::parse(&strokes(count, points));
            assert_eq!(read.is_ok_and(|read| read.is_some()), fits, "{count} {points}");
        }
        let padded = format!("{}{}", strokes(1, 2), " ".repeat(TEXT_MAX));
        assert_eq!(Drawing::parse(&padded), Err(DrawingError));
    }
    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_parsed_value_reads_back(points in proptest::collection::vec((0..=WIDTH, 0..=HEIGHT), 2..40)) {
            let text = serde_json::to_string(&[&points]).unwrap();
            if let Some(drawing) = Drawing::parse(&text).unwrap() {
                prop_assert_eq!(serde_json::to_string(&drawing).unwrap(), text);
            }
        }
    }
}
