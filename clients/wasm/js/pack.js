// Packs an object for the module: its strings, joined into one text, and a list of words that describe the values.
// packed.rs says what the words mean. It packs only what the rules read. The rest counts toward the size.
//
// It reads an object as JSON.stringify would: own enumerable keys, toJSON, boxed primitives.

import { measure, plain } from "./json.js";

const [NULL, TEXT, WRONG, LIST, NOT_UNICODE, ENVELOPE, ITEM, PATIENT, CLAIM] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Items behind this many are counted and not read. */
const ITEMS_READ = 100;
/** More bytes of JSON than a word stands for: a key, its quotes and what is between. */
const BYTES_A_WORD = 40;
/** How many sets of keys are remembered for each kind of object. */
const LAYOUTS = 8;
const WORDS = 4096;
const WORDS_KEPT = 65_536;

/** Knows the keys of each kind of object, and which words go with them. */
export class Layouts {
  constructor(objects) {
    this.kinds = objects.map((keys) => ({ bits: new Map(keys.map((key, n) => [key, 1 << n])), others: 1 << keys.length, known: [] }));
    this.words = new Uint32Array(WORDS);
  }

  /** The bits of an object's own keys, and the keys that have none. */
  of(tag, object) {
    const { bits, known } = this.kinds[tag - ENVELOPE];
    if (Object.getPrototypeOf(object) === Object.prototype) {
      for (let n = 0; n < known.length; n += 1) {
        if (hasKeys(object, known[n].keys)) return known[n];
      }
    }
    const keys = Object.keys(object);
    let mask = 0;
    const others = [];
    for (const key of keys) {
      const bit = bits.get(key);
      if (bit === undefined) others.push(key);
      else mask |= bit;
    }
    const layout = { keys, mask, others };
    // Layouts are cached only for objects with known keys, and only while Object.prototype has no keys.
    if (others.length === 0 && known.length < LAYOUTS && hasKeys(Object.prototype, [])) known.push(layout);
    return layout;
  }

  /** Room for the words of a request. Who has it keeps it until {@link giveBack}, and a request within it gets another. */
  take() {
    const { words } = this;
    this.words = undefined;
    return words ?? new Uint32Array(WORDS);
  }

  giveBack(words) {
    if (words.length <= WORDS_KEPT) this.words = words;
  }

  /** The bit that says that an object has other keys. */
  bitOfOthers(tag) {
    return this.kinds[tag - ENVELOPE].others;
  }
}

/** Whether an object that inherits no enumerable key has just these, in this order. */
function hasKeys(object, keys) {
  let n = 0;
  for (const key in object) {
    if (key !== keys[n]) return false;
    n += 1;
  }
  return n === keys.length;
}

/** One request, packed. */
export class Packer {
  text = "";
  count = 0;
  /** Bytes of JSON of what was not packed. */
  rest = 0;
  /** A key is no Unicode, and JSON text with it cannot be read. */
  hasBadKey = false;
  /** Objects that are being read, the outermost first. */
  open = [];

  /**
   * @param limit how many bytes of JSON are read at most
   * @param isCareful whether each string is looked at, because not all are Unicode
   */
  constructor(layouts, limit, isCareful) {
    this.layouts = layouts;
    this.words = layouts.take();
    this.limit = limit;
    this.isCareful = isCareful;
  }

  /** At least so many bytes of JSON. */
  get atLeast() {
    return this.count + this.text.length + this.rest;
  }

  /** At most so many bytes of JSON. */
  get atMost() {
    return this.count * BYTES_A_WORD + this.text.length * 6 + this.rest;
  }

  /** A value that is already plain. */
  request(value) {
    if (!isObject(value)) return this.other(value);
    const at = this.begin(value);
    const { mask, others } = this.layouts.of(ENVELOPE, value);
    let found = mask;
    if (mask & 1 && !this.claims(plain(value.claims, "claims"))) found &= ~1;
    if (mask & 2 && !this.object(value.patient, "patient", PATIENT)) found &= ~2;
    if (mask & 4 && !this.object(value.claim, "claim", CLAIM)) found &= ~4;
    this.end(at, ENVELOPE, found, value, others);
  }

  /** The items of a batch. Like all that follow, it answers whether JSON.stringify would write the value. */
  claims(value) {
    if (!Array.isArray(value)) return this.other(value);
    const { length } = value;
    this.list(value, length);
    for (let n = 0; n < length && this.atLeast <= this.limit; n += 1) {
      const item = plain(value[n], n) ?? null;
      if (n >= ITEMS_READ) this.skip(item);
      else if (isObject(item)) this.item(item);
      else this.other(item);
    }
    this.open.pop();
    return true;
  }

