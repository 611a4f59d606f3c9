// An object gets exactly the answer that its JSON text gets, however odd it is, and no object breaks the module.

import * as core from "@overturn/core";

const MEBIBYTE = 1024 * 1024;
const COUNT = 3000;

const patient = () => ({ first_name: "Dana", last_name: "Whitfield", date_of_birth: "1984-06-02", account_number: "ACC-1", member_id: null });
const claim = (n = 0) => ({
  claim_number: `A-${n}`,
  payer_claim_number: "P-1",
  payer_name: "Blue Prairie Health",
  date_of_service: "2025-01-14",
  denial_date: "2025-02-03",
  plan_type: "erisa",
  procedure_code: "99214-25",
  billed_amount: "245.00",
  denied_amount: "254.00",
  denial_codes: ["CO-50", "N130"],
  denial_reason: "not covered",
  diagnosis_codes: ["M17.11"],
});
const item = (n) => ({ patient: patient(), claim: claim(n) });
const withPatient = (changes) => ({ patient: { ...patient(), ...changes }, claim: claim() });
const withClaim = (changes) => ({ patient: patient(), claim: { ...claim(), ...changes } });

class Person {
  constructor() {
    this.first_name = "Dana";
    this.date_of_birth = "1984-06-02";
  }
  // On the prototype, so not an own key.
  get last_name() {
    return "Whitfield";
  }
}

const hidden = (value) => Object.defineProperty({ ...patient(), last_name: undefined }, "last_name", { value, enumerable: false });
const inherited = () => Object.assign(Object.create({ first_name: "Dana" }), { last_name: "W", date_of_birth: "1984-06-02" });
const sparse = (length) => Object.assign([], { length, 1: "CO-50" });
const deep = (levels, make) => {
  let value = "end";
  for (let n = 0; n < levels; n += 1) value = make(value);
  return value;
};
const tagged = (value) => Object.defineProperty(value, Symbol.toStringTag, { value: "Other" });

