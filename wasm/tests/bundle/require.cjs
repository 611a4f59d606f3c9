// What requires the package, bundled or not.

const { statuses, validate } = require("@overturn/core");

const { errors } = validate("");
if (errors.join() !== "body must be valid JSON") throw new Error(errors.join());
console.log(statuses.length);
