/** Columns of equal width for people; numbers are to the right. A missing value is empty. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const cells = [head, ...rows.map((row) => row.map((value) => shown(value)))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => width(row[column]!))));
  const isNumber = (row: number, column: number): boolean => typeof rows[row - 1]?.[column] === 'number';
  return cells
    .map((row, at) =>
      row
        .map((text, column) => {
          const pad = ' '.repeat(widths[column]! - width(text));
          return isNumber(at, column) ? pad + text : text + pad;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A name that somebody chose must not start a line or move the cursor. */
const shown = (value: string | number | undefined): string =>
  String(value ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\uFFFD');

const width = (text: string): number => Array.from(text).length;