/** Values of every kind, fresh ones with each call. */
export const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  "minus zero": () => -0,
  "a number": () => 12.5,
  NaN: () => NaN,
  Infinity: () => -Infinity,
  "a symbol": () => Symbol("s"),
  "a function": () => () => "text",
  "a function with toJSON": () => Object.assign(() => 1, { toJSON: () => "CO-45" }),
  "an empty text": () => "",
  "a blank": () => " \t",
  "a text": () => "CO-45",
  "a date": () => "2025-01-01",
  accents: () => "Zoë García-Núñez",
  "beyond the basic plane": () => "🦷漢",
  "NUL and quotes": () => '\0"\\\n\u2028\u001f',
  "a high surrogate": () => "a\ud83e",
  "a low surrogate": () => "\uddb7b",
  "surrogates the wrong way round": () => "\uddb7\ud83e",
  "201 characters": () => "é".repeat(201),
  "a Date": () => new Date("2025-01-01T00:00:00Z"),
  "a Date that is none": () => new Date(NaN),
  "a Map": () => new Map([["first_name", "x"]]),
  "a Set": () => new Set(["CO-50"]),
  "a RegExp": () => /x/,
  "an Error": () => new Error("x"),
  "a boxed text": () => new String("CO-50"),
  "a boxed number": () => new Number(NaN),
  "a boxed Boolean": () => new Boolean(false),
  "a boxed text with a tag": () => tagged(new String("CO-50")),
  "a boxed text of a class": () => new (class extends String {})("CO-50"),
  "a boxed text with toString": () => Object.assign(new String("a"), { toString: () => "CO-50" }),
  "a boxed symbol": () => Object(Symbol("s")),
  "an empty object": () => ({}),
  "an object": () => ({ a: 1, b: [{ c: null }] }),
  "an object without a prototype": () => Object.assign(Object.create(null), { a: undefined }),
  "a key that is no Unicode": () => ({ "\ud800": 1 }),
  "a key within that is no Unicode": () => ({ a: { "\ud800": 1 } }),
  "a key that is no Unicode and left out": () => ({ "\ud800": undefined }),
  "an own __proto__": () => JSON.parse('{"__proto__": {"first_name": "x"}}'),
  "a symbol as a key": () => ({ [Symbol("first_name")]: 1 }),
  "an empty array": () => [],
  "an array": () => ["CO-45", null, 5],
  "an array with gaps": () => [undefined, () => 1, Symbol("s"), NaN],
  "a sparse array": () => sparse(5),
  "an array of lone surrogates": () => ["CO-50", "\ud800", "x"],
  "halves of a character": () => ["\ud83e", "\uddb7"],
  "an array in an array": () => [["CO-50"], { "\udfff": 1 }],
  "an array with keys": () => Object.assign(["CO-50"], { note: 1 }),
  "an array of a class": () => new (class extends Array {})("CO-50", "N130"),
  "100 codes": () => Array.from({ length: 100 }, (_, n) => `N${n}`),
  "101 codes and a lone surrogate": () => [...Array.from({ length: 101 }, (_, n) => `N${n}`), "\ud800", { "\ud800": 1 }],
  "102 codes, blanks among them": () => Array.from({ length: 204 }, (_, n) => (n % 2 === 0 ? `N${n}` : " ")),
  "typed arrays": () => new Uint8Array([1, 2]),
  "a Proxy": () => new Proxy({ first_name: "x", a: 1 }, {}),
  "a Proxy of an array": () => new Proxy(["CO-50", "N130"], {}),
  "a Proxy that says it has keys": () => new Proxy({}, {
    ownKeys: () => ["first_name", "z"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
    get: (_, key) => (key === "toJSON" ? undefined : `value of ${String(key)}`),
  }),
  "toJSON that answers a text": () => ({ toJSON: () => "CO-45" }),
  "toJSON that answers its key": () => ({ toJSON: (key) => `<${key}>` }),
  "toJSON that answers itself": () => ({ a: 1, toJSON() { return this; } }),
  "toJSON that answers nothing": () => ({ toJSON: () => undefined }),
  "toJSON that is no function": () => ({ toJSON: "CO-45" }),
  "toJSON of a prototype": () => new (class { toJSON() { return ["CO-50"]; } })(),
  "a deep array": () => deep(2000, (value) => [value]),
  "a deep object": () => deep(2000, (value) => ({ value })),
};

const PATIENT = Object.keys(patient());
const CLAIM = Object.keys(claim());

