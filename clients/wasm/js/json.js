// What JSON.stringify makes of a value, without writing it.

/**
 * What JSON.stringify would write in place of a value: it calls `toJSON` and opens boxed primitives. `undefined` where it
 * would leave the value out.
 *
 * @throws TypeError for a BigInt, as JSON.stringify does
 */
export function plain(value, key) {
  let found = value;
  if (typeof found === "string") return found;
  if ((typeof found === "object" && found !== null) || typeof found === "function" || typeof found === "bigint") {
    const { toJSON } = found;
    if (typeof toJSON === "function") found = Reflect.apply(toJSON, value, [String(key)]);
    if (typeof found === "object" && found !== null) found = unboxed(found);
  }
  switch (typeof found) {
    case "number":
      return Number.isFinite(found) ? found : null;
    case "bigint":
      throw new TypeError("a BigInt has no form in JSON");
    case "function":
    case "symbol":
      return undefined;
    default:
      return found;
  }
}

const BOXES = [
  [String.prototype.valueOf, String],
  [Number.prototype.valueOf, Number],
  [Boolean.prototype.valueOf, (_, value) => value],
  [BigInt.prototype.valueOf, (_, value) => value],
];

function unboxed(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null || Array.isArray(value)) return value;
  // An object without a tag of its own reports its true type. This check is cheaper than an exception.
  const isHonest = value[Symbol.toStringTag] === undefined;
  if (isHonest && !/^\[object (?:String|Number|Boolean)\]$/.test(Object.prototype.toString.call(value))) return value;
  for (const [valueOf, convert] of BOXES) {
    let inner;
    try {
      inner = valueOf.call(value);
    } catch {
      continue;
    }
    return convert(value, inner);
  }
  return value;
}

/**
 * How many bytes JSON text of a value has, which is as {@link plain} answers it; or a number above `limit` as soon as that is
 * sure. Whatever the depth, nothing recurs.
 *
 * @param open objects that the value is in, none of which may come again
 * @returns also whether a key of the value itself, not of one within, is no Unicode
 * @throws TypeError for a value that contains itself, as JSON.stringify does
 */
export function measure(value, open, limit) {
  const frames = [];
  const size = { bytes: 0, hasBadKey: false };
  let next = value;
  for (;;) {
    if (typeof next === "object" && next !== null) {
      if (open.has(next)) throw new TypeError("a value that contains itself has no form in JSON");
      open.add(next);
      frames.push(frameOf(next));
      size.bytes += 2;
    } else {
      size.bytes += typeof next === "string" ? bytesOf(next) : String(next).length;
    }
    do {
      if (size.bytes > limit || frames.length === 0) return size;
      next = step(frames, open, size);
    } while (next === undefined);
  }
}

function frameOf(object) {
  const keys = Array.isArray(object) ? undefined : Object.keys(object);
  return { object, keys, length: keys === undefined ? object.length : keys.length, next: 0, isFirst: true };
}

/** The next value of the innermost object that is open; `undefined` where there is none, or it is left out. */
function step(frames, open, size) {
  const frame = frames[frames.length - 1];
  if (frame.next >= frame.length) {
    open.delete(frame.object);
    frames.pop();
    return undefined;
  }
  const key = frame.keys === undefined ? frame.next : frame.keys[frame.next];
  frame.next += 1;
  let value = plain(frame.object[key], key);
  if (frame.keys === undefined) {
    value ??= null;
  } else if (value !== undefined) {
    size.bytes += bytesOf(key) + 1;
    if (frames.length === 1 && !key.isWellFormed()) size.hasBadKey = true;
  }
  if (value !== undefined) {
    // A comma.
    size.bytes += frame.isFirst ? 0 : 1;
    frame.isFirst = false;
  }
  return value;
}

/** How many bytes JSON.stringify writes for a text. */
function bytesOf(text) {
  let bytes = 2;
  for (let n = 0; n < text.length; n += 1) {
    const unit = text.charCodeAt(n);
    if (unit === 0x22 || unit === 0x5c) bytes += 2;
    else if (unit < 0x20) bytes += unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6;
    else if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if ((unit & 0xf800) !== 0xd800) bytes += 3;
    else if (unit < 0xdc00 && (text.charCodeAt(n + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      n += 1;
    } else bytes += 6;
  }
  return bytes;
}
