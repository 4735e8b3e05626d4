import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Wide } from '../hotel/wide.js';

export interface Row {
  readonly key: string;
  /** One for each column; the first names the row. */
  readonly cells: readonly ComponentChildren[];
}

interface RowsProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** Columns with figures, which are aligned at their ends. */
  readonly figures: readonly number[];
  readonly rows: readonly Row[];
}

const narrow = matchMedia('(width <= 600px)');

/** A table; on a narrow screen, a card for each row, because half of a table says little. */
export function Rows(props: RowsProps) {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const changed = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', changed);
    return () => narrow.removeEventListener('change', changed);
  }, []);
  return isNarrow ? <Cards {...props} /> : <Table {...props} />;
}

function Table({ label, columns, figures, rows }: RowsProps) {
  const classOf = (column: number): string => (figures.includes(column) ? 'ops-end' : '');
  return (
    <div class="card ops-table-card">
      <Wide label={label}>
        <table class="table ops-table">
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={column} scope="col" class={classOf(i)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [name, ...cells] }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {cells.map((cell, i) => (
                  <td key={columns[i + 1]} class={classOf(i + 1)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </div>
  );
}

function Cards({ label, columns, rows }: RowsProps) {
  return (
    <ul class="ops-cards" aria-label={label}>
      {rows.map(({ key, cells: [name, ...cells] }) => (
        <li key={key} class="card">
          <h3>{name}</h3>
          <dl>
            {cells.map((cell, i) => (
              <div key={columns[i + 1]}>
                <dt>{columns[i + 1]}</dt>
                <dd>{cell}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** A figure that needs attention, or one that is worth a look. */
export const marked = (text: string, mark: 'bad' | 'warn' | null) =>
  mark === null ? text : <strong class={`ops-${mark}`}>{text}</strong>;
