/** Columns of equal width for people; numbers are to the right. A missing value is empty. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const cells = [head, ...rows.map((row) => row.map((value) => String(value ?? '')))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => [...row[column]!].length)));
  const isNumber = (row: number, column: number): boolean => typeof rows[row - 1]?.[column] === 'number';
  return cells
    .map((row, at) =>
      row
        .map((text, column) => {
          const pad = ' '.repeat(widths[column]! - [...text].length);
          return isNumber(at, column) ? pad + text : text + pad;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
