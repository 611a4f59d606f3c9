// Adjustment and remark codes: CARC with its group code (`CO-45`), and RARC (`N130`, `MA01`).

const GROUP_CODE = /^(CO|CR|OA|PI|PR)[- ]*((?:[ABDPWY](?=\d{1,2}$))?\d{1,3})$/;
const REMARK_CODE = /^(?:MA|[MN])\d{1,4}$/;

/** The code in its standard form, or `undefined` for free text, which is only stored sealed. */
export function recognise(text: string): string | undefined {
  const code = text.trim().replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const group = GROUP_CODE.exec(code);
  if (group) return `${group[1]}-${group[2]}`;
  return REMARK_CODE.test(code) ? code : undefined;
}
