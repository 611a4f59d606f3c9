// The drawing field. Without this script the patient types a name, which is just as valid.

const [part, pad, field, clear, said, name] = ["draw", "pad", "drawing", "clear", "drawn", "name"].map((id) =>
  document.getElementById(id),
);
const STROKES_MAX = 100;
const POINTS_MAX = 3000;
const pen = pad.getContext("2d");

let strokes = [];
let stroke = null;

function draw() {
  pen.clearRect(0, 0, pad.width, pad.height);
  pen.strokeStyle = getComputedStyle(pad).color;
  pen.lineWidth = 3;
  pen.lineCap = pen.lineJoin = "round";
  for (const [first, ...rest] of strokes) {
    pen.beginPath();
    pen.moveTo(...first);
    // A line to its own start is a dot.
    for (const point of [first, ...rest]) pen.lineTo(...point);
    pen.stroke();
  }
}

function keep() {
  field.value = strokes.length === 0 ? "" : JSON.stringify(strokes);
  name.required = strokes.length === 0;
}

/** Where a pointer is, in the units of the field. */
function at(event) {
  const box = pad.getBoundingClientRect();
  const inside = (place, size, units) => Math.round(Math.min(Math.max(place / size, 0), 1) * units);
  return [inside(event.clientX - box.left, box.width, pad.width), inside(event.clientY - box.top, box.height, pad.height)];
}

function add(event) {
  const points = strokes.reduce((sum, { length }) => sum + length, 0);
  const point = at(event);
  const last = stroke.at(-1);
  if (points < POINTS_MAX && (last === undefined || last[0] !== point[0] || last[1] !== point[1])) stroke.push(point);
}

pad.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary || event.button !== 0 || strokes.length >= STROKES_MAX) return;
  event.preventDefault();
  pad.setPointerCapture(event.pointerId);
  stroke = [];
  add(event);
  if (stroke.length === 0) stroke = null;
  else strokes.push(stroke);
  draw();
});

pad.addEventListener("pointermove", (event) => {
  if (stroke === null || !event.isPrimary) return;
  for (const part of event.getCoalescedEvents?.() ?? [event]) add(part);
  draw();
});

function end() {
  if (stroke === null) return;
  stroke = null;
  keep();
  said.textContent = said.dataset.drawn;
}
pad.addEventListener("pointerup", end);
pad.addEventListener("pointercancel", end);

clear.addEventListener("click", () => {
  strokes = [];
  keep();
  draw();
  said.textContent = said.dataset.cleared;
});

// The drawing from before the page came back with a problem.
try {
  strokes = JSON.parse(field.value || "[]");
  draw();
} catch {
  strokes = [];
}
keep();
part.hidden = false;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