/** Holds objects to the text of them. `equal` compares and counts; `throws` wants a TypeError. */
export function checkObjects(equal, throws, now) {
  const options = { now: new Date(now) };
  const asText = (value) => core.validate(JSON.stringify(value) ?? "", options);
  const same = (name, make) => equal(name, core.validate(make(), options), asText(make()));
  equal("the claim that is changed below", core.validate(item(0), options).errors, []);

  for (const [name, make] of Object.entries(VALUES)) {
    if (typeof make() !== "string" && !ArrayBuffer.isView(make())) same(name, make);
    for (const key of PATIENT) same(`${name} as ${key}`, () => withPatient({ [key]: make() }));
    for (const key of CLAIM) same(`${name} as ${key}`, () => withClaim({ [key]: make() }));
    for (const key of ["patient", "claim", "claims", "note", "\ud800", "toString"]) {
      same(`${name} as ${key}`, () => ({ ...item(0), [key]: make() }));
      same(`${name} as ${key} of an item`, () => ({ claims: [item(0), { ...item(1), [key]: make() }] }));
      same(`${name} as ${key} of a patient`, () => withPatient({ [key]: make() }));
      same(`${name} as the only ${key}`, () => ({ [key]: make() }));
    }
    same(`${name} as an item`, () => ({ claims: [item(0), make(), item(0)] }));
    same(`${name} as the 101st item`, () => ({ claims: [...Array.from({ length: 100 }, (_, n) => item(n)), make()] }));
    same(`${name} as a code`, () => withClaim({ denial_codes: ["CO-50", make()], diagnosis_codes: [make(), make()] }));
  }
  same("a class", () => ({ patient: new Person(), claim: claim() }));
  same("a field that is hidden", () => ({ patient: hidden("Whitfield"), claim: claim() }));
  // Own keys in this order. The next object has some of them on its prototype.
  same("keys in another order", () => ({ patient: { last_name: "W", date_of_birth: "1984-06-02", first_name: "Dana" }, claim: claim() }));
  same("a field that is inherited", () => ({ patient: inherited(), claim: claim() }));
  same("frozen", () => Object.freeze({ patient: Object.freeze(patient()), claim: Object.freeze(claim()) }));
  same("a getter", () => ({ get patient() { return patient(); }, claim: claim() }));
  same("toJSON of the request", () => ({ toJSON: () => item(0) }));
  same("toJSON of an item", () => ({ claims: [{ toJSON: (key) => item(key) }] }));
  same("one object twice", () => { const one = item(0); return { claims: [one, one, { ...one }] }; });
  same("one list twice", () => { const list = ["CO-50", 1]; return withClaim({ denial_codes: list, diagnosis_codes: list }); });
  same("no item", () => ({ claims: [] }));
  same("every problem of 100", () => ({ claims: Array(100).fill({}) }));
  BigInt.prototype.toJSON = function toJSON() { return String(this); };
  try {
    same("a BigInt with toJSON", () => withClaim({ denial_codes: [45n], plan_type: Object(45n) }));
  } finally {
    delete BigInt.prototype.toJSON;
  }

  sizes(equal, same, options);
  refusals(equal, throws, options);
  random(same);
  equal("a sound claim after all that", core.validate(item(0), options), asText(item(0)));
}

function sizes(equal, same, options) {
  const fill = (bytes, make) => {
    const empty = new TextEncoder().encode(JSON.stringify(make(""))).length;
    return (pad) => make(pad.repeat(Math.floor((bytes - empty) / new TextEncoder().encode(JSON.stringify(pad)).slice(1, -1).length)));
  };
  const places = {
    "a field": (text) => withClaim({ denial_reason: text }),
    "another key": (text) => ({ ...item(0), note: { text: [text] } }),
    "a key": (text) => ({ ...item(0), [`k${text}`]: 1 }),
  };
  for (const [place, make] of Object.entries(places)) {
    for (const pad of ["x", "é", "\n", "\u0001", "🦷", '"', "\ud800"]) {
      for (const more of [0, 1, 12]) same(`2 MiB and ${more} of ${JSON.stringify(pad)} in ${place}`, () => fill(2 * MEBIBYTE + more, make)(pad));
    }
    same(`300 KB in ${place}`, () => make("\u0001".repeat(300_000)));
  }
  same("2 MiB of items", () => ({ claims: Array(2 * MEBIBYTE / 2 - 7).fill(1) }));
  same("2 MiB of codes", () => withClaim({ denial_codes: Array(300_000).fill("N130") }));
  const over = { errors: ["body is over 2 MiB"], advice: [] };
  // JSON.stringify cannot write these.
  equal("four billion holes", core.validate({ claims: new Array(2 ** 32 - 1) }, options), over);
  equal("four billion codes", core.validate(withClaim({ denial_codes: new Array(2 ** 32 - 1) }), options), over);
  equal("four billion of something else", core.validate({ ...item(0), note: new Array(2 ** 32 - 1) }, options), over);
  const endless = { toJSON: () => ({ again: endless }) };
  equal("an object without end", core.validate({ ...item(0), note: endless }, options), over);
  const levels = 200_000;
  equal("deeper than any stack", core.validate({ ...item(0), note: deep(levels, (value) => [value]) }, options), core.validate(item(0), options));
  equal("a field deeper than any stack", core.validate(withClaim({ plan_type: deep(levels, (value) => [value]) }), options).errors, ["claim.plan_type must be text"]);
  equal("a request deeper than any stack", core.validate(deep(levels, (value) => [value]), options).errors, ["body must be an object"]);
}

