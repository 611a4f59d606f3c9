import type { ComponentChildren } from "preact";
import type { Column } from "./table.tsx";

interface Props<R> {
  columns: readonly Column<R>[];
  rows: readonly R[];
  id: (row: R) => string;
  foot?: readonly ComponentChildren[];
}

/** A short table to read, without links to move between and without cards on a narrow screen. The first column names the row. */
export function PlainTable<R>({ columns, rows, id, foot }: Props<R>) {
  const look = (n: number): string | undefined => (columns[n]?.isNumber ? "number" : undefined);
  const cells = (of: readonly ComponentChildren[]) =>
    of.map((cell, n) =>
      n === 0 ? (
        <th scope="row" key={n}>
          {cell}
        </th>
      ) : (
        <td class={look(n)} key={n}>
          {cell}
        </td>
      ),
    );
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ head }, n) => (
            <th scope="col" class={look(n)} key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={id(row)}>{cells(columns.map(({ cell }) => cell(row)))}</tr>
        ))}
      </tbody>
      {foot && (
        <tfoot>
          <tr>{cells(foot)}</tr>
        </tfoot>
      )}
    </table>
  );
}
