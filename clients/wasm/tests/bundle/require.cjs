// What requires the package, bundled or not.

const { statuses, validate } = require("@overturn/core");

const { errors } = validate("");
if (errors.join() !== "body must be valid JSON") throw new Error(errors.join());
const { Remit } = require("@overturn/core/remit");

if (new Remit().finish().files.length !== 0) throw new Error("a run without files has a file");
const { payer } = require("@overturn/core/payer");

if (payer({ claims: 1, script: { act: "deny" } }).expected.length !== 1) throw new Error("a denial is missing");
console.log(statuses.length);
