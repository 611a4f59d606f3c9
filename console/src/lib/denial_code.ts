const CODE = /^((CO|CR|OA|PI|PR)-[0-9]{1,3}|(MA|N|M)[0-9]{1,4})$/;

/** A denial code in the way in which the service keeps it: `co 45` is `CO-45`. `undefined` if it is none. */
export function denialCode(typed: string): string | undefined {
  const code = typed
    .trim()
    .toUpperCase()
    .replace(/^(CO|CR|OA|PI|PR)[\s-]*/, "$1-")
    .replace(/^(MA|N|M)\s+/, "$1");
  return code === "" || CODE.test(code) ? code : undefined;
}