/** What JSON cannot express throws a TypeError, and what the request itself throws passes through. */
function refusals(equal, throws, options) {
  const within = (place, value) => {
    const around = { request: value, note: { ...item(0), note: value }, field: withClaim({ plan_type: value }), code: withClaim({ denial_codes: [value] }) };
    return around[place];
  };
  for (const place of ["request", "note", "field", "code"]) {
    throws(`a BigInt as a ${place}`, () => core.validate(within(place, 1n), options));
    throws(`a boxed BigInt as a ${place}`, () => core.validate(within(place, Object(1n)), options));
    const circle = { a: [] };
    circle.a.push({ circle });
    throws(`a circle as a ${place}`, () => core.validate(within(place, circle), options));
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    throws(`a revoked Proxy as a ${place}`, () => core.validate(within(place, proxy), options));
  }
  const circles = [
    () => { const root = item(0); root.patient = root; return root; },
    () => { const root = item(0); root.claim.denial_codes.push(root); return root; },
    () => { const root = { claims: [] }; root.claims.push(root); return root; },
    () => { const root = { claims: [] }; root.claims.push(root.claims); return root; },
    () => { const root = item(0); root.claim.denial_codes.push(root.claim.denial_codes); return root; },
  ];
  for (const [n, make] of circles.entries()) throws(`circle ${n}`, () => core.validate(make(), options));

  const mine = new Error("mine");
  const fail = () => { throw mine; };
  const failingName = { get: fail, enumerable: true };
  const failing = [
    { get patient() { return fail(); } },
    { ...item(0), patient: Object.defineProperty(patient(), "first_name", failingName) },
    { ...item(0), note: Object.defineProperty({}, "a", failingName) },
    { claims: [item(0), { toJSON: fail }] },
    new Proxy({}, { ownKeys: fail }),
    new Proxy(item(0), { get: (target, key) => (key === "claim" ? fail() : target[key]) }),
    withClaim({ denial_codes: new Proxy(["a"], { get: (target, key) => (key === "0" ? fail() : target[key]) }) }),
  ];
  for (const [n, request] of failing.entries()) {
    let caught;
    try {
      core.validate(request, options);
    } catch (error) {
      caught = error;
    }
    equal(`what request ${n} throws passes through`, caught === mine, true);
    equal(`a claim after request ${n}`, core.validate(item(n), options).errors, []);
  }
  // A getter that calls validate during a validation.
  const inner = { get: () => core.validate({ claims: [{}] }, options).errors[0], enumerable: true };
  const nested = { patient: Object.defineProperty(patient(), "last_name", inner), claim: claim() };
  equal("a request that validates another", core.validate(nested, options), core.validate(item(0), options));
}

/** Requests with fields at random, the same on every run. */
function random(same) {
  let state = 20_261_122;
  const below = (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const makes = Object.values(VALUES);
  const change = (object, plan) => {
    for (const [key, value, isGone] of plan) {
      if (isGone) delete object[key];
      else object[key] = makes[value]();
    }
    return object;
  };
  const plan = (keys) => Array.from({ length: below(4) }, () => [keys[below(keys.length)], below(makes.length), below(3) === 0]);
  for (let n = 0; n < COUNT; n += 1) {
    const plans = Array.from({ length: 1 + below(4) }, () => [plan([...PATIENT, "note"]), plan([...CLAIM, "note", "claims"]), plan(["patient", "claim", "note"])]);
    const isBatch = below(2) === 0;
    const around = below(8) === 0 ? plan(["patient", "claim", "note", "claims"]) : [];
    same(`random request ${n}`, () => {
      const items = plans.map(([p, c, i], index) => change({ patient: change(patient(), p), claim: change(claim(index), c) }, i));
      return change(isBatch ? { claims: items } : items[0], around);
    });
  }
}