  item(value) {
    const at = this.begin(value);
    const { mask, others } = this.layouts.of(ITEM, value);
    let found = mask;
    if (mask & 1 && !this.object(value.patient, "patient", PATIENT)) found &= ~1;
    if (mask & 2 && !this.object(value.claim, "claim", CLAIM)) found &= ~2;
    this.end(at, ITEM, found, value, others);
  }

  object(given, key, tag) {
    const value = plain(given, key);
    if (!isObject(value)) return this.other(value);
    const at = this.begin(value);
    const { mask, others } = this.layouts.of(tag, value);
    const found = tag === PATIENT ? this.patient(value, mask) : this.claim(value, mask);
    this.end(at, tag, found, value, others);
    return true;
  }

  patient(value, mask) {
    let found = mask;
    if (mask & 1 && !this.string(value.first_name, "first_name")) found &= ~1;
    if (mask & 2 && !this.string(value.last_name, "last_name")) found &= ~2;
    if (mask & 4 && !this.string(value.date_of_birth, "date_of_birth")) found &= ~4;
    if (mask & 8 && !this.string(value.account_number, "account_number")) found &= ~8;
    if (mask & 16 && !this.string(value.member_id, "member_id")) found &= ~16;
    return found;
  }

  claim(value, mask) {
    let found = mask;
    if (mask & 1 && !this.string(value.claim_number, "claim_number")) found &= ~1;
    if (mask & 2 && !this.string(value.payer_claim_number, "payer_claim_number")) found &= ~2;
    if (mask & 4 && !this.string(value.payer_name, "payer_name")) found &= ~4;
    if (mask & 8 && !this.string(value.date_of_service, "date_of_service")) found &= ~8;
    if (mask & 16 && !this.string(value.denial_date, "denial_date")) found &= ~16;
    if (mask & 32 && !this.string(value.plan_type, "plan_type")) found &= ~32;
    if (mask & 64 && !this.string(value.procedure_code, "procedure_code")) found &= ~64;
    if (mask & 128 && !this.string(value.billed_amount, "billed_amount")) found &= ~128;
    if (mask & 256 && !this.string(value.denied_amount, "denied_amount")) found &= ~256;
    if (mask & 512 && !this.strings(value.denial_codes, "denial_codes")) found &= ~512;
    if (mask & 1024 && !this.string(value.denial_reason, "denial_reason")) found &= ~1024;
    if (mask & 2048 && !this.strings(value.diagnosis_codes, "diagnosis_codes")) found &= ~2048;
    return found;
  }

  strings(given, key) {
    if (typeof given === "string") return this.string(given, key);
    const value = plain(given, key);
    if (!Array.isArray(value)) return this.other(value);
    const { length } = value;
    this.list(value, length);
    for (let n = 0; n < length && this.atLeast <= this.limit; n += 1) {
      const item = value[n];
      if (typeof item === "string") this.string(item, n);
      else this.other(plain(item, n) ?? null);
    }
    this.open.pop();
    return true;
  }

  string(value, key) {
    if (typeof value !== "string") return this.other(plain(value, key));
    if (this.isCareful && !value.isWellFormed()) {
      this.rest += value.length;
      this.word(NOT_UNICODE);
    } else {
      this.word((value.length << 4) | TEXT);
      this.text += value;
    }
    return true;
  }

  /** A plain value where its content makes no difference, unless it is a string. */
  other(value) {
    if (value === undefined) return false;
    if (typeof value === "string") return this.string(value);
    if (value === null) {
      this.word(NULL);
    } else {
      const hasBadKey = this.skip(value);
      if (hasBadKey) this.words[this.count - 1] = NOT_UNICODE;
    }
    return true;
  }

  /** A plain value that no rule reads. Answers whether one of its own keys is no Unicode. */
  skip(value) {
    this.word(WRONG);
    const { bytes, hasBadKey } = measure(value, new Set(this.open), this.limit);
    this.rest += bytes;
    return hasBadKey;
  }

  begin(object) {
    this.open.push(object);
    this.word(0);
    return this.count - 1;
  }

  end(at, tag, mask, object, others) {
    let found = mask;
    for (const key of others) {
      const value = plain(object[key], key);
      if (value === undefined) continue;
      found |= this.layouts.bitOfOthers(tag);
      this.rest += measure(value, new Set(this.open), this.limit).bytes + measure(key, new Set(), this.limit).bytes + 2;
      if (!key.isWellFormed()) this.hasBadKey = true;
    }
    this.words[at] = (found << 4) | tag;
    this.open.pop();
  }

  list(array, length) {
    this.open.push(array);
    // The module never reads a list that is cut off at the limit.
    this.word((Math.min(length, this.limit) << 4) | LIST);
  }

  word(word) {
    if (this.count === this.words.length) {
      const { words } = this;
      this.words = new Uint32Array(words.length * 2);
      this.words.set(words);
    }
    this.words[this.count] = word;
    this.count += 1;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
